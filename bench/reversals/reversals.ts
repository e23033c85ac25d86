import { randomUUID } from 'node:crypto';
import type { Benchmark, Settings } from '../benchmark.ts';
import { whole } from '../report.ts';
import { restCalls } from '../support/rest-calls.ts';
import { median } from '../support/statistics.ts';
import { withWorkbench } from '../support/workbench.ts';
import { ACCOUNT_COUNT, accountIdOf } from '../triggers/accounts.ts';
import { EVENT_CODE } from '../triggers/event-of.ts';
import { startService } from '../triggers/service.ts';

/** Events in one call, and reversals: the most that a batch of reversals takes. */
const BATCH = 200;

/** Concurrent calls. */
const CALLERS = 4;

/** The rate of reversals in batches, against that of the same events in batches of the same size. */
const reversals: Benchmark = {
  name: 'reversals',
  about: 'Reversals per second in batches of 200, against the events that they take back, in batches of the same size.',
  aim: 0.5,
  run: (settings: Settings) =>
    withWorkbench('reversals', async (workbench) => {
      const { baseUrl, apiKey } = await startService(workbench);
      const call = restCalls(baseUrl, apiKey);
      const rates = { reference: [] as number[], ours: [] as number[] };
      // The first round is the warm-up.
      for (let round = -1; round < settings.rounds; round += 1) {
        const batches: string[][] = [];
        const reference = await perSecond(settings.seconds, async () => {
          const ids = Array.from({ length: BATCH }, () => randomUUID());
          const triggers = ids.map((operationId) => ({
            programmaticCode: EVENT_CODE,
            accountId: accountIdOf(Math.floor(Math.random() * ACCOUNT_COUNT)),
            operationId,
          }));
          await call('POST', '/gamification/triggers/batch', { triggers });
          batches.push(ids);
          return true;
        });
        const ours = await perSecond(Infinity, async () => {
          const ids = batches.pop();
          if (ids === undefined) return false;
          const named = ids.map((id) => ({ programmaticCode: EVENT_CODE, triggerOperationId: id, operationId: id }));
          const answer = await call<{ readonly results: readonly object[] }>(
            'POST',
            '/gamification/triggers/reversals/batch',
            { reversals: named },
          );
          if (!answer.results.every((result) => 'result' in result))
            throw new Error(`A reversal was refused: ${JSON.stringify(answer.results[0])}`);
          return true;
        });
        if (round < 0) continue;
        rates.reference.push(reference);
        rates.ours.push(ours);
      }
      return {
        unit: 'per second',
        ours: median(rates.ours),
        reference: median(rates.reference),
        details: { 'each measurement': rates.ours.map((rate) => whole(rate)).join(', ') },
      };
    }),
};

export default reversals;

/** Runs batches by several callers for some seconds, or until there is no more work. @returns items per second */
async function perSecond(seconds: number, batch: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  let done = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - begun < seconds * 1_000 && (await batch())) done += BATCH;
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return done / ((performance.now() - begun) / 1_000);
}

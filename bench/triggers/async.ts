import type { Benchmark, Settings } from '../benchmark.ts';
import { whole } from '../report.ts';
import { median } from '../support/statistics.ts';
import { inTurns } from '../support/in-turns.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';
import { startService } from './service.ts';

/** Concurrent requests: enough for batches of some size. */
const CONNECTIONS = 128;

/** Seconds until the code is hot. */
const WARM_UP = 6;

/** Events applied per second, from the first one sent until the inbox is empty. */
export type MeasureAsync = (seconds: number) => Promise<number>;

/** The rate of asynchronous events, accepted and applied, against synchronous ones of the same service. */
const asyncEvents: Benchmark = {
  name: 'triggers:async',
  about: 'Asynchronous events accepted and applied per second over REST, against synchronous ones of the same service.',
  aim: 0.5,
  run: (settings: Settings) =>
    withWorkbench('async', async (workbench) => {
      const { applyAsync, applySync, verify } = await startAsync(workbench);
      const { reference, ours } = await inTurns(settings, applySync, applyAsync);
      await verify();
      return {
        unit: 'events/s',
        ours: median(ours),
        reference: median(reference),
        details: {
          'each measurement': ours.map((perSecond) => whole(perSecond)).join(', '),
          verified: 'every accepted event is in the database exactly once',
        },
      };
    }),
};

export default asyncEvents;

/**
 * Starts and warms up a service.
 * @param main the main file of another checkout, for a comparison with this one
 */
export async function startAsync(
  workbench: Workbench,
  main?: string,
): Promise<{ applyAsync: MeasureAsync; applySync: MeasureAsync; verify(): Promise<void> }> {
  const service = await startService(workbench, { main });
  const load = await service.load({ source: import.meta.resolve('./async-requests.ts'), events: 1 });
  const applyAsync: MeasureAsync = async (seconds) => {
    const begun = performance.now();
    const { answered } = await load({ connections: CONNECTIONS, seconds });
    await service.untilApplied();
    return answered / ((performance.now() - begun) / 1_000);
  };
  await applyAsync(WARM_UP);
  await service.measure({ connections: CONNECTIONS, seconds: WARM_UP });
  return {
    applyAsync,
    applySync: async (seconds) => (await service.measure({ connections: CONNECTIONS, seconds })).perSecond,
    verify: service.verify,
  };
}

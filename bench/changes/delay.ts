import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, Result, Settings } from '../benchmark.ts';
import { setUp } from '../expressions/events.ts';
import { EVENT_CODE, type OrderOptions } from '../expressions/order-requests.ts';
import { createAccounts, createWorld, type World } from '../expressions/world.ts';
import { accountIdOf } from '../growth/accounts.ts';
import { whole } from '../report.ts';
import { startLoad } from '../support/load.ts';
import { quantile } from '../support/statistics.ts';
import { withWorkbench } from '../support/workbench.ts';

/** Events per second, and requests in flight. */
const RATE = 1_000;
const CONNECTIONS = 64;

/** Accounts of the events. */
const ACCOUNTS = 20_000;

/** Accounts beside them, each with a stream and an event now and then. */
const LISTENERS = 40;

/** Milliseconds between the progress of a listener and its next event. */
const PAUSE_MS = 500;

/** Seconds until the code is hot. */
const WARM_UP = 8;

/** The milliseconds of the aim. */
const DELAY_MAX = 250;

export const streamDelay: readonly Benchmark[] = [
  {
    name: 'changes:delay',
    about: `Milliseconds from the answer to an event until the stream of its account has the progress, p99, at ${whole(RATE)} events a second, against ${DELAY_MAX}.`,
    aim: 1,
    lessIsBetter: true,
    run: measure,
  },
];

function measure({ rounds, seconds }: Settings): Promise<Result> {
  return withWorkbench('changes-delay', async (workbench) => {
    const world = await createWorld(workbench, 'delay');
    await createAccounts(world, ACCOUNTS + LISTENERS, 1);
    await setUp(world, { missions: 1, hasConditions: false, audience: 'EVERYONE' });
    await world.admin('PUT', '/v1/change-feed', { keepDays: 30 });
    const sourceOptions: OrderOptions = { apiKey: world.apiKey, accountCount: ACCOUNTS, isSingle: true };
    const source = import.meta.resolve('../expressions/order-requests.ts');
    const load = await startLoad({ host: '127.0.0.1', port: world.port, source, sourceOptions });
    workbench.cleanUps.push(load.stop);
    await load.run({ connections: CONNECTIONS, seconds: WARM_UP, rate: RATE });
    const gone = new AbortController();
    workbench.cleanUps.push(() => Promise.resolve(gone.abort()));
    const delays: number[] = [];
    const listeners = Array.from({ length: LISTENERS }, (_, index) =>
      listen(world, accountIdOf(ACCOUNTS + index), gone.signal, (ms) => delays.push(ms)),
    );
    const { perSecond, failures, p99 } = await load.run({
      connections: CONNECTIONS,
      seconds: seconds * rounds,
      rate: RATE,
    });
    if (failures > 0) throw new Error(`${failures} events were refused.`);
    gone.abort();
    await Promise.all(listeners);
    const sorted = delays.toSorted((one, other) => one - other);
    return {
      unit: 'ms',
      ours: quantile(sorted, 0.99),
      reference: DELAY_MAX,
      details: {
        delay: `${quantile(sorted, 0.5).toFixed(1)} ms p50, ${sorted.at(-1)!.toFixed(1)} ms at most, of ${whole(delays.length)} events`,
        events: `${whole(perSecond)} a second, answered in ${p99.toFixed(1)} ms p99`,
        streams: `${LISTENERS}, each of another account`,
      },
    };
  });
}

/** Sends events of an account one after the other, and tells how long after each answer the stream had its progress. */
async function listen(
  world: World,
  accountId: string,
  gone: AbortSignal,
  tell: (delayMs: number) => void,
): Promise<void> {
  const stream = new EventEmitter();
  try {
    const opened = once(stream, 'opened', { signal: gone });
    const reading = read(world, accountId, gone, stream);
    await opened;
    for (let sent = 0; !gone.aborted; sent += 1) {
      const progress = once(stream, 'progress', { signal: gone }) as Promise<[number]>;
      const [answeredAt, [toldAt]] = await Promise.all([send(world, accountId, sent), progress]);
      // Often the stream is first.
      tell(Math.max(0, toldAt - answeredAt));
      await sleep(PAUSE_MS, undefined, { signal: gone });
    }
    await reading;
  } catch (error) {
    if (!gone.aborted) throw error;
  }
}

/** Reads the stream of an account, and emits `opened`, and the time of each `progress`. */
async function read({ baseUrl, apiKey }: World, accountId: string, gone: AbortSignal, to: EventEmitter): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  let text = '';
  try {
    const { body } = await fetch(`${baseUrl}/v1/accounts/${accountId}/stream`, { headers, signal: gone });
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const told = ['"opened":{', '"progress":{'].find((key) => text.includes(key));
      if (told === undefined) continue;
      text = '';
      to.emit(told.slice(1, told.indexOf('"', 1)), performance.now());
    }
    throw new Error('The stream has ended.');
  } catch (error) {
    if (!gone.aborted) to.emit('error', error);
  }
}

/** @returns the time of the answer */
async function send({ baseUrl, apiKey }: World, accountId: string, number: number): Promise<number> {
  const event = {
    programmaticCode: EVENT_CODE,
    accountId,
    operationId: `${accountId}-${number}`,
    metadata: { amount: 1 },
  };
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}/gamification/triggers`, {
    method: 'POST',
    headers,
    body: JSON.stringify(event),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return performance.now();
}

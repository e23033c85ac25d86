import { momentOfId } from '../../src/kernel/ids.ts';
import type { Result, Settings } from '../benchmark.ts';
import { inTurns } from '../support/in-turns.ts';
import { quantile } from '../support/statistics.ts';
import { type ClosingClient, closingClient, delaysOf, paced } from './closings.ts';
import type { Arrival } from './receivers.ts';
import type { Stage } from './stage.ts';

/** Clients beside the one whose receiver hangs; each causes as many webhooks as that one. */
const OTHERS = 7;

/** Events of all clients together: a fraction of the capacity of two cores, so that only the hanging receiver can cause waits. */
const EVENTS_PER_SECOND = 160;

const TROUBLED = 'troubled';

/** Seconds before the measurement: the first requests to the hanging receiver time out after 5. */
const LEAD = 6;

/**
 * The latency of webhooks while one client's receiver accepts and never answers, against the latency while it answers.
 * @returns also the number of sent webhooks
 */
export async function measureIsolation(stage: Stage, settings: Settings) {
  const clients: ClosingClient[] = [await closingClient(stage, TROUBLED)];
  for (let index = 0; index < OTHERS; index += 1) clients.push(await closingClient(stage, `other-${index}`));
  let sent = 0;

  async function othersDelays(seconds: number, hanging: readonly string[]): Promise<Arrival[]> {
    const count = EVENTS_PER_SECOND * (LEAD + seconds);
    sent += count;
    await stage.receivers.hang(hanging);
    const from = Date.now() + LEAD * 1_000;
    await paced(count, EVENTS_PER_SECOND, (time) => clients[time % clients.length]!.close());
    // Otherwise its webhooks, four in parallel and five seconds each, would take minutes.
    await stage.receivers.hang([]);
    const arrivals = await stage.receivers.arrivals(count);
    return arrivals.filter(
      ({ receiver, messageId }) => receiver !== TROUBLED && momentOfId(messageId).getTime() >= from,
    );
  }

  await othersDelays(1, []);
  const turns = await inTurns(
    settings,
    (seconds) => othersDelays(seconds, []),
    (seconds) => othersDelays(seconds, [TROUBLED]),
  );
  const alive = delaysOf(turns.reference.flat());
  const dead = delaysOf(turns.ours.flat());
  const result: Result = {
    unit: 'ms',
    ours: quantile(dead, 0.99),
    reference: quantile(alive, 0.99),
    details: {
      p50: `${quantile(dead, 0.5)} ms with the dead receiver, ${quantile(alive, 0.5)} ms without`,
      load: `${EVENTS_PER_SECOND} webhooks a second, an eighth of them to the dead receiver`,
      'timed out': `${await stage.count('TIMED_OUT')} webhooks to the dead receiver, after 5 s each`,
    },
  };
  return { result, sent };
}

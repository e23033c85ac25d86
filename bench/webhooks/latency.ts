import type { Result, Settings } from '../benchmark.ts';
import { quantile } from '../support/statistics.ts';
import { closingClient, delaysOf, paced } from './closings.ts';
import type { Stage } from './stage.ts';

/** The guaranteed milliseconds. */
const PROMISED = 20;

/** A low rate: each webhook is sent long before the next event. */
const EVENTS_PER_SECOND = 15;

/** Events until the code is hot. */
const WARM_UP = 60;

/**
 * The latency of a webhook in an idle service.
 * @returns also the number of sent webhooks
 */
export async function measureLatency(stage: Stage, { seconds, rounds }: Settings) {
  const client = await closingClient(stage, 'latency');
  const count = EVENTS_PER_SECOND * seconds * rounds;
  for (const events of [WARM_UP, count]) await paced(events, EVENTS_PER_SECOND, client.close);
  const delays = delaysOf((await stage.receivers.arrivals(WARM_UP + count)).slice(WARM_UP));
  const result: Result = {
    unit: 'ms',
    ours: quantile(delays, 0.5),
    reference: PROMISED,
    details: {
      p99: `${quantile(delays, 0.99)} ms`,
      events: `${count}, ${EVENTS_PER_SECOND} a second, each answered before its webhook is sent`,
      measured: 'from the writing of the message, a little before the commit, to the whole request at the receiver',
    },
  };
  return { result, sent: WARM_UP + count };
}

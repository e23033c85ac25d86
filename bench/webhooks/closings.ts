import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { momentOfId } from '../../src/kernel/ids.ts';
import { restCalls } from '../support/rest-calls.ts';
import type { Arrival } from './receivers.ts';
import type { Stage } from './stage.ts';

/** A client whose every event closes a campaign for a new account, and so causes a webhook. */
export type ClosingClient = {
  /** Sends one event and resolves with its answer. */
  close(): Promise<void>;
};

/** Creates such a client. Its webhooks are signed, because signed requests contain the message id. */
export async function closingClient(stage: Stage, receiver: string): Promise<ClosingClient> {
  const { apiKey, admin } = await stage.client(receiver, { signed: true });
  await admin('POST', '/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  const audience = await admin('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const reward = await admin('POST', '/admin/rewards', { name: '10 points', type: 'POINTS', amount: 10 });
  const campaign = await admin('POST', '/admin/campaigns', {
    name: 'Welcome',
    audienceIds: [audience.id],
    rewardIds: [reward.id],
    missions: [{ type: 'MISSION', name: 'Log in', programmaticCode: 'LOGIN', target: 1 }],
  });
  await admin('POST', `/admin/campaigns/${campaign.id}/activate`);
  const call = restCalls(stage.baseUrl, apiKey);
  return {
    async close() {
      const operationId = randomUUID();
      const event = { programmaticCode: 'LOGIN', accountId: operationId, idType: 'EXTERNAL', operationId };
      await call('POST', '/gamification/triggers', event);
    },
  };
}

/** Runs `work` at a steady rate without waiting for earlier runs, and then waits for all of them. */
export async function paced(times: number, perSecond: number, work: (time: number) => Promise<void>): Promise<void> {
  const begun = performance.now();
  const under: Promise<void>[] = [];
  for (let time = 0; time < times; time += 1) {
    await sleep(Math.max(0, begun + (time * 1_000) / perSecond - performance.now()));
    under.push(work(time));
  }
  await Promise.all(under);
}

/**
 * Milliseconds from the writing of each message, shortly before its transaction commits, to its arrival, ascending. The message id contains
 * the time of writing.
 */
export function delaysOf(arrivals: readonly Arrival[]): Float64Array {
  return Float64Array.from(arrivals, ({ at, messageId }) => at - momentOfId(messageId).getTime()).sort();
}

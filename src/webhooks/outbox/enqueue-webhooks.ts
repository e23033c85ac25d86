import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertMessages } from './outbox.queries.ts';
import type { WebhookType } from '../configuration/webhook-type.ts';

/** A webhook to send. */
export type WebhookMessage = {
  readonly type: WebhookType;
  /** JSON, sent byte for byte. */
  readonly body: string;
};

/** The messages that each unit of work has enqueued. A WeakMap, so that entries without a reader are collected. */
const enqueued = new WeakMap<UnitOfWork, string[]>();

/**
 * Writes webhooks in the transaction of their cause, in one statement: they are sent if it commits, and only then.
 * Types that the client has not configured are dropped. Sending begins after `Dispatcher.wake`, or with the next poll.
 * @param uow of one client; in a system unit of work there is no configuration to find
 * @returns ids of the messages written, fewer than `messages` where nobody listens
 */
export async function enqueueWebhooks(uow: UnitOfWork, messages: readonly WebhookMessage[]): Promise<string[]> {
  if (messages.length === 0) return [];
  const ids = await insertMessages(
    uow,
    messages.map(({ type, body }) => ({ id: newId(), type, body })),
  );
  enqueued.set(uow, [...enqueuedIn(uow), ...ids]);
  return ids;
}

/** Everything that `uow` has enqueued so far, by whichever module: what to wake the dispatcher with. */
export function enqueuedIn(uow: UnitOfWork): readonly string[] {
  return enqueued.get(uow) ?? [];
}

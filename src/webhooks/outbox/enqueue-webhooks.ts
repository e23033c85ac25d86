import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertMessages } from './outbox.queries.ts';
import type { WebhookType } from '../configuration/webhook-type.ts';

/** A webhook to send. */
export type WebhookMessage = {
  readonly type: WebhookType;
  /** The JSON body, sent byte for byte. */
  readonly body: string;
};

/** The enqueued messages of each unit of work. It is a WeakMap, so that unused entries are collected. */
const enqueued = new WeakMap<UnitOfWork, string[]>();

/**
 * Writes webhooks in the transaction of their cause, in one statement: they are sent only if it commits. Types that the client has not
 * configured are dropped. Sending begins after `Dispatcher.wake`, or with the next poll.
 * @param uow a unit of work of one client; a system unit of work finds no configuration
 * @returns ids of the written messages; fewer than `messages` if a type is not configured
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

/** The ids of all messages that `uow` has enqueued so far, from any module: the argument for `Dispatcher.wake`. */
export function enqueuedIn(uow: UnitOfWork): readonly string[] {
  return enqueued.get(uow) ?? [];
}

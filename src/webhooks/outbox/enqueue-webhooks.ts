import { inTimeSlices, type Steps } from '../../kernel/concurrency/time-slices.ts';
import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { addToFeed, type FedChange } from '../../changes/collect-changes.ts';
import { type ChangeKind, changeRules } from '../changes/change-kind.ts';
import { notificationBody } from '../changes/notification.ts';
import {
  type EndpointMessage,
  type EnqueuedMessage,
  insertEndpointMessages,
  insertMessages,
  type Receiving,
  receivingEndpoints,
} from './enqueue.queries.ts';

/** A change to announce. */
export type WebhookMessage = {
  readonly kind: ChangeKind;
  /** Its JSON message: the webhook of its type sends it byte for byte, an endpoint as `data` of its body. */
  readonly json: string;
  /** The body of the webhook of its type, if it differs from `json`; null if that webhook is not sent. */
  readonly webhookJson?: string | null;
  /** The campaign of the change; left out for a change without one. */
  readonly campaignId?: string | null | undefined;
};

/** Units of work that send no webhooks. */
const muted = new WeakSet<UnitOfWork>();

/** Drops all webhooks that `uow` causes from now on, from any module. */
export function muteWebhooks(uow: UnitOfWork): void {
  muted.add(uow);
}

/** The enqueued messages of each unit of work. It is a WeakMap, so that unused entries are collected. */
const enqueued = new WeakMap<UnitOfWork, readonly EnqueuedMessage[]>();

/**
 * Writes webhooks in the transaction of their cause: they are sent only if it commits. Each change is added to the feed of the client. It
 * is also written for the webhook of its type and for each endpoint that receives it. Sending begins after `Dispatcher.wake`, or with the
 * next poll. A client without endpoints costs no round trip more than the insertion.
 * @param uow a unit of work of one client; a system unit of work finds no receiver
 * @returns the written messages
 */
export async function enqueueWebhooks(uow: UnitOfWork, changes: readonly WebhookMessage[]): Promise<EnqueuedMessage[]> {
  feedOnly(uow, changes);
  return enqueue(uow, changes);
}

/** Adds changes to the feed of the client, and sends no webhooks. */
export function feedOnly(uow: UnitOfWork, changes: readonly WebhookMessage[]): void {
  addToFeed(uow, () => changes.map(({ kind, json }) => ({ kind, json: changeRules[kind].toData?.(json) ?? json })));
}

/** Sends those of the collected changes to endpoints that nothing else announces. */
export async function enqueueCollected(uow: UnitOfWork, changes: readonly FedChange[]): Promise<void> {
  await enqueue(
    uow,
    changes.filter(({ kind }) => changeRules[kind].isCollected),
  );
}

async function enqueue(uow: UnitOfWork, changes: readonly WebhookMessage[]): Promise<EnqueuedMessage[]> {
  if (changes.length === 0 || muted.has(uow)) return [];
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  const ofTypes = changes.flatMap(({ kind, json, webhookJson: body = json }) => {
    const { webhook } = changeRules[kind];
    return webhook === undefined || body === null ? [] : [{ id: newId(), type: webhook, body }];
  });
  const [endpoints, ...written] = await Promise.all([
    receivingEndpoints(uow, kinds),
    ...batchesOf(ofTypes).map((messages) => insertMessages(uow, messages)),
  ]);
  for (const messages of batchesOf(await inTimeSlices(messagesOf(uow.clientId, changes, endpoints))))
    written.push(await insertEndpointMessages(uow, messages));
  const messages = written.flat();
  enqueued.set(uow, [...enqueuedIn(uow), ...messages]);
  return messages;
}

/** All messages that `uow` has enqueued so far, from any module: the argument for `Dispatcher.wake`. */
export function enqueuedIn(uow: UnitOfWork): readonly EnqueuedMessage[] {
  return enqueued.get(uow) ?? [];
}

/** Messages in one statement: the driver needs two milliseconds to serialize its parameters, without a pause. */
const MESSAGES_MAX = 500;

function batchesOf<Message>(messages: readonly Message[]): (readonly Message[])[] {
  const batches = Math.ceil(messages.length / MESSAGES_MAX);
  return Array.from({ length: batches }, (_, index) =>
    messages.slice(index * MESSAGES_MAX, (index + 1) * MESSAGES_MAX),
  );
}

/** The messages of changes in their order, each for the endpoints that receive it; in steps, because 500 changes may go to 20 endpoints. */
function* messagesOf(
  clientId: string,
  changes: readonly WebhookMessage[],
  endpoints: readonly Receiving[],
): Steps<EndpointMessage[]> {
  const messages: EndpointMessage[] = [];
  for (const change of changes) {
    const { kind, json } = change;
    for (const { id: endpointId, form, arrivedAt: occurredAt } of endpoints.filter((each) => receives(each, change))) {
      const id = newId();
      const body = notificationBody(form, { id, kind, clientId, occurredAt, json });
      messages.push({ id, endpointId, type: kind, body });
    }
    yield;
  }
  return messages;
}

function receives({ types, campaignIds }: Receiving, { kind, campaignId }: WebhookMessage): boolean {
  if (!types.includes(kind)) return false;
  return campaignIds.length === 0 || (typeof campaignId === 'string' && campaignIds.includes(campaignId));
}

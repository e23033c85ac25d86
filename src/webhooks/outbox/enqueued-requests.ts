import { type MessageType, RECEIVERS, TARGET, type WebhookTarget } from '../configuration/webhook-target.ts';
import { headerNames } from '../delivery/webhook-request.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { enqueuedIn } from './enqueue-webhooks.ts';
import { outboxMessageTable } from './outbox-message.entity.ts';

/** An enqueued webhook as it may be shown: without secrets, path and header values. */
export type EnqueuedRequest = {
  readonly type: MessageType;
  /** Undefined for a webhook of a type. */
  readonly endpointId: string | undefined;
  /** Scheme, host and port, like in the delivery log. */
  readonly target: string;
  readonly headerNames: readonly string[];
  /** The JSON body of the request. */
  readonly body: string;
};

const MESSAGE = propertiesOf(outboxMessageTable, ['type', 'body', 'traceparent'], 'm');

/** The enqueued requests of `uow`, in the order of sending; for the simulator. */
export async function enqueuedRequests(uow: UnitOfWork): Promise<EnqueuedRequest[]> {
  const ids = enqueuedIn(uow).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await uow.query<WebhookTarget & RowOf<typeof MESSAGE>>(
    `select ${MESSAGE}, ${TARGET}
       from outbox_message m
       join ${RECEIVERS} on c.client_id = m.client_id and c.configuration_id = m.configuration_id
      where m.client_id = $1 and m.id = any($2::uuid[])
      order by m.id`,
    [uow.clientId, ids],
  );
  return rows.map(({ type, body, traceparent, ...target }) => ({
    type,
    endpointId: target.endpointId ?? undefined,
    target: new URL(target.endpoint).origin,
    headerNames: headerNames(target, traceparent),
    body,
  }));
}

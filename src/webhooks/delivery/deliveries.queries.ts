import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { ARRIVED } from '../../persistence/moments.ts';
import { LEASE_MS } from '../outbox/claimed-message.ts';
import { isFree } from '../../persistence/polling/lease.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { CHANGE_KINDS, kindOf } from '../changes/change-kind.ts';
import { findReceiver, notConfigured, receiverOf } from '../configuration/receiver.ts';
import { RECEIVERS } from '../configuration/webhook-target.ts';
import { WEBHOOK_TYPES } from '../configuration/webhook-type.ts';
import { endpointDeleted } from '../endpoints/require-endpoint.ts';
import { outboxMessageTable } from '../outbox/outbox-message.entity.ts';
import { webhookRetryTable } from '../retries/webhook-retry.entity.ts';
import { webhookDeliveryTable } from './webhook-delivery.entity.ts';

const COLUMNS = propertiesOf(webhookDeliveryTable, [
  'id',
  'messageId',
  'type',
  'endpointId',
  'attempt',
  'method',
  'target',
  'attemptedAt',
  'durationMs',
  'outcome',
  'statusCode',
  'error',
  'responseExcerpt',
  'retry',
  'retryAt',
]);

/** The `type` of a message in the API: none for an endpoint, whose messages have the kind of change in the same column. */
const WEBHOOK_TYPE = '(case when endpoint_id is null then type end)';

/** The kind of the announced change, for webhooks by their type. */
const KIND = `(case ${WEBHOOK_TYPES.map((type) => `when endpoint_id is null and type = '${type}' then '${kindOf(type)}'`).join(' ')} else type end)`;

/** One row of the delivery log, without the body. */
export type DeliveryLogRow = RowOf<typeof COLUMNS>;

/** The delivery log by page, latest first. */
export const deliveryPage = pagedList<DeliveryLogRow>({
  from: 'webhook_delivery',
  columns: COLUMNS,
  // A UUIDv7 of the start of the attempt.
  orderBy: ['id'],
  descending: true,
  moment: 'id',
  fields: {
    id: { kind: 'uuid', column: 'id' },
    messageId: { kind: 'uuid', column: 'message_id' },
    type: { kind: 'enum', column: WEBHOOK_TYPE, values: WEBHOOK_TYPES },
    kind: { kind: 'enum', column: KIND, values: CHANGE_KINDS },
    endpointId: { kind: 'uuid', column: 'endpoint_id' },
    outcome: { kind: 'enum', column: 'outcome', values: ['DELIVERED', 'REFUSED', 'TIMED_OUT', 'FAILED'] },
    statusCode: { kind: 'number', column: 'status_code' },
    target: { kind: 'text', column: 'target' },
  },
  orderable: { attemptedAt: { column: 'id' } },
  searched: { ids: ['id', 'message_id'] },
});

/**
 * One attempt with its body; null if the log no longer has it. Of several attempts for one message, only the one that removed it from the
 * outbox has the body.
 * @throws DomainError `WEBHOOK_DELIVERY_NOT_FOUND`
 */
export async function requireDelivery(
  uow: UnitOfWork,
  id: string,
): Promise<DeliveryLogRow & { readonly body: string | null }> {
  const [row] = await uow.query<DeliveryLogRow & { body: string | null }>(
    `select ${COLUMNS}, coalesce(body, (
              select o.body from webhook_delivery o
               where o.client_id = $1 and o.message_id = d.message_id and o.body is not null limit 1)) as body
       from ${lookUpByKey({ select: '*', from: 'webhook_delivery', key: { id: '$2' } })} d`,
    [uow.clientId, id],
  );
  if (row === undefined)
    throw new DomainError(
      'WEBHOOK_DELIVERY_NOT_FOUND',
      sentence`There is no attempt ${id} in the log. It may have been too old.`,
    );
  return row;
}

const MESSAGE = propertiesOf(outboxMessageTable, ['id', 'configurationId', 'type', 'attempts', 'createdAt']);
const RETRY = propertiesOf(webhookRetryTable, ['nextAttemptAt', 'lastOutcome', 'lastStatusCode', 'lastError']);

/** A message without an outcome, or a message that waits for a retry. */
export type Waiting = RowOf<typeof MESSAGE> & {
  readonly sending: boolean;
  readonly endpointId: string | null;
} & Nullable<RowOf<typeof RETRY>>;

type Nullable<Row> = { readonly [Key in keyof Row]?: Row[Key] | null };

const SENDING = `not ${isFree(LEASE_MS)} as sending`;
const WAITING = `${MESSAGE}, endpoint_id as "endpointId", ${SENDING}`;
/** The columns of a requeued message, which no process sends yet. */
const REQUEUED = `${MESSAGE}, $3::uuid as "endpointId", false as sending`;

const BOTH = ['client_id', 'id', 'configuration_id', 'type', 'attempts', 'created_at', 'lease_until'].join(', ');

/** The endpoint of a message; null for a webhook of a type, and for an endpoint that was deleted before the message was committed. */
const ENDPOINT_ID = `(select e.id from webhook_endpoint e
                      where e.client_id = m.client_id and e.id = m.configuration_id) as endpoint_id`;

/** The waiting messages and retries, by page, oldest first. */
export const waitingPage = pagedList<Waiting>({
  from: `(select ${BOTH}, ${ENDPOINT_ID}, null::timestamptz as next_attempt_at, null::text as last_outcome,
                 null::int as last_status_code, null::text as last_error from outbox_message m
          union all
          select ${BOTH}, ${ENDPOINT_ID}, next_attempt_at, last_outcome, last_status_code, last_error from webhook_retry m) waiting`,
  columns: `${WAITING}, ${RETRY}`,
  orderBy: ['id'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    type: { kind: 'enum', column: WEBHOOK_TYPE, values: WEBHOOK_TYPES },
    kind: { kind: 'enum', column: KIND, values: CHANGE_KINDS },
    endpointId: { kind: 'uuid', column: 'endpoint_id' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
    nextAttemptAt: { kind: 'timestamp', column: 'next_attempt_at' },
  },
  orderable: { createdAt: { column: 'id' } },
  searched: { ids: ['id'] },
});

/**
 * Puts a message back into the outbox under its old id, so that the log shows its attempts together. A message that waits for a retry
 * becomes due at once instead. Two concurrent calls send it once.
 * @throws DomainError `WEBHOOK_NOT_CONFIGURED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_WAITING`
 */
export async function requeue(
  uow: UnitOfWork,
  { messageId, type, endpointId }: DeliveryLogRow,
  body: string,
): Promise<Waiting> {
  const receiver = receiverOf({ type, endpointId });
  const configurationId = await findReceiver(uow, receiver);
  if (configurationId === undefined) throw endpointId === null ? notConfigured(type) : endpointDeleted(endpointId);
  const [waiting] = await uow.query<Waiting>(
    `update webhook_retry r set next_attempt_at = ${ARRIVED}
       from ${lookUpByKey({
         select: 'ctid as row_ctid',
         from: 'webhook_retry',
         key: { id: '$2' },
         lock: 'for update',
         and: `next_attempt_at > ${ARRIVED} and ${isFree(LEASE_MS)}`,
       })} held
      where r.client_id = $1 and r.ctid = held.row_ctid
     returning ${REQUEUED}, ${RETRY}`,
    [uow.clientId, messageId, endpointId],
  );
  if (waiting !== undefined) return waiting;
  const [row] = await uow.query<Waiting>(
    `insert into outbox_message (client_id, id, configuration_id, type, body, not_before, attempts, created_at)
     select c.client_id, $2, c.configuration_id, $4, $5, ${ARRIVED},
            (select max(attempt) from webhook_delivery d where d.client_id = $1 and d.message_id = $2), ${ARRIVED}
       from ${RECEIVERS} where c.client_id = $1 and c.configuration_id = $6
        and not exists (select from ${lookUpByKey({ select: '1', from: 'webhook_retry', key: { id: '$2' } })} r)
     on conflict (client_id, id) do nothing
     returning ${REQUEUED}`,
    [uow.clientId, messageId, endpointId, type, body, configurationId],
  );
  if (row !== undefined) return row;
  throw new DomainError('WEBHOOK_WAITING', 'The message waits to be sent already. Look at the log in a moment.');
}

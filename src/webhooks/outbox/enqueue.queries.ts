import { currentSpan, traceparentOf } from '../../kernel/tracing.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { limitedKeys, lookUpByKey } from '../../persistence/key-lookup.ts';
import { ARRIVED } from '../../persistence/moments.ts';
import { CHANGE_KINDS, type ChangeKind, changeRules } from '../changes/change-kind.ts';
import type { WebhookType } from '../configuration/webhook-type.ts';
import { webhookEndpointTable } from '../endpoints/webhook-endpoint.entity.ts';
import { outboxMessageTable } from './outbox-message.entity.ts';
import { SEND_DELAY_MS } from './outbox.queries.ts';

const CONFIGURATION = lookUpByKey({
  select: 'client_id, configuration_id',
  from: 'webhook_configuration',
  key: { type: 'm.type' },
});

const ENQUEUED = propertiesOf(outboxMessageTable, ['id', 'configurationId'], 'o');

/** A written message, with its receiver. */
export type EnqueuedMessage = RowOf<typeof ENQUEUED>;

/**
 * Writes messages whose type is configured, drops the others in the same statement, and returns the written ones. It does not
 * lock the configuration: if a concurrent DELETE cannot see a message yet, the message keeps the id of the deleted
 * configuration and is never sent.
 */
export async function insertMessages(
  uow: UnitOfWork,
  messages: ReadonlyArray<{ readonly id: string; readonly type: WebhookType; readonly body: string }>,
): Promise<EnqueuedMessage[]> {
  if (messages.length === 0) return [];
  return uow.query<EnqueuedMessage>(
    `insert into outbox_message as o (client_id, id, configuration_id, type, body, not_before, attempts, traceparent, created_at)
     select c.client_id, m.id, c.configuration_id, m.type, m.body, ${ARRIVED} + $5 * interval '1 ms', 0, $6, ${ARRIVED}
       from unnest($2::uuid[], $3::text[], $4::text[]) as m(id, type, body)
      cross join ${CONFIGURATION} c
     returning ${ENQUEUED}`,
    [
      uow.clientId,
      messages.map(({ id }) => id),
      messages.map(({ type }) => type),
      messages.map(({ body }) => body),
      SEND_DELAY_MS,
      cause(),
    ],
  );
}

const RECEIVING = propertiesOf(webhookEndpointTable, ['id', 'types', 'campaignIds', 'form']);

/** An endpoint that receives some kinds of changes, with the time of the statement that read it. */
export type Receiving = RowOf<typeof RECEIVING> & { readonly arrivedAt: Date };

/** The endpoints of the client that receive one of `kinds`, in the order of their creation. */
export function receivingEndpoints(uow: UnitOfWork, kinds: readonly ChangeKind[]): Promise<Receiving[]> {
  return uow.query<Receiving>(
    `select ${RECEIVING}, ${ARRIVED} as "arrivedAt" from webhook_endpoint where client_id = $1 and types && $2::text[] order by id`,
    [uow.clientId, kinds],
  );
}

/** The kinds that reach endpoints just before the commit. */
const COLLECTED = CHANGE_KINDS.filter((kind) => changeRules[kind].isCollected);

/** The ids of all clients with an endpoint that receives such a kind, in a system unit of work. */
export async function clientsWithCollectedKinds(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>(
    'select distinct client_id from webhook_endpoint where types && $1::text[]',
    [COLLECTED],
  );
  return rows.map(({ client_id }) => client_id);
}

/** A message for an endpoint. */
export type EndpointMessage = {
  readonly id: string;
  readonly endpointId: string;
  readonly type: ChangeKind;
  readonly body: string;
};

/** Writes messages for endpoints. It does not lock them, like {@link insertMessages}. */
export function insertEndpointMessages(
  uow: UnitOfWork,
  messages: readonly EndpointMessage[],
): Promise<EnqueuedMessage[]> {
  return uow.query<EnqueuedMessage>(
    `insert into outbox_message as o (client_id, id, configuration_id, type, body, not_before, attempts, traceparent, created_at)
     select client_row.client_id, m.id, m.endpoint_id, m.type, m.body, ${ARRIVED} + $6 * interval '1 ms', 0, $7, ${ARRIVED}
       from ${CLIENT_ROW}
      cross join ${limitedKeys('unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) as m(id, endpoint_id, type, body)', 'm')}
     returning ${ENQUEUED}`,
    [
      uow.clientId,
      messages.map(({ id }) => id),
      messages.map(({ endpointId }) => endpointId),
      messages.map(({ type }) => type),
      messages.map(({ body }) => body),
      SEND_DELAY_MS,
      cause(),
    ],
  );
}

/** The sampled span of the cause, as a header `traceparent`; null without a trace. */
function cause(): string | null {
  const span = currentSpan();
  return span === undefined ? null : traceparentOf(span.context);
}

import type { UnitOfWork } from '../../persistence/database.ts';
import { type ReceiverKey, RECEIVERS } from '../configuration/webhook-target.ts';
import { ARRIVED } from '../../persistence/moments.ts';
import type { EnqueuedMessage } from './enqueue.queries.ts';

/** The selection of messages to send again. */
export type Failed = {
  readonly receiver: ReceiverKey;
  readonly outcomes: readonly string[];
  /** The first id of the period, and the first one after it. */
  readonly from: string;
  readonly to: string;
  /** The maximum of messages. */
  readonly limit: number;
};

/**
 * Puts messages whose last attempt was in a period and failed back into the outbox, with their old ids, the oldest first. It skips messages
 * that are in the outbox already, wait for a retry or have lost their body, so that a further call continues with others. The caller locks
 * the receiver, so that two concurrent calls send each message once.
 */
export async function requeueFailed(
  uow: UnitOfWork,
  { receiver, outcomes, from, to, limit }: Failed,
): Promise<{ readonly messages: readonly EnqueuedMessage[]; readonly more: boolean }> {
  const rows = await uow.query<EnqueuedMessage & { readonly more: boolean }>(
    `with failed as (
       select d.message_id, d.type, d.attempt, b.body, row_number() over (order by d.id) as ordinal
         from webhook_delivery d
        cross join lateral (
          select o.body from webhook_delivery o
           where o.client_id = $1 and o.message_id = d.message_id and o.body is not null limit 1) b
        where d.client_id = $1 and d.id >= $2 and d.id < $3 and coalesce(d.endpoint_id::text, d.type) = $4 and d.outcome = any($5::text[])
          and not exists (select from webhook_delivery l where l.client_id = $1 and l.message_id = d.message_id
                           and (l.id > d.id or l.outcome = 'DELIVERED'))
          and not exists (select from outbox_message w where w.client_id = $1 and w.id = d.message_id)
          and not exists (select from webhook_retry r where r.client_id = $1 and r.id = d.message_id)
        order by d.id limit $6::int + 1),
     sent as (
       insert into outbox_message (client_id, id, configuration_id, type, body, not_before, attempts, created_at)
       select c.client_id, f.message_id, c.configuration_id, f.type, f.body, ${ARRIVED}, f.attempt, ${ARRIVED}
         from failed f join ${RECEIVERS} on c.client_id = $1 and c.key = $4
        where f.ordinal <= $6
       on conflict (client_id, id) do nothing
       returning id, configuration_id)
     select id, configuration_id as "configurationId", (select count(*) from failed) > $6 as more from sent`,
    [uow.clientId, from, to, receiver, outcomes, limit],
  );
  return { messages: rows, more: rows[0]?.more ?? false };
}

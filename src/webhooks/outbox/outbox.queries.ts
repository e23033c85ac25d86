import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import { fewKeys, heldRows, holdRows, probe } from '../../persistence/by-keys.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { isFree, leaseEnd } from '../../persistence/polling/lease.ts';
import { countActivity } from '../../statistics/activity-counts.ts';
import type { Attempt } from '../delivery/webhook-sender.ts';
import { TARGET, type WebhookTarget } from '../configuration/webhook-target.ts';
import type { WebhookType } from '../configuration/webhook-type.ts';
import { outboxMessageTable } from './outbox-message.entity.ts';

const MESSAGE = propertiesOf(outboxMessageTable, ['id', 'body', 'attempts'], 'm');

/** A message whose sending has begun, with the configuration to send it by; `attempts` above 1 where an earlier sender died. */
export type ClaimedMessage = WebhookTarget & RowOf<typeof MESSAGE>;

/** How a claimed message ended. */
export type Outcome = { readonly message: ClaimedMessage; readonly attempt: Attempt };

/** Milliseconds within which the causing response is normally written; other processes do not send before. */
export const HOLD_MS = 150;

/** Milliseconds after which a sender that recorded no outcome counts as dead: the 5 s of an attempt, and twice that to record it. */
const LEASE_MS = 15_000;

const CONFIGURATION = probe({
  select: 'client_id, configuration_id',
  from: 'webhook_configuration',
  key: { type: 'm.type' },
});

/**
 * Writes messages whose type is configured and gives their ids. Not configured types are dropped in the same statement.
 * No lock is taken on the configuration: a message that a concurrent DELETE cannot see yet keeps the id of what was
 * deleted, and is therefore never sent.
 */
export async function insertMessages(
  uow: UnitOfWork,
  messages: ReadonlyArray<{ readonly id: string; readonly type: WebhookType; readonly body: string }>,
): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    `insert into outbox_message (client_id, id, configuration_id, type, body, not_before, attempts, created_at)
     select c.client_id, m.id, c.configuration_id, m.type, m.body, clock_timestamp() + $5 * interval '1 ms', 0, clock_timestamp()
       from unnest($2::uuid[], $3::text[], $4::text[]) as m(id, type, body)
      cross join ${CONFIGURATION} c
     returning id`,
    [
      uow.clientId,
      messages.map(({ id }) => id),
      messages.map(({ type }) => type),
      messages.map(({ body }) => body),
      HOLD_MS,
    ],
  );
  return rows.map(({ id }) => id);
}

/**
 * SQL that is true where every secret of the configuration `c` was sealed under a key whose id is in the SQL expression `ids`,
 * or `ids` is null.
 */
function opensWith(ids: string): string {
  const opens = (sealed: string) => `(${sealed} is null or split_part(${sealed}, '.', 2) = any(${ids}::text[]))`;
  return `(${ids}::text[] is null or ${opens('c.authentication_value_sealed')} and ${opens('c.signing_secret_sealed')})`;
}

/**
 * Clients that have a message to send now which a process with these keys can send (any, if undefined), in a system unit of
 * work. Asks once for each configuration, of which there are few, and not for each message, of which there may be millions.
 */
export async function clientsWithWork(uow: UnitOfWork, keyIds?: readonly string[]): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>(
    `select distinct c.client_id
       from webhook_configuration c
      where ${opensWith('$1')} and exists (
        select from outbox_message o
         where o.client_id = c.client_id and o.configuration_id = c.configuration_id
           and o.not_before <= clock_timestamp() and ${isFree('o')})`,
    [keyIds ?? null],
  );
  return rows.map(({ client_id }) => client_id);
}

/** Which messages to take. */
export type Claim = {
  readonly limit: number;
  /** Those whose causing response is known to be written, so that they need not wait. */
  readonly released: readonly string[];
  /** Only messages with this id or a later one. */
  readonly from: string;
  /** Ids of the keys that this process has: what it cannot open is left to others. Undefined: it takes all. */
  readonly keyIds?: readonly string[] | undefined;
};

/** Takes messages for this process, oldest first. Other processes skip them until the lease has passed. */
export async function claimMessages(
  uow: UnitOfWork,
  { limit, released, from, keyIds }: Claim,
): Promise<ClaimedMessage[]> {
  return uow.query<ClaimedMessage>(
    `with due as (
       select o.id, o.ctid as place
         from outbox_message o
         join webhook_configuration c on c.client_id = o.client_id and c.configuration_id = o.configuration_id
        where o.client_id = $1 and o.id >= $5 and ${opensWith('$6')}
          and (o.not_before <= clock_timestamp() or o.id = any($2::uuid[]))
          and ${isFree('o')}
        order by o.id
        limit $3
          for update of o skip locked
     ), claimed as (
       update outbox_message o
          set lease_until = ${leaseEnd('$4')}, attempts = o.attempts + 1
         from ${fewKeys('due', 'due', 'array(select id from due)')}
        where o.client_id = $1 and o.ctid = due.place
       returning o.id, o.configuration_id, o.body, o.attempts
     )
     select ${MESSAGE}, ${TARGET}
       from claimed m
       join webhook_configuration c on c.client_id = $1 and c.configuration_id = m.configuration_id
      order by m.id`,
    [uow.clientId, released, limit, LEASE_MS, from, keyIds ?? null],
  );
}

/**
 * Moves messages from the outbox to the delivery log. The attempt is logged even if another sender settled the message
 * meanwhile; only the body is then missing. May be repeated, because nobody knows of a commit whose reply was lost.
 */
export async function settleMessages(uow: UnitOfWork, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const delivered = outcomes.filter(({ attempt }) => attempt.outcome === 'DELIVERED').length;
  countActivity(uow, { webhooksDelivered: delivered, webhooksFailed: outcomes.length - delivered });
  const rows = outcomes.map(({ message, attempt }) => ({
    id: attempt.id,
    message_id: message.id,
    type: message.type,
    attempt: message.attempts,
    method: attempt.method,
    target: attempt.target,
    attempted_at: attempt.attemptedAt,
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status_code: attempt.statusCode,
    error: attempt.error,
    response_excerpt: attempt.responseExcerpt,
  }));
  const held = uow.query(holdRows('outbox_message'), [uow.clientId, rows.map((row) => row.message_id).toSorted()]);
  const settled = uow.query(
    `with logged as (
       select * from jsonb_to_recordset($2::jsonb) as l(
         id uuid, message_id uuid, type text, attempt int, method text, target text, attempted_at timestamptz,
         duration_ms int, outcome text, status_code int, error text, response_excerpt text)
     ), gone as (
       delete from outbox_message o using ${heldRows({
         ...{ source: 'logged', alias: 'l', keys: 'array(select id from logged)' },
         ...{ table: 'outbox_message', key: { id: 'l.message_id' } },
       })} where o.client_id = $1 and o.ctid = l.place returning o.id, o.body
     )
     insert into webhook_delivery (client_id, id, message_id, type, attempt, method, target, body, attempted_at,
                                   duration_ms, outcome, status_code, error, response_excerpt)
     select $1, l.id, l.message_id, l.type, l.attempt, l.method, l.target, gone.body, l.attempted_at,
            l.duration_ms, l.outcome, l.status_code, l.error, l.response_excerpt
       from logged l left join gone on gone.id = l.message_id
     on conflict (client_id, id) do nothing`,
    [uow.clientId, JSON.stringify(rows)],
  );
  await Promise.all([held, settled]);
}

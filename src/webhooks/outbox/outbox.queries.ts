import { propertiesOf } from '../../persistence/columns-of.ts';
import { limitedKeys, lockedRows, lockRowsSql, lookUpByKey } from '../../persistence/key-lookup.ts';
import { after, isDue } from '../../persistence/moments.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { isFree, leaseEnd } from '../../persistence/polling/lease.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import { countActivity } from '../../activity/activity-counts.ts';
import { decryptableWith } from '../configuration/decryptable-with.ts';
import { type Receiver, RECEIVERS, TARGET } from '../configuration/webhook-target.ts';
import { LOG_COLUMNS, LOGGED, LOGGED_VALUES, loggedAttempt, loggedValues } from '../delivery/log-rows.ts';
import { isRetried, planRetries, retriesById } from '../retries/plan-retries.ts';
import { type Retry, RETRY_FOR_MS } from '../retries/retry-schedule.ts';
import { type ClaimedMessage, LEASE_MS, type FinishedAttempt } from './claimed-message.ts';
import { outboxMessageTable } from './outbox-message.entity.ts';

const MESSAGE = propertiesOf(outboxMessageTable, ['id', 'type', 'body', 'attempts', 'traceparent'], 'm');

/** Milliseconds within which the causing call is normally answered; other processes send only afterwards. */
export const SEND_DELAY_MS = 150;

/**
 * Receivers with a due message that a process with these keys can send (all keys if undefined), in a system unit of work. The cost depends on
 * the few receivers, not on the messages, of which there may be millions.
 */
export function receiversWithWork(uow: UnitOfWork, keyIds?: readonly string[]): Promise<Receiver[]> {
  return uow.query<Receiver>(
    `select c.client_id as "clientId", c.configuration_id as "configurationId"
       from ${RECEIVERS}
      where ${decryptableWith('$1')} and exists (
        select from outbox_message o
         where o.client_id = c.client_id and o.configuration_id = c.configuration_id
           and ${isDue('o.not_before', SEND_DELAY_MS)} and ${isFree(LEASE_MS, 'o')})`,
    [keyIds ?? null],
  );
}

/** The selection of messages to claim. */
export type ClaimQuery = {
  /** The receiver. */
  readonly configurationId: string;
  readonly limit: number;
  /** Ids of messages whose causing call is answered, so that they need not wait. */
  readonly released: readonly string[];
  /** Only messages with this id or a later one. */
  readonly from: string;
  /** Ids of the keys of this process; messages under other keys are left to other processes. Undefined: all messages. */
  readonly keyIds?: readonly string[] | undefined;
};

/** Takes messages of one receiver for this process, oldest first. Other processes skip them until the lease has passed. */
export async function claimMessages(
  uow: UnitOfWork,
  { configurationId, limit, released, from, keyIds }: ClaimQuery,
): Promise<ClaimedMessage[]> {
  return uow.query<ClaimedMessage>(
    `with due as (
       select o.id, o.ctid as row_ctid
         from outbox_message o
        where o.client_id = $1 and o.configuration_id = $7 and o.id >= $5
          and exists (select from ${RECEIVERS}
                       where c.client_id = $1 and c.configuration_id = $7 and ${decryptableWith('$6')})
          and (${isDue('o.not_before', SEND_DELAY_MS)} or o.id = any($2::uuid[]))
          and ${isFree(LEASE_MS, 'o')}
        order by o.id
        limit $3
          for update of o skip locked
     ), claimed as (
       update outbox_message o
          set lease_until = ${leaseEnd('$4')}, attempts = o.attempts + 1
         from ${limitedKeys('due', 'due', 'array(select id from due)')}
        where o.client_id = $1 and o.ctid = due.row_ctid
       returning o.id, o.configuration_id, o.type, o.body, o.attempts, o.traceparent
     )
     select ${MESSAGE}, 0 as "failedRetries", ${TARGET}
       from claimed m
       join ${RECEIVERS} on c.client_id = $1 and c.configuration_id = m.configuration_id
      order by m.id`,
    [uow.clientId, released, limit, LEASE_MS, from, keyIds ?? null, configurationId],
  );
}

/**
 * Moves messages from the outbox to the delivery log. The attempt is logged even if another sender settled the message meanwhile; only the
 * body is then missing. If the webhook has retries, a failed message then waits for its retry. It may be repeated, because the outcome of a
 * commit without an answer is unknown.
 * @returns the consequence of each failed attempt of a webhook with retries, by the attempt's id
 */
export async function settleMessages(
  uow: UnitOfWork,
  outcomes: readonly FinishedAttempt[],
): Promise<Map<string, Retry>> {
  if (outcomes.length === 0) return new Map();
  // Without retries to plan, the statement is sent at once, so that the caller's next statement follows it.
  const plans = outcomes.some(isRetried) ? await planRetries(uow, outcomes) : undefined;
  const rows = outcomes.map((outcome) => loggedAttempt(outcome, plans?.get(outcome)));
  const ids = rows.map((row) => row.message_id);
  const values = [uow.clientId, ...loggedValues(rows)];
  const held = uow.query(lockRowsSql('outbox_message'), [uow.clientId, ids.toSorted()]);
  const scheduled = plans === undefined ? undefined : uow.query(SCHEDULE, values);
  const logged = uow.query<{ id: string; retry: Retry | null }>(plans === undefined ? LOG : LOG_WITH_RETRIES, values);
  const removed = uow.query(REMOVE, [uow.clientId, ids]);
  const [results] = await Promise.all([logged, held, scheduled, removed]);
  const retries = retriesById(results);
  countOutcomes(uow, outcomes, retries);
  return retries;
}

/**
 * Counts webhooks for the overview of the client, each once: as delivered, or as failed when no retry follows.
 * @param retries the consequence of each failed attempt, by the attempt's id
 */
export function countOutcomes(
  uow: UnitOfWork,
  outcomes: readonly FinishedAttempt[],
  retries: ReadonlyMap<string, Retry>,
): void {
  const delivered = outcomes.filter(({ attempt }) => attempt.outcome === 'DELIVERED').length;
  const retried = [...retries.values()].filter((retry) => retry === 'SCHEDULED').length;
  countActivity(uow, { webhooksDelivered: delivered, webhooksFailed: outcomes.length - delivered - retried });
}

/** One row for each logged attempt. The earlier statement has locked the messages; a missing one was settled by another sender. */
const SETTLED = `${CLIENT_ROW} cross join ${LOGGED}`;

const messageOf = (columns: string) =>
  lookUpByKey({ select: columns, from: 'outbox_message', key: { id: 'l.message_id' } });

const LOG = `insert into webhook_delivery (client_id, ${LOG_COLUMNS}, body)
     select client_row.client_id, ${LOGGED_VALUES}, gone.body
       from ${SETTLED} left join ${messageOf('body')} gone on true
     on conflict (client_id, id) do nothing
     returning id, retry`;

/** The time of recording stands in for the end of the first attempt, which was a moment before. */
const SCHEDULE = `insert into webhook_retry (client_id, id, configuration_id, type, body, attempts, failed_retries,
                                first_attempt_at, next_attempt_at, last_outcome, last_status_code, last_error, created_at)
     select client_row.client_id, gone.id, gone.configuration_id, gone.type, gone.body, gone.attempts, 0, f.at,
            least(${after('now()', `l.pause_ms * interval '1 ms'`)}, ${after('f.at', `${RETRY_FOR_MS} * interval '1 ms'`)}),
            l.outcome, l.status_code, l.error, gone.created_at
       from ${SETTLED}
      cross join ${messageOf('id, configuration_id, type, body, attempts, created_at')} gone
      cross join lateral (select ${after('now()', `-l.duration_ms * interval '1 ms'`)} as at) f
      where l.retry = 'SCHEDULED'
     on conflict (client_id, id) do nothing`;

const LOG_WITH_RETRIES = `insert into webhook_delivery (client_id, ${LOG_COLUMNS}, body, retry, retry_at)
     select client_row.client_id, ${LOGGED_VALUES}, gone.body,
            case when l.retry = 'SCHEDULED' and gone.id is null then 'ENDED' else l.retry end, n.next_attempt_at
       from ${SETTLED}
       left join ${messageOf('id, body')} gone on true
       left join ${lookUpByKey({
         select: 'next_attempt_at',
         from: 'webhook_retry',
         key: { id: 'gone.id' },
         and: `l.retry = 'SCHEDULED'`,
       })} n on true
     on conflict (client_id, id) do nothing
     returning id, retry`;

const REMOVE = `delete from outbox_message o using ${lockedRows({
  source: 'unnest($2::uuid[]) as l(id)',
  alias: 'l',
  table: 'outbox_message',
  key: { id: 'l.id' },
})} where o.client_id = $1 and o.ctid = l.row_ctid`;

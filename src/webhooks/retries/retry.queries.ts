import { lockedRows, lockRowsSql, lookUpByKey } from '../../persistence/key-lookup.ts';
import { isPast, isTooFarAhead } from '../../persistence/moments.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { isFree, leaseEnd } from '../../persistence/polling/lease.ts';
import { decryptableWith } from '../configuration/decryptable-with.ts';
import { type Receiver, type ReceiverKey, RECEIVERS, TARGET } from '../configuration/webhook-target.ts';
import { type ClaimedMessage, LEASE_MS } from '../outbox/claimed-message.ts';
import { LONGEST_PAUSE_MS } from './retry-schedule.ts';
import { webhookRetryTable } from './webhook-retry.entity.ts';

/** The conditions of due retries: two ranges of one index, each with its order. */
const DUE = [
  { due: isPast('r.next_attempt_at'), order: 'r.next_attempt_at' },
  { due: isTooFarAhead('r.next_attempt_at', LONGEST_PAUSE_MS), order: 'r.next_attempt_at desc' },
] as const;

/**
 * Receivers with a due retry that a process with these keys can send (all keys if undefined), in a system unit of work. The cost depends on
 * the number of receivers with retries.
 */
export function receiversWithRetries(uow: UnitOfWork, keyIds?: readonly string[]): Promise<Receiver[]> {
  return uow.query<Receiver>(
    `select c.client_id as "clientId", c.configuration_id as "configurationId"
       from ${RECEIVERS}
      where c.retries and ${decryptableWith('$1')} and (${DUE.map(
        ({ due }) => `exists (
        select from webhook_retry r
         where r.client_id = c.client_id and r.configuration_id = c.configuration_id
           and ${due} and ${isFree(LEASE_MS, 'r')})`,
      ).join(' or ')})`,
    [keyIds ?? null],
  );
}

const MESSAGE = propertiesOf(webhookRetryTable, ['id', 'type', 'body', 'attempts', 'failedRetries'], 'm');

/**
 * Claims due retries of one receiver for this process, the most overdue first. Other processes skip them until the lease ends. Two
 * statements, because Citus plans no change of rows that a limit has chosen.
 */
export async function claimRetries(
  uow: UnitOfWork,
  claim: { readonly configurationId: string; readonly limit: number; readonly keyIds?: readonly string[] | undefined },
): Promise<ClaimedMessage[]> {
  const { configurationId, limit, keyIds = null } = claim;
  const due = await uow.query<{ id: string }>(
    `with ${DUE.map(
      ({ due: isDue, order }, index) => `due_${index} as (
       select r.id
         from webhook_retry r
        where r.client_id = $1 and r.configuration_id = $2 and ${isDue} and ${isFree(LEASE_MS, 'r')}
          and exists (select from ${RECEIVERS}
                       where c.client_id = $1 and c.configuration_id = $2 and c.retries and ${decryptableWith('$4')})
        order by ${order}
        limit $3
          for update of r skip locked
     )`,
    ).join(', ')}
     ${DUE.map((_, index) => `select id from due_${index}`).join(' union all ')} limit $3`,
    [uow.clientId, configurationId, limit, keyIds],
  );
  return due.length === 0
    ? []
    : leaseRetries(
        uow,
        due.map(({ id }) => id),
      );
}

/** Leases retries to this process, which has locked them. */
export function leaseRetries(uow: UnitOfWork, ids: readonly string[]): Promise<ClaimedMessage[]> {
  return uow.query<ClaimedMessage>(
    `with claimed as (
       update webhook_retry r
          set lease_until = ${leaseEnd('$3')}, attempts = r.attempts + 1
         from ${lockedRows({
           source: 'unnest($2::uuid[]) as due(id)',
           alias: 'due',
           table: 'webhook_retry',
           key: { id: 'due.id' },
         })}
        where r.client_id = $1 and r.ctid = due.row_ctid
       returning r.id, r.configuration_id, r.type, r.body, r.attempts, r.failed_retries
     )
     select ${MESSAGE}, ${TARGET}
       from claimed m
       join ${RECEIVERS} on c.client_id = $1 and c.configuration_id = m.configuration_id
      order by m.id`,
    [uow.clientId, ids, LEASE_MS],
  );
}

/**
 * Locks the receivers of a client with retries, so that no PUT, DELETE or other process comes between the count and the new retries.
 * @returns the ids of these receivers, and the number of waiting messages of the client
 */
export async function lockRetryBacklog(
  uow: UnitOfWork,
): Promise<{ configurationIds: ReadonlySet<string>; waiting: number }> {
  const [configurations, endpoints, [count]] = await Promise.all([
    uow.query<{ id: string }>(
      'select configuration_id as id from webhook_configuration where client_id = $1 and retries order by type for no key update',
      [uow.clientId],
    ),
    uow.query<{ id: string }>(
      'select id from webhook_endpoint where client_id = $1 and retries order by id for no key update',
      [uow.clientId],
    ),
    // Sent after the lock: it sees the commits that the lock waited for.
    uow.query<{ waiting: number }>('select count(*)::int as waiting from webhook_retry where client_id = $1', [
      uow.clientId,
    ]),
  ]);
  return { configurationIds: new Set([...configurations, ...endpoints].map(({ id }) => id)), waiting: count!.waiting };
}

/**
 * Ends the waiting and running retries of a receiver. The caller has locked it, so that none is added.
 * @returns how many
 */
export async function endRetries(uow: UnitOfWork, configurationId: string): Promise<number> {
  const rows = await uow.query<{ id: string }>(
    `select r.id from ${lookUpByKey({ select: 'id', from: 'webhook_retry', key: { configuration_id: '$2' }, many: true })} r order by r.id`,
    [uow.clientId, configurationId],
  );
  return rows.length === 0
    ? 0
    : deleteRetries(
        uow,
        rows.map(({ id }) => id),
      );
}

/**
 * Ends the retries of messages. It locks them in the order in which outcomes are recorded, so that the two never deadlock.
 * @param ids the sorted ids of the messages
 * @returns the number of ended retries
 */
export async function deleteRetries(uow: UnitOfWork, ids: readonly string[]): Promise<number> {
  const held = uow.query(lockRowsSql('webhook_retry'), [uow.clientId, ids]);
  const ended = uow.query(
    `delete from webhook_retry r using ${lockedRows({
      source: 'unnest($2::uuid[]) as k(id)',
      alias: 'k',
      table: 'webhook_retry',
      key: { id: 'k.id' },
    })} where r.client_id = $1 and r.ctid = k.row_ctid returning 1`,
    [uow.clientId, ids],
  );
  const [, gone] = await Promise.all([held, ended]);
  return gone.length;
}

const NEXT = propertiesOf(webhookRetryTable, ['nextAttemptAt', 'lastOutcome', 'lastStatusCode', 'lastError'], 'r');

/** The number of waiting retries of a receiver, and the next retry. */
export type RetrySummary = {
  readonly key: ReceiverKey;
  readonly endpointId: string | null;
  readonly waiting: number;
} & Partial<RowOf<typeof NEXT>>;

/** One summary for each receiver of the client with retries, which has at most 10,000 waiting ones: first the webhooks, then the endpoints. */
export function retrySummaries(uow: UnitOfWork): Promise<RetrySummary[]> {
  return uow.query<RetrySummary>(
    `select c.key, c.endpoint_id as "endpointId", (select count(*)::int from webhook_retry w
                      where w.client_id = $1 and w.configuration_id = c.configuration_id) as waiting, ${NEXT}
       from ${RECEIVERS}
       left join lateral (select * from webhook_retry o where o.client_id = $1 and o.configuration_id = c.configuration_id
                           order by o.next_attempt_at limit 1) r on true
      where c.client_id = $1 and c.retries
      order by c.endpoint_id nulls first, c.key`,
    [uow.clientId],
  );
}

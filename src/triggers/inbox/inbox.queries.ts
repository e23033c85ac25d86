import { type OperationClaim, operationIdSql, secondUseKey } from '../../idempotency/claim.ts';
import type { ErrorCodeName } from '../../kernel/errors/error-codes.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { columnsOf } from '../../persistence/columns-of.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { lockedRows, lockRowsSql, lookUpByKey } from '../../persistence/key-lookup.ts';
import { after, ARRIVED, isDue } from '../../persistence/moments.ts';
import { CLIENT_ROWS } from '../../persistence/client-row.ts';
import { triggerInboxTable } from './trigger-inbox.entity.ts';
import type { Batch } from './batches.queries.ts';
import { LONGEST_RETRY_MS, STORED, type StoredTrigger, WAITING, type WaitingTrigger } from './waiting-trigger.ts';

/** SQL for the operation id of a row: the column holds the id, or the second-use key if another event has the id. */
export const OPERATION_ID = operationIdSql('operation_id', `'trigger/' || programmatic_code`);

/** The columns of a trigger, under the names of {@link StoredTrigger}. */
export const STORED_COLUMNS = `${STORED}, ${OPERATION_ID} as "operationId"`;

const WAITING_COLUMNS = `${STORED_COLUMNS}, ${WAITING}`;

/** A trigger in the inbox with an operation id and an event code. */
export type KnownTrigger = StoredTrigger & { readonly id: string; readonly dead: boolean };

/**
 * The triggers in the inbox by operation ids and codes: under the id, or under the second-use key if another event had
 * the id.
 *
 * With `=` and an expression, on a table that was empty when analysed, the planner chose the primary key. For each key
 * it read all waiting and all deleted rows: accepting events fell from 6,000 to 1,000 a second.
 */
export async function knownTriggers(uow: UnitOfWork, claims: readonly OperationClaim[]): Promise<KnownTrigger[]> {
  if (claims.length === 0) return [];
  const wanted = claims.flatMap(({ operationId, scope }) => [
    { key: operationId, scope },
    { key: secondUseKey(scope, operationId), scope },
  ]);
  return uow.query<KnownTrigger>(
    `select id, ${STORED_COLUMNS}, dead_at is not null as dead
       from unnest($2::text[], $3::text[]) as wanted(key, scope)
      cross join ${lookUpByKey({
        select: '*',
        from: 'trigger_inbox',
        key: { operation_id: 'wanted.key' },
        and: 'operation_id is not null',
      })} known
      where 'trigger/' || programmatic_code = wanted.scope`,
    [uow.clientId, wanted.map(({ key }) => key), wanted.map(({ scope }) => scope)],
  );
}

/** Those of the keys that a trigger in the inbox has: an operation id, of an event of any code, or a second-use key. */
export async function keysInQueue(uow: UnitOfWork, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await uow.query<{ key: string }>(
    `select held.key from unnest($2::text[]) as wanted(key) cross join ${lookUpByKey({
      select: 'operation_id as key',
      from: 'trigger_inbox',
      key: { operation_id: 'wanted.key' },
      and: 'operation_id is not null',
    })} held`,
    [uow.clientId, keys],
  );
  return new Set(rows.map(({ key }) => key));
}

/**
 * Stores triggers in one statement and returns the ids of the stored ones. A trigger whose key exists is skipped; if another transaction is
 * storing that key, PostgreSQL waits for it. The rows are sorted by key, so that two of these statements do not deadlock.
 */
export async function insertTriggers(
  uow: UnitOfWork,
  triggers: ReadonlyArray<
    StoredTrigger & { readonly id: string; readonly key: string | null; readonly acceptedAt: Date }
  >,
): Promise<Set<string>> {
  const sorted = triggers.toSorted((a, b) => compare(a.key ?? '', b.key ?? ''));
  const rows = await insertRows(
    uow,
    sorted.map(({ key, ...trigger }) => ({ ...trigger, operationId: key })),
  );
  return new Set(rows.map(({ id }) => id));
}

const insertRows = insertInto(triggerInboxTable, {
  default: ['attempts', 'notBefore', 'alone', 'errorCode', 'errorMessage', 'deadAt'],
  conflict: { key: ['operationId'], where: 'operation_id is not null', do: 'nothing' },
  returning: columnsOf(triggerInboxTable, ['id']),
});

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * Clients with a due trigger that a batch may apply, in a system unit of work. Skips from client to client in the index instead of reading
 * every waiting trigger.
 */
export async function clientsWithTriggers(uow: UnitOfWork): Promise<string[]> {
  if (await uow.isDistributed()) return clientsOnNodes(uow);
  const rows = await uow.query<{ client_id: string }>(
    `with recursive waiting as (
       (select client_id from trigger_inbox where dead_at is null order by client_id limit 1)
       union all
       select (select i.client_id from trigger_inbox i
                where i.dead_at is null and i.client_id > waiting.client_id order by i.client_id limit 1)
         from waiting where waiting.client_id is not null
     )
     select client_id from waiting
      where client_id is not null and exists (
        select from trigger_inbox i
         where i.client_id = waiting.client_id and i.dead_at is null and i.alone is null
           and ${isDue('i.not_before', LONGEST_RETRY_MS)})`,
  );
  return rows.map(({ client_id }) => client_id);
}

/**
 * The clients of {@link clientsWithTriggers} if the database is distributed: one index look-up per client, because an index cannot be
 * skipped across nodes.
 */
async function clientsOnNodes(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>(
    `select c.client_id from ${CLIENT_ROWS}
      where exists (
        select from trigger_inbox i
         where i.client_id = c.client_id and i.dead_at is null and i.alone is null
           and ${isDue('i.not_before', LONGEST_RETRY_MS)})`,
  );
  return rows.map(({ client_id }) => client_id);
}

/**
 * Takes the due triggers of a batch, in the order of acceptance, for this transaction. Other transactions skip them until it ends. Locks
 * the claim of the batch for as long, so that other processes see that the batch is being applied.
 * @returns no trigger if another process has taken the claim
 *
 * The end of the range must not be an index condition. With both ends PostgreSQL may use a bitmap scan, which reads thousands of entries of
 * deleted rows again and again: a batch cost three times as much. The limit ends the index scan even if the range has fewer rows.
 */
export async function claimTriggers(
  uow: UnitOfWork,
  { id, firstId, lastId }: Batch,
  limit: number,
): Promise<WaitingTrigger[]> {
  return uow.query<WaitingTrigger>(
    `with claim as materialized (select from trigger_batch where client_id = $1 and id = $5 for update),
     next as materialized (
       select id from trigger_inbox
        where client_id = $1 and id >= $2 and dead_at is null and alone is null
          and ${isDue('not_before', LONGEST_RETRY_MS)} and exists (select from claim)
        order by id limit $4
     )
     select taken.* from next cross join ${lookUpByKey({
       select: WAITING_COLUMNS,
       from: 'trigger_inbox',
       key: { id: 'next.id' },
       and: 'dead_at is null and alone is null',
       lock: 'for update skip locked',
     })} taken where next.id <= $3 order by next.id`,
    [uow.clientId, firstId, lastId, limit, id],
  );
}

/** Takes one trigger without a batch, for this transaction; returns no trigger if another process has it or it is gone. */
export async function claimTrigger(uow: UnitOfWork, id: string): Promise<WaitingTrigger[]> {
  return uow.query<WaitingTrigger>(
    `select ${WAITING_COLUMNS} from trigger_inbox
      where client_id = $1 and id = $2 and dead_at is null for update skip locked`,
    [uow.clientId, id],
  );
}

/** The acceptance time of the oldest event in a client's inbox, waiting or dead; undefined if the inbox is empty. */
export async function oldestAcceptance(uow: UnitOfWork): Promise<Date | undefined> {
  const [oldest] = await uow.query<{ accepted_at: Date }>(
    `select accepted_at from trigger_inbox where client_id = $1 order by client_id, id limit 1`,
    [uow.clientId],
  );
  return oldest?.accepted_at;
}

/** Removes triggers that have taken effect in this transaction. */
export async function removeTriggers(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await uow.query(
    `delete from trigger_inbox i using ${lockedRows({
      source: 'unnest($2::uuid[]) as d(id)',
      alias: 'd',
      table: 'trigger_inbox',
      key: { id: 'd.id' },
    })} where i.client_id = $1 and i.ctid = d.row_ctid`,
    [uow.clientId, ids],
  );
}

/** A trigger that could not be applied, and its next state. */
export type Failure = {
  readonly id: string;
  /** The number of failures, including this one. */
  readonly attempts: number;
  /** Milliseconds until the next attempt; undefined makes it a dead trigger. */
  readonly retryInMs: number | undefined;
  readonly code: ErrorCodeName;
  readonly message: string;
};

const FAILURES =
  'unnest($2::uuid[], $3::int[], $4::float8[], $5::text[], $6::text[]) as f(id, attempts, delay, code, message)';

/** Records failures in one statement. */
export async function recordFailures(uow: UnitOfWork, failures: readonly Failure[]): Promise<void> {
  if (failures.length === 0) return;
  const held = lockTriggers(
    uow,
    failures.map(({ id }) => id),
  );
  const recorded = uow.query(
    `update trigger_inbox i
        set attempts = f.attempts, error_code = f.code, error_message = f.message,
            not_before = ${after(ARRIVED, `f.delay * interval '1 ms'`)},
            dead_at = ${after(ARRIVED, `case when f.delay is null then interval '0' end`)},
            alone = case when i.alone is not null then 'WAITING' end
       from ${lockedRows({ source: FAILURES, alias: 'f', table: 'trigger_inbox', key: { id: 'f.id' } })}
      where i.client_id = $1 and i.ctid = f.row_ctid and i.dead_at is null`,
    [
      uow.clientId,
      failures.map(({ id }) => id),
      failures.map(({ attempts }) => attempts),
      failures.map(({ retryInMs }) => retryInMs ?? null),
      failures.map(({ code }) => code),
      failures.map(({ message }) => message),
    ],
  );
  await Promise.all([held, recorded]);
}

/** Locks triggers, waiting or dead; waits for transactions that are applying them. */
export async function lockTriggers(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await uow.query(lockRowsSql('trigger_inbox'), [uow.clientId, ids.toSorted()]);
}

/** Puts dead triggers back in the queue, with all their attempts. Returns the ids of the triggers that were dead. */
export async function requeueTriggers(uow: UnitOfWork, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const held = lockTriggers(uow, ids);
  const revived = uow.query<{ id: string }>(
    `update trigger_inbox i set dead_at = null, not_before = null, attempts = 0
       from ${lockedRows({
         source: 'unnest($2::uuid[]) as d(id)',
         alias: 'd',
         table: 'trigger_inbox',
         key: { id: 'd.id' },
       })} where i.client_id = $1 and i.ctid = d.row_ctid and i.dead_at is not null returning i.id`,
    [uow.clientId, ids],
  );
  const [, rows] = await Promise.all([held, revived]);
  return rows.map(({ id }) => id);
}

/** Removes triggers, waiting or dead, that no other transaction is applying. @returns the ids of the removed ones */
export async function takeWaiting(uow: UnitOfWork, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const held = await uow.query<{ id: string }>(
    `select t.id from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: 'id',
      from: 'trigger_inbox',
      key: { id: 'wanted.id' },
      lock: 'for update skip locked',
    })} t`,
    [uow.clientId, ids.toSorted()],
  );
  const taken = held.map(({ id }) => id);
  await removeTriggers(uow, taken);
  return new Set(taken);
}

/** Deletes a dead trigger. Returns false for an unknown id. */
export async function deleteDeadTrigger(uow: UnitOfWork, id: string): Promise<boolean> {
  const rows = await uow.query(
    `delete from trigger_inbox where client_id = $1 and id = $2 and dead_at is not null returning id`,
    [uow.clientId, id],
  );
  return rows.length > 0;
}

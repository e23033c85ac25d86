import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { limitedKeys, lookUpByKey } from '../../persistence/key-lookup.ts';
import { ARRIVED, isDue, isTooFarAhead } from '../../persistence/moments.ts';
import { triggerBatchTable } from './trigger-batch.entity.ts';
import { LONGEST_RETRY_MS } from './waiting-trigger.ts';

const BATCH = propertiesOf(triggerBatchTable, ['id', 'firstId', 'lastId']);

/** Events of one client's inbox, by the range of their ids, both ends included. */
export type Batch = RowOf<typeof BATCH>;

/** The bounds of the next batch. */
export type Search = {
  /** The id of the new claim. */
  readonly id: string;
  /** The lowest id of an event in the batch. */
  readonly from: string;
  /** The most events in the batch. */
  readonly limit: number;
};

/**
 * Due events of no other batch. The few batches are read once, and counted instead of `not exists`. PostgreSQL plans
 * `not exists` as a join that reads every waiting event; the count lets it stop after the first events of the index.
 */
const DUE = `others as materialized (
    select first_id, last_id from trigger_batch where client_id = $1 and id <> $2
  ), due as materialized (
    select i.id from trigger_inbox i
     where i.client_id = $1 and i.id >= $3 and i.dead_at is null and i.alone is null
       and ${isDue('i.not_before', LONGEST_RETRY_MS)}
       and (select count(*) from others where i.id between others.first_id and others.last_id) = 0
     order by i.id limit $4
  )`;

const FIRST = '(select id from due order by id limit 1)';
const LAST = '(select id from due order by id desc limit 1)';

/**
 * Claims the next batch. The claim has to outlive this process, but not the database's server, so its commit does not wait for the disk.
 * @returns undefined if no event is due
 */
export async function claimBatch(uow: UnitOfWork, { id, from, limit }: Search): Promise<Batch | undefined> {
  const [, due] = await Promise.all([
    uow.set({ synchronous_commit: 'off' }),
    uow.query<{ first: string; last: string }>(
      `with ${DUE} select ${FIRST} as first, ${LAST} as last where exists (select from due)`,
      [uow.clientId, id, from, limit],
    ),
  ]);
  if (due[0] === undefined) return undefined;
  const [batch] = await uow.query<Batch>(
    `insert into trigger_batch (client_id, id, first_id, last_id, marked_at) values ($1, $2, $3, $4, ${ARRIVED})
     returning ${BATCH}`,
    [uow.clientId, id, due[0].first, due[0].last],
  );
  return batch;
}

/**
 * Moves the claim of a batch that this transaction has applied to the next batch. Removes the claim if no event is due, and changes nothing
 * if another process has taken it.
 */
export async function moveClaim(uow: UnitOfWork, { id, from, limit }: Search): Promise<Batch | undefined> {
  const [next] = await uow.query<Batch>(
    `with ${DUE},
     done as (delete from trigger_batch where client_id = $1 and id = $2 and not exists (select from due))
     update trigger_batch set first_id = ${FIRST}, last_id = ${LAST}, marked_at = ${ARRIVED}
      where client_id = $1 and id = $2 and exists (select from due)
      returning ${BATCH}`,
    [uow.clientId, id, from, limit],
  );
  return next;
}

/** Removes the claim that this transaction holds. */
export async function removeClaim(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(`delete from trigger_batch where client_id = $1 and id = $2`, [uow.clientId, id]);
}

const claims = (lock?: string) =>
  `unnest($2::uuid[]) as wanted(id)
   cross join ${lookUpByKey({ select: 'id, ctid as row_ctid', from: 'trigger_batch', key: { id: 'wanted.id' }, lock })}`;

/** Removes claims that no transaction holds. Returns the ids of the others. */
export async function releaseClaims(uow: UnitOfWork, ids: readonly string[]): Promise<string[]> {
  await uow.query(
    `with free as materialized (select b.row_ctid from ${claims('for update skip locked')} b)
     delete from trigger_batch b using ${limitedKeys('free', 'f', 'array(select row_ctid from free)')}
      where b.client_id = $1 and b.ctid = f.row_ctid`,
    [uow.clientId, ids],
  );
  const left = await uow.query<{ id: string }>(`select b.id from ${claims()} b`, [uow.clientId, ids]);
  return left.map(({ id }) => id);
}

/** SQL that is true for a claim older than `graceMs`, or from a clock that has gone back since. */
export function isOld(graceMs: string): string {
  return `(marked_at < ${ARRIVED} - ${graceMs}::float8 * interval '1 ms' or ${isTooFarAhead('marked_at', 0)})`;
}

const ABANDONED = propertiesOf(triggerBatchTable, ['id', 'firstId', 'lastId', 'markedAt']);

/** A claim of a dead process, now held by this transaction. */
export type AbandonedBatch = RowOf<typeof ABANDONED>;

/**
 * Takes the client's claims that are older than `graceMs` and that no transaction holds: their processes have died.
 * @param own claims of this process, which is alive
 */
export async function claimAbandonedBatches(
  uow: UnitOfWork,
  { graceMs, own }: { readonly graceMs: number; readonly own: readonly string[] },
): Promise<AbandonedBatch[]> {
  return uow.query<AbandonedBatch>(
    `select ${ABANDONED} from trigger_batch
      where client_id = $1 and ${isOld('$2')} and id <> all($3::uuid[])
      for update skip locked`,
    [uow.clientId, graceMs, own],
  );
}

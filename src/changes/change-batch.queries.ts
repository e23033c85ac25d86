import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { limitedKeys } from '../persistence/key-lookup.ts';
import { ARRIVED } from '../persistence/moments.ts';
import type { FedChange } from './collect-changes.ts';

/** The first word of a line that is no change. Ids of batches of the journal follow, which moved missions. */
export const PROGRESS = 'PROGRESS';

/** The lines of one transaction, numbered. */
export type Batch = {
  readonly id: string;
  /** The number of its last line. */
  readonly number: number;
  readonly body: string;
  readonly createdAt: Date;
};

/**
 * Writes the changes of the transaction. It must be its last statement but for others of the same kind: the position orders transactions
 * because all locks are held by now. `values` and no `select`, because a distributed database then takes the position at one place.
 */
export async function insertBatch(
  uow: UnitOfWork,
  changes: readonly FedChange[],
  journalBatchIds: readonly string[] = [],
): Promise<void> {
  // Before the changes: an app shows a full bar, and then what it brought.
  const progress = journalBatchIds.length > 0 ? [[PROGRESS, ...journalBatchIds].join(' ')] : [];
  const lines = [...progress, ...changes.map(({ kind, json }) => `${kind} ${json}`)];
  await uow.query(
    `insert into change_batch (client_id, id, changes, body, created_at) values ($1, $2, $3::int, $4, ${ARRIVED})`,
    [uow.clientId, newId(), lines.length, lines.join('\n')],
  );
}

/** The clients that have changes without a number, in a system unit of work. */
export async function clientsToNumber(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>(
    'select distinct client_id from change_batch where number is null',
  );
  return rows.map(({ client_id }) => client_id);
}

/** A batch without a number. */
export type Unnumbered = { readonly id: string; readonly changes: number };

/** The first batches without a number, in the order of their positions. */
export function selectUnnumbered(uow: UnitOfWork, limit: number): Promise<Unnumbered[]> {
  return uow.query<Unnumbered>(
    'select id, changes from change_batch where client_id = $1 and number is null order by client_id, position limit $2',
    [uow.clientId, limit],
  );
}

/** Numbers batches of the locked feed. */
export async function numberBatches(
  uow: UnitOfWork,
  batches: ReadonlyArray<{ readonly id: string; readonly number: number }>,
): Promise<void> {
  await uow.query(
    `update change_batch b set number = s.number
       from ${limitedKeys('unnest($2::uuid[], $3::bigint[]) as s(id, number)', 's')}
      where b.client_id = $1 and b.id = s.id`,
    [uow.clientId, batches.map(({ id }) => id), batches.map(({ number }) => number)],
  );
}

/** The batches from the one that has the change `from`, in the order of their numbers. */
export async function selectBatches(uow: UnitOfWork, from: number, limit: number): Promise<Batch[]> {
  const rows = await uow.query<Omit<Batch, 'number'> & { readonly number: string }>(
    `select id, number, body, created_at as "createdAt" from change_batch
      where client_id = $1 and number >= $2::bigint order by client_id, number limit $3`,
    [uow.clientId, from, limit],
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

/** The first batches, with their age. */
export async function selectOldest(
  uow: UnitOfWork,
  olderThan: Date,
  limit: number,
): Promise<Array<{ readonly id: string; readonly number: number; readonly isOld: boolean }>> {
  const rows = await uow.query<{ id: string; number: string; is_old: boolean }>(
    `select id, number, created_at < $2::timestamptz as is_old from change_batch
      where client_id = $1 and number is not null order by client_id, number limit $3`,
    [uow.clientId, olderThan, limit],
  );
  return rows.map(({ id, number, is_old: isOld }) => ({ id, number: Number(number), isOld }));
}

/** Deletes batches of the locked feed. */
export async function deleteBatches(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  await uow.query(
    `delete from change_batch b using ${limitedKeys('unnest($2::uuid[]) as s(id)', 's')}
      where b.client_id = $1 and b.id = s.id`,
    [uow.clientId, ids],
  );
}

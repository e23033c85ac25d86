import { isDue } from '../../kernel/time/due.ts';
import { isDue as isDueSql } from '../../persistence/moments.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import { erasureTable } from './account-erasure.entity.ts';

const OPEN = propertiesOf(erasureTable, ['accountId', 'pass', 'partName', 'place', 'dueAt', 'finishedAt']);

/**
 * Milliseconds between the sweeps. Data on its way is stored within this time: an attempt at a webhook, its lease, a message that an
 * operator sent again.
 */
export const SWEEP_INTERVAL_MS = 180_000;

/** An active erasure. */
export type OpenErasure = RowOf<typeof OPEN>;

/** The progress of an erasure. */
export type ErasureProgress = Omit<OpenErasure, 'accountId'>;

/** Begins the sweeps of an account that is being erased; an earlier erasure begins again. */
export async function openErasure(uow: UnitOfWork, accountId: string, now: Date): Promise<void> {
  await uow.query(
    `insert into account_erasure (client_id, account_id, erased_at, pass, due_at) values ($1, $2, $3, 1, $3)
     on conflict (client_id, account_id) do update
        set erased_at = $3, pass = 1, part_name = null, place = null, due_at = $3, finished_at = null`,
    [uow.clientId, accountId, now],
  );
}

/** Locks one due erasure; undefined if it is not due or another process has locked it. */
export async function lockErasure(uow: UnitOfWork, accountId: string, now: Date): Promise<OpenErasure | undefined> {
  const [row] = await uow.query<OpenErasure>(
    `select ${OPEN} from account_erasure
      where client_id = $1 and account_id = $2 for update skip locked`,
    [uow.clientId, accountId],
  );
  return row !== undefined && row.finishedAt === null && isDue(row.dueAt, now, SWEEP_INTERVAL_MS) ? row : undefined;
}

/** Stores the progress of a locked erasure. */
export async function saveErasure(uow: UnitOfWork, accountId: string, progress: ErasureProgress): Promise<void> {
  const { pass, partName, place, dueAt, finishedAt } = progress;
  await uow.query(
    `update account_erasure set pass = $3, part_name = $4, place = $5, due_at = $6, finished_at = $7
      where client_id = $1 and account_id = $2`,
    [uow.clientId, accountId, pass, partName, place, dueAt, finishedAt],
  );
}

/** The accounts with a due erasure, the longest wait first; 100 at most. */
export async function dueErasures(uow: UnitOfWork, now: Date): Promise<string[]> {
  const rows = await uow.query<{ account_id: string }>(
    `select account_id from account_erasure
      where client_id = $1 and finished_at is null and ${isDueSql('due_at', SWEEP_INTERVAL_MS, '$2::timestamptz')} order by due_at limit 100`,
    [uow.clientId, now],
  );
  return rows.map(({ account_id }) => account_id);
}

/** The clients with a due erasure, in a system unit of work. */
export async function clientsWithErasures(uow: UnitOfWork, now: Date): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>(
    `select distinct client_id from account_erasure
      where finished_at is null and ${isDueSql('due_at', SWEEP_INTERVAL_MS, '$1::timestamptz')}`,
    [now],
  );
  return rows.map(({ client_id }) => client_id);
}

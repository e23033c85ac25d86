import type { Database, UnitOfWork } from '../persistence/database.ts';

/** Days of partitions in advance: housekeeping may be missing for so long without an effect. */
const AHEAD_DAYS = 7;

/**
 * Adds the partitions of coming days and drops those of expired days, for all clients. Partitions in use are left for the next run.
 * @param keepDays whole days before today that are kept
 * @returns the number of added and dropped partitions
 */
export async function maintainJournalPartitions(uow: UnitOfWork, keepDays: number): Promise<number> {
  const [row] = await uow.query<{ changed: number }>('select public.keep_journal_partitions($1, $2) as changed', [
    keepDays,
    AHEAD_DAYS,
  ]);
  return row?.changed ?? 0;
}

/** More days than the age of any database: no partition is dropped. */
const FOR_EVER_DAYS = 100_000;

/** Adds the partitions of coming days, and drops none. @returns the number of added partitions */
export function addJournalPartitions(uow: UnitOfWork): Promise<number> {
  return maintainJournalPartitions(uow, FOR_EVER_DAYS);
}

/**
 * The limit of the pending list of the index: 180,000 entries. Each search reads the whole list; an event that exceeds
 * the limit merges it into the index.
 */
const PENDING_KB = 8_192;

/**
 * Indexes the latest entries of all clients together, which costs a third of indexing them one by one.
 * @returns the number of daily indexes that had no pending list until now
 */
export async function indexJournal(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ changed: number }>('select public.tidy_journal_search($1) as changed', [PENDING_KB]);
  return row?.changed ?? 0;
}

/**
 * Clients with expired batches outside the daily partitions: no process did any housekeeping when they were written. Runs in a system unit
 * of work.
 */
export async function clientsWithStrayEntries(uow: UnitOfWork, keepDays: number): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>(
    `select distinct client_id from journal_batch_rest where recorded_at < ${BEFORE('$1')}`,
    [keepDays],
  );
  return rows.map(({ client_id }) => client_id);
}

/** The start of the first kept day, calculated as in `keep_journal_partitions`. */
const BEFORE = (days: string, now = 'now()') => `(date_trunc('day', ${now}, 'UTC') - ${days}::int * interval '1 day')`;

/** Rows removed by one statement. */
const BATCH = 5_000;

/** Removes the stray entries of one client. Returns their number. */
export async function removeStrayEntries(db: Database, clientId: string, keepDays: number, now: Date): Promise<number> {
  for (let removed = 0; ;) {
    const rows = await db.unitOfWork(clientId, (uow) =>
      uow.query<{ id: string }>(
        `delete from journal_batch_rest j
          using (select ctid as row_ctid from journal_batch_rest
                  where client_id = $1::uuid and recorded_at < ${BEFORE('$2', '$4::timestamptz')} order by client_id, recorded_at limit $3) old
          where j.client_id = $1::uuid and j.ctid = old.row_ctid returning j.id`,
        [clientId, keepDays, BATCH, now],
      ),
    );
    removed += rows.length;
    if (rows.length < BATCH) return removed;
  }
}

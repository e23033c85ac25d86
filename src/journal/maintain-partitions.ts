import type { Database, UnitOfWork } from '../persistence/database.ts';

/** Days for which there are partitions in advance: for so long housekeeping may be away without a consequence. */
const AHEAD_DAYS = 7;

/**
 * Adds the partitions of coming days and drops those of expired days, for all clients. Partitions in use are left for
 * the next run.
 * @param keepDays whole days before today that are kept
 * @returns how many were added and dropped
 */
export async function maintainJournalPartitions(uow: UnitOfWork, keepDays: number): Promise<number> {
  const [row] = await uow.query<{ changed: number }>('select public.keep_journal_partitions($1, $2) as changed', [
    keepDays,
    AHEAD_DAYS,
  ]);
  return row?.changed ?? 0;
}

/** More days than any database has been kept for: nothing is dropped. */
const FOR_EVER_DAYS = 100_000;

/** Adds the partitions of the days to come, and drops none. @returns how many were added */
export function addJournalPartitions(uow: UnitOfWork): Promise<number> {
  return maintainJournalPartitions(uow, FOR_EVER_DAYS);
}

/**
 * The limit of the pending list of the index: 180,000 entries. Each search reads the whole list; an event that exceeds
 * the limit merges it into the index.
 */
const PENDING_KB = 8_192;

/**
 * Indexes what was added lately by all clients, which costs a third of what it would one by one.
 * @returns how many days could not have anything wait until now
 */
export async function indexJournal(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ changed: number }>('select public.tidy_journal_search($1) as changed', [PENDING_KB]);
  return row?.changed ?? 0;
}

/**
 * Clients with batches that are too old and in no partition of a day: written while there was none, because no process did
 * any housekeeping. In a system unit of work.
 */
export async function clientsWithStrayEntries(uow: UnitOfWork, keepDays: number): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>(
    `select distinct client_id from journal_batch_rest where recorded_at < ${BEFORE('$1')}`,
    [keepDays],
  );
  return rows.map(({ client_id }) => client_id);
}

/** The beginning of the first day that is kept, as the function has it. */
const BEFORE = (days: string, now = 'now()') => `(date_trunc('day', ${now}, 'UTC') - ${days}::int * interval '1 day')`;

/** Rows removed by one statement. */
const BATCH = 5_000;

/** Removes those of one client. Gives how many. */
export async function removeStrayEntries(db: Database, clientId: string, keepDays: number, now: Date): Promise<number> {
  for (let removed = 0; ;) {
    const rows = await db.unitOfWork(clientId, (uow) =>
      uow.query<{ id: string }>(
        `delete from journal_batch_rest j
          using (select ctid as place from journal_batch_rest
                  where client_id = $1::uuid and recorded_at < ${BEFORE('$2', '$4::timestamptz')} order by client_id, recorded_at limit $3) old
          where j.client_id = $1::uuid and j.ctid = old.place returning j.id`,
        [clientId, keepDays, BATCH, now],
      ),
    );
    removed += rows.length;
    if (rows.length < BATCH) return removed;
  }
}

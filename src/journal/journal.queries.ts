import { crc32 } from 'node:zlib';
import { momentOfId, newId } from '../kernel/ids.ts';
import { addProgressToFeed } from '../changes/collect-changes.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { entryId } from './entry-id.ts';
import { createNameIndex, type JournalRow, storedEntry } from './journal-row.ts';

/** Entries in one row: a reader of one entry parses all of them. */
const BATCH_MAX = 200;

/**
 * The way in which events are found by operation id: by the stored operations, or by hashes in the journal's own index, which costs time
 * for every event.
 */
export type Journaling = 'byOperation' | 'byHash';

/**
 * Records the outcomes of events, in their transaction: one statement for 200 events. It reads no rows, so its statements can run together
 * with others.
 * @param journaling `byOperation` only if this transaction stores each operation under its own id
 * @param ids those of the entries, from {@link newEntryIds}, for a caller that needs them before
 * @returns the ids of the entries, in the order of `rows`
 */
export async function writeJournal(
  uow: UnitOfWork,
  rows: readonly JournalRow[],
  journaling: Journaling,
  ids: readonly string[] = newEntryIds(rows.length),
): Promise<readonly string[]> {
  const written: Promise<void>[] = [];
  for (let first = 0; first < rows.length; first += BATCH_MAX)
    written.push(insert(uow, rows.slice(first, first + BATCH_MAX), journaling, batchOf(ids[first]!)));
  await Promise.all(written);
  return ids;
}

/** The ids of entries that will be written together, in their order. */
export function newEntryIds(count: number): string[] {
  let id = '';
  return Array.from({ length: count }, (_, index) => {
    const entry = index % BATCH_MAX;
    if (entry === 0) id = newId();
    return entryId({ id }, entry);
  });
}

function batchOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

async function insert(uow: UnitOfWork, rows: readonly JournalRow[], journaling: Journaling, id: string): Promise<void> {
  if (rows.some(({ details }) => details?.missions?.length)) addProgressToFeed(uow, id);
  const hashed = journaling === 'byHash' ? rows : [];
  const names = {
    writtenAtMs: momentOfId(id).getTime(),
    codes: createNameIndex(),
    missions: createNameIndex(),
    statistics: createNameIndex(),
  };
  const entries = JSON.stringify(rows.map((row) => storedEntry(row, names)));
  await uow.query(
    `insert into journal_batch
            (client_id, recorded_at, id, account_ids, programmatic_codes, effects, operation_hashes, mission_ids, statistic_ids, entries)
     values ($1, clock_timestamp(), $2, $3::uuid[], $4::text[], $5::int2[], $6::int[], $7::uuid[], $8::uuid[], $9::json)`,
    [
      uow.clientId,
      id,
      rows.map(({ accountId }) => accountId ?? null),
      names.codes.named,
      [...new Set(rows.map(({ effect }) => effect))],
      hashed.flatMap(({ operationId }) => (operationId === undefined ? [] : [operationHash(operationId)])),
      names.missions.named,
      names.statistics.named.length === 0 ? null : names.statistics.named,
      entries,
    ],
  );
}

/** The hash by which an operation id is found; other ids may share it. It has a quarter of the id's bytes. */
export function operationHash(operationId: string): number {
  return crc32(operationId) | 0;
}

/** Rows that one step of an erasure changes. */
const ERASED_AT_ONCE = 100;

/**
 * Erases the entries of an account in up to 100 rows.
 * @returns whether more rows may exist
 */
export async function eraseJournal(uow: UnitOfWork, accountId: string): Promise<boolean> {
  const changed = await uow.query(
    `update journal_batch b
        set account_ids = array_replace(b.account_ids, $2::uuid, null),
            entries = (select json_agg(case when b.account_ids[t.ordinal] = $2 then '0'::json else t.entry end order by t.ordinal)
                         from json_array_elements(b.entries) with ordinality t(entry, ordinal))
       from (select recorded_at, id from journal_search
              where client_id = $1 and account_ids @> array[$2::uuid] limit ${ERASED_AT_ONCE}) found
      where b.client_id = $1 and b.recorded_at = found.recorded_at and b.id = found.id
      returning b.id`,
    [uow.clientId, accountId],
  );
  return changed.length === ERASED_AT_ONCE;
}

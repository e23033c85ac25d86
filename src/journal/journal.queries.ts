import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { JournalRow } from './journal-row.ts';

/** Entries in one statement: to make its parameters takes a millisecond, without a pause. */
const ROWS_MAX = 1_000;

/**
 * Records what became of events, in their transaction: one statement for a batch. It asks the database for nothing, so that it
 * can be sent with others and be waited for with them.
 */
export async function writeJournal(uow: UnitOfWork, rows: readonly JournalRow[]): Promise<void> {
  for (let first = 0; first < rows.length; first += ROWS_MAX) await insert(uow, rows.slice(first, first + ROWS_MAX));
}

function insert(uow: UnitOfWork, rows: readonly JournalRow[]): Promise<object[]> {
  return uow.query(
    `insert into journal_entry (client_id, recorded_at, id, account_id, occurred_at, effect, reason, mission_id,
                                programmatic_code, operation_id, details)
     select $1::uuid, clock_timestamp(), * from unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::int2[], $6::int2[], $7::uuid[],
                                     $8::text[], $9::text[], $10::jsonb[])`,
    [
      uow.clientId,
      rows.map(() => newId()),
      rows.map(({ accountId }) => accountId ?? null),
      rows.map(({ occurredAt }) => occurredAt),
      rows.map(({ effect }) => effect),
      rows.map(({ reason }) => reason ?? null),
      rows.map(({ missionId }) => missionId ?? null),
      rows.map(({ programmaticCode }) => programmaticCode),
      rows.map(({ operationId }) => operationId ?? null),
      rows.map(({ details }) => (details === undefined ? null : JSON.stringify(details))),
    ],
  );
}

/**
 * Removes what an account did. Its entries are found first, by the one index that names it, because what a delete itself asks
 * of a table may be planned as a walk through all entries of the client.
 */
export async function eraseJournal(uow: UnitOfWork, accountId: string): Promise<void> {
  await uow.query(
    `delete from journal_entry j
      using (select tableoid as part, ctid as place from journal_entry
              where client_id = $1::uuid and account_id between $2::uuid and $2::uuid
              order by client_id, account_id, recorded_at, id offset 0) own
      where j.client_id = $1::uuid and j.tableoid = own.part and j.ctid = own.place`,
    [uow.clientId, accountId],
  );
}

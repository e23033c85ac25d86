import { newId } from '../kernel/ids.ts';
import { propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { journalEntryTable } from './journal-entry.entity.ts';
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
     select $1::uuid, now(), * from unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::int2[], $6::int2[], $7::uuid[],
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

/** Removes what an account did. */
export async function eraseJournal(uow: UnitOfWork, accountId: string): Promise<void> {
  await uow.query(`delete from journal_entry where client_id = $1 and account_id = $2`, [uow.clientId, accountId]);
}

/** The place of an entry in the journal, which is ordered by these. */
export type JournalPlace = { readonly recordedAt: Date; readonly id: string };

/** Which entries are wanted; what is undefined does not matter. */
export type JournalQuery = {
  readonly accountId?: string | undefined;
  readonly programmaticCode?: string | undefined;
  readonly operationId?: string | undefined;
  /** The number of a `JournalEntry.Effect`. */
  readonly effect?: number | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  /** Only entries older than this one. */
  readonly after?: JournalPlace | undefined;
};

const COLUMNS = propertiesOf(journalEntryTable, [
  ...(['id', 'recordedAt', 'occurredAt', 'accountId', 'programmaticCode', 'operationId'] as const),
  ...(['effect', 'reason', 'missionId', 'details'] as const),
]);

/** An entry as it is stored. */
export type JournalEntryRow = RowOf<typeof COLUMNS>;

/**
 * The latest entries that a query wants, `limit` at most. Planned for its own values each time, like other lists: a code that
 * nearly every event has and one that hardly any has want different plans.
 */
export async function journalEntries(uow: UnitOfWork, query: JournalQuery, limit: number): Promise<JournalEntryRow[]> {
  const values: unknown[] = [uow.clientId];
  const value = (each: unknown) => `$${values.push(each)}`;
  const { accountId, programmaticCode, operationId, effect, from, until, after } = query;
  const conditions = ['client_id = $1'];
  if (accountId !== undefined) conditions.push(`account_id = ${value(accountId)}`);
  if (programmaticCode !== undefined) conditions.push(`programmatic_code = ${value(programmaticCode)}`);
  if (operationId !== undefined) conditions.push(`operation_id = ${value(operationId)}`);
  // Written out, so that the index of rare effects is known to have them all.
  if (effect !== undefined) conditions.push(`effect = ${Math.trunc(effect)}`);
  if (from !== undefined) conditions.push(`recorded_at >= ${value(from)}`);
  if (until !== undefined) conditions.push(`recorded_at < ${value(until)}`);
  if (after !== undefined) {
    const [recordedAt, id] = [value(after.recordedAt), value(after.id)];
    // The first one alone leaves out whole days.
    conditions.push(`recorded_at <= ${recordedAt}::timestamptz`, `(recorded_at, id) < (${recordedAt}, ${id}::uuid)`);
  }
  const [, rows] = await Promise.all([
    uow.query(`select set_config('plan_cache_mode', 'force_custom_plan', true)`),
    uow.query<JournalEntryRow>(
      `select ${COLUMNS} from journal_entry where ${conditions.join(' and ')}
        order by recorded_at desc, id desc limit ${value(limit)}::bigint`,
      values,
    ),
  ]);
  return rows;
}

import { propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { journalEntryTable } from './journal-entry.entity.ts';

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

/** Effects that have an index of their own: see the entity. */
const RARE_EFFECTS: readonly number[] = [4, 5];

/**
 * The latest entries that a query wants, `limit` at most. What it names first in an index leads the order as well, which is all
 * the same where that is one value, and compared as a row: so that only this index gives the order, whatever PostgreSQL thinks
 * of the table, and a page begins at its place. Planned for its own values each time, because days are left out by them.
 */
export async function journalEntries(uow: UnitOfWork, query: JournalQuery, limit: number): Promise<JournalEntryRow[]> {
  const values: unknown[] = [uow.clientId];
  const value = (each: unknown, type: string) => `$${values.push(each)}::${type}`;
  const { accountId, programmaticCode, operationId, effect, from, until, after } = query;
  const named: readonly (readonly [column: string, type: string, value: string | number | undefined])[] = [
    ['operation_id', 'text', operationId],
    ['account_id', 'uuid', accountId],
    ['effect', 'int2', effect !== undefined && RARE_EFFECTS.includes(effect) ? effect : undefined],
    ['programmatic_code', 'text', programmaticCode],
    ['effect', 'int2', effect],
  ];
  const [lead, ...others] = named.filter(([, , wanted]) => wanted !== undefined);
  // A common effect is found on the way back from the newest entry.
  const leads = lead !== undefined && (lead[0] !== 'effect' || RARE_EFFECTS.includes(effect!)) ? lead : undefined;
  const conditions = ['client_id = $1'];
  for (const [column, type, wanted] of leads === undefined && lead ? [lead] : others)
    conditions.push(`${column} = ${value(wanted, type)}`);
  if (leads?.[0] === 'effect') conditions.push(`effect in (${RARE_EFFECTS.join(', ')})`);
  // Of the partial index, which a comparison of rows does not imply.
  if (leads?.[0] === 'operation_id') conditions.push('operation_id is not null');
  // For the days that are left out, which rows do not tell.
  if (from) conditions.push(`recorded_at >= ${value(from, 'timestamptz')}`);
  if (until) conditions.push(`recorded_at < ${value(until, 'timestamptz')}`);
  if (after) conditions.push(`recorded_at <= ${value(after.recordedAt, 'timestamptz')}`);
  const row = (...columns: readonly string[]) => `(${[...(leads ? [leads[0]] : []), ...columns].join(', ')})`;
  const at = (...parts: readonly string[]) =>
    `(${[...(leads ? [value(leads[2], leads[1])] : []), ...parts].join(', ')})`;
  if (leads) {
    conditions.push(`${row('recorded_at')} >= ${at(value(from ?? '-infinity', 'timestamptz'))}`);
    conditions.push(`${row('recorded_at')} <= ${at(value(until ?? 'infinity', 'timestamptz'))}`);
  }
  if (after)
    conditions.push(
      `${row('recorded_at', 'id')} < ${at(value(after.recordedAt, 'timestamptz'), value(after.id, 'uuid'))}`,
    );
  const order = [...(leads ? [leads[0]] : []), 'recorded_at', 'id'].map((column) => `${column} desc`);
  const [, rows] = await Promise.all([
    uow.query(`select set_config('plan_cache_mode', 'force_custom_plan', true)`),
    uow.query<JournalEntryRow>(
      `select ${COLUMNS} from journal_entry where ${conditions.join(' and ')}
        order by ${order.join(', ')} limit ${value(limit, 'bigint')}`,
      values,
    ),
  ]);
  return rows;
}

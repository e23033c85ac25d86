import { firstIdAt, momentOfId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../connections/transaction.ts';

/** The requested part of a source, newest first; times are microseconds since 1970. */
export type TimelineWindow = {
  /** The start, inclusive. */
  readonly from: number;
  /** The end, exclusive. */
  readonly until: number;
  /** The last row of this source on the previous page: only later rows in the order are returned. */
  readonly last?: { readonly at: number; readonly id: string } | undefined;
};

/** One entry of an account's timeline. */
export type TimelineRow<Content> = {
  /** Microseconds since 1970. */
  readonly at: number;
  readonly id: string;
  readonly content: Content;
};

/** The timeline of an account from one module. */
export type TimelineSource<Content> = {
  /** The number of its `TimelineEntry.Kind`; one source each. */
  readonly kind: number;
  /** Its rows within a window, newest first, then by the highest id. The numbers of returned and read rows are bounded. */
  readonly page: (
    uow: UnitOfWork,
    accountId: string,
    window: TimelineWindow,
    limit: number,
  ) => Promise<TimelineRow<Content>[]>;
};

const PER_MS = 1_000;

/** The window in whole milliseconds, for columns of that precision: the start inclusive, the end exclusive. */
export function windowInMs({ from, until }: TimelineWindow): { readonly from: Date; readonly until: Date } {
  return { from: new Date(Math.ceil(from / PER_MS)), until: new Date(Math.ceil(until / PER_MS)) };
}

/** A moment of such a column in the microseconds of a timeline row. */
export function timelineMoment(moment: Date): number {
  return moment.getTime() * PER_MS;
}

/** The columns after the client in the index that leads to an account, with their types and values. */
type Lead = readonly (readonly [column: string, type: string, value: string])[];

type NewestOptions = { readonly select: string; readonly table: string; readonly lead?: Lead };

/**
 * The newest rows of an account in a table whose ids are UUIDv7, along the index of (client, account, id): an id contains the creation time
 * of its row, so no other index is needed. The columns are compared as a row and lead the order, so that only this index has the order,
 * independent of PostgreSQL's statistics.
 */
export async function newestOfAccount<Row extends { readonly id: string }>(
  uow: UnitOfWork,
  { select, table, lead }: NewestOptions,
  asked: { readonly accountId: string; readonly window: TimelineWindow; readonly limit: number },
): Promise<{ readonly at: number; readonly id: string; readonly row: Row }[]> {
  const { window, limit, accountId } = asked;
  const { from, until } = windowInMs(window);
  const leads = lead ?? [['account_id', 'uuid', accountId]];
  const columns = leads.map(([column]) => column);
  const values = leads.map(([, type], index) => `$${index + 5}::${type}`);
  const rows = await uow.query<Row>(
    `select ${select} from ${table} where client_id = $1
        and (${[...columns, 'id'].join(', ')}) >= (${[...values, '$2::uuid'].join(', ')})
        and (${[...columns, 'id'].join(', ')}) < (${[...values, '$3::uuid'].join(', ')})
      order by ${[...columns, 'id'].map((column) => `${column} desc`).join(', ')} limit $4`,
    [uow.clientId, firstIdAt(from), window.last?.id ?? firstIdAt(until), limit, ...leads.map(([, , value]) => value)],
  );
  return rows.map((row) => ({ at: timelineMoment(momentOfId(row.id)), id: row.id, row }));
}

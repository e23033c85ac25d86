import { firstIdAt, momentOfId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../connections/transaction.ts';

/** Of which time a source is asked, in microseconds since 1970; newest first. */
export type TimelineWindow = {
  /** The earliest that is wanted. */
  readonly from: number;
  /** The first that is too late. */
  readonly until: number;
  /** The last row of this source that the caller has: only those behind it are wanted. */
  readonly last?: { readonly at: number; readonly id: string } | undefined;
};

/** One thing that happened to an account. */
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
  /** Its rows within a window, newest first, of equal moments the highest id first. Bounded, in what it gives and in what it reads. */
  readonly page: (
    uow: UnitOfWork,
    accountId: string,
    window: TimelineWindow,
    limit: number,
  ) => Promise<TimelineRow<Content>[]>;
};

const PER_MS = 1_000;

/** The window in whole milliseconds, for columns that hold no more: the first that is wanted and the first that is not. */
export function windowInMs({ from, until }: TimelineWindow): { readonly from: Date; readonly until: Date } {
  return { from: new Date(Math.ceil(from / PER_MS)), until: new Date(Math.ceil(until / PER_MS)) };
}

/** A moment of such a column as a row of a timeline has it. */
export function timelineMoment(moment: Date): number {
  return moment.getTime() * PER_MS;
}

/** Whose rows, as the index that names an account begins behind the client: its columns with their types and values. */
type Lead = readonly (readonly [column: string, type: string, value: string])[];

type NewestOptions = { readonly select: string; readonly table: string; readonly lead?: Lead };

/**
 * The newest rows of an account in a table whose ids are UUIDv7, along the index of (client, account, id): an id tells the time
 * at which its row came to be, so that no other index is needed. The columns are compared as a row and lead the order, so that
 * this index alone gives it, whatever PostgreSQL thinks of the table.
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

import { createHash } from 'node:crypto';
import { badRequest } from '../../kernel/domain-error.ts';
import type { UnitOfWork } from '../database.ts';
import { type ColumnField, filterSql } from './filter-sql.ts';
import type { FilterInput } from './filter.ts';
import { type ListMemory, listMemory, type Place } from './list-memory.ts';

/** What every paginated list is asked. */
export type PageRequest = {
  /** From 1. */
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly filters?: FilterInput | undefined;
  /** Only rows that have these values, by column: SQL written by us, for lists of what belongs to one thing. */
  readonly only?: Readonly<Record<string, string>> | undefined;
  /** Only rows from this time; the list must name its `moment`. */
  readonly within?: { readonly from?: Bound | undefined; readonly until?: Bound | undefined } | undefined;
};

/** A moment, or the first id of that moment where the ids of a list sort by time. */
type Bound = Date | string;

/** One page, and where it stands among the others. */
export type Page<Row> = {
  readonly rows: Row[];
  readonly next: boolean;
  readonly previous: boolean;
  readonly page: number;
  readonly perPage: number;
  readonly totalPages: number;
  readonly totalRows: number;
};

/** A table as a paginated list shows it. Everything here is SQL written by us, never input. */
export type PagedList = {
  /** A table or view. */
  readonly from: string;
  /** What a row is made of; the order columns must be among them, by their own names. */
  readonly columns: string;
  /** Never null, and together unique within the client, so that no row is on two pages or on none. */
  readonly orderBy: readonly string[];
  /** Latest first instead of first first. */
  readonly descending?: boolean;
  /** The column that `within` is about: of moments, or of ids that sort by time. */
  readonly moment?: string;
  /** What may be filtered by, by the name that the API uses. */
  readonly fields: Readonly<Record<string, ColumnField>>;
  /** Whether rows are deleted logically, by `deleted_at`; then they are shown only on request. */
  readonly deletable?: boolean;
  /** The table of clients itself has no `client_id`; its list is read in a system unit of work. */
  readonly ofAllClients?: boolean;
};

/** The rows that a request is about: a condition and its parameters. */
type Scope = {
  readonly where: string;
  readonly values: readonly unknown[];
  readonly isFiltered: boolean;
  /** A caller's filter makes SQL of its own, which fills no connection with prepared statements. */
  readonly send: 'query' | 'queryOnce';
};

/**
 * Reads pages of a list. Keep what it returns for the life of the process: it remembers where the pages of long lists
 * begin, so that walking through a million rows costs the same for every page. See docs/decisions/0002.
 * @throws DomainError `BAD_REQUEST` without `page` or `limit`, `InvalidFilter`
 */
export function pagedList<Row extends object>(
  list: PagedList,
): (uow: UnitOfWork, request: PageRequest) => Promise<Page<Row>> {
  const memory = listMemory();
  return async (uow, { page, limit, filters, only, within }) => {
    if (page === undefined || limit === undefined)
      throw badRequest('page and limit are required. Send page=1 for the first page.');
    const scope = scopeOf(list, uow, { filters, only, within });
    const [, { rows, more }] = await Promise.all([
      uow.query(scope.isFiltered ? PLAN_FILTERED : PLAN_WHOLE),
      readRows<Row>(list, uow, scope, { page, limit }, memory),
    ]);
    const before = (page - 1) * limit;
    // A short list that ends here has told its length.
    const isLast = !more && before < LONG && (rows.length > 0 || page === 1);
    const counted = isLast ? 0 : await countRows(list, uow, scope, memory);
    // What was just read may be newer than the count.
    const totalRows = isLast ? before + rows.length : Math.max(counted, more ? before + rows.length + 1 : 0);
    return {
      rows,
      next: more,
      previous: page > 1,
      page,
      perPage: limit,
      totalPages: Math.ceil(totalRows / limit),
      totalRows,
    };
  };
}

function scopeOf(
  list: PagedList,
  uow: UnitOfWork,
  { filters, only = {}, within }: Pick<PageRequest, 'filters' | 'only' | 'within'>,
): Scope {
  const own = list.ofAllClients ? [] : [uow.clientId];
  const condition = filterSql(filters, list.fields, own.length + 1);
  const values: unknown[] = [...own, ...(condition?.values ?? [])];
  const bound = (comparison: '>=' | '<', moment: Bound | undefined) =>
    moment === undefined ? [] : [`${list.moment} ${comparison} $${values.push(moment)}`];
  const bounds = [...bound('>=', within?.from), ...bound('<', within?.until)];
  const owned = Object.entries(only).map(([column, value]) => `${column} = $${values.push(value)}`);
  const parts = [
    ...(list.ofAllClients ? [] : ['client_id = $1']),
    ...owned,
    ...(list.deletable && !filters?.includeDeleted ? ['deleted_at is null'] : []),
    ...(condition ? [condition.sql] : []),
    ...bounds,
  ];
  return {
    where: parts.length > 0 ? parts.join(' and ') : 'true',
    values,
    isFiltered: condition !== undefined || bounds.length > 0,
    send: condition === undefined ? 'query' : 'queryOnce',
  };
}

/**
 * How PostgreSQL plans for the rest of the transaction, sent ahead of the first statement without waiting. Each filter is
 * planned for its own values, because `%a%` and `%annabel%` want different plans. A condition without an index reads the
 * whole table best, which is forbidden elsewhere; without any condition, the index of the order counts faster than the
 * rows do (150 against 600 ms for a million).
 */
const PLAN = `select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_sort', 'on', true)`;
const PLAN_FILTERED = `${PLAN}, set_config('enable_seqscan', 'on', true)`;
const PLAN_WHOLE = `${PLAN}, set_config('enable_bitmapscan', 'off', true)`;

/**
 * Rows from which on a page is found by its place and not by OFFSET, and from which on a count is remembered. Below, a
 * list is read afresh each time: that costs milliseconds, and every answer is exact.
 */
const LONG = 10_000;

async function readRows<Row extends object>(
  list: PagedList,
  uow: UnitOfWork,
  scope: Scope,
  { page, limit }: { page: number; limit: number },
  memory: ListMemory,
): Promise<{ rows: Row[]; more: boolean }> {
  const before = (page - 1) * limit;
  const placeKey = (number: number) => memoryKey(scope, limit, number);
  const place =
    before < LONG ? [] : (memory.places.get(placeKey(page)) ?? (await placeBefore(list, uow, scope, before)));
  if (place === undefined) return { rows: [], more: false };
  const values = [...scope.values, ...place];
  // One row more than asked for tells whether there is a next page.
  const rows = await uow[scope.send]<Row>(
    `select ${list.columns} from ${list.from}
      where ${scope.where}${place.length > 0 ? ` and ${afterPlace(list, scope.values.length + 1)}` : ''}
      order by ${orderOf(list)} limit $${values.length + 1}::bigint offset $${values.length + 2}::bigint`,
    [...values, limit + 1, place.length > 0 ? 0 : before],
  );
  const more = rows.length > limit;
  const shown = rows.slice(0, limit);
  if (more && before + limit >= LONG) memory.places.set(placeKey(page + 1), placeOf(list, shown.at(-1)!));
  return { rows: shown, more };
}

/** The place of the row that stands right before `position`; read from the index of the order alone, where there is one. */
async function placeBefore(
  list: PagedList,
  uow: UnitOfWork,
  scope: Scope,
  position: number,
): Promise<Place | undefined> {
  const [row] = await uow[scope.send](
    `select ${list.orderBy.join(', ')} from ${list.from} where ${scope.where}
      order by ${orderOf(list)} limit 1 offset $${scope.values.length + 1}::bigint`,
    [...scope.values, position - 1],
  );
  return row && placeOf(list, row);
}

/** A digest, because a filter may be a megabyte long. The client's id is among the values. */
function memoryKey({ where, values }: Scope, ...more: readonly number[]): string {
  return createHash('sha256')
    .update(JSON.stringify([where, values, more]))
    .digest('base64');
}

function placeOf(list: PagedList, row: object): Place {
  return list.orderBy.map((column) => (row as Record<string, unknown>)[column]);
}

function afterPlace({ orderBy, descending }: PagedList, firstParameter: number): string {
  const parameters = orderBy.map((_, index) => `$${firstParameter + index}`);
  return `(${orderBy.join(', ')}) ${descending ? '<' : '>'} (${parameters.join(', ')})`;
}

function orderOf({ orderBy, descending }: PagedList): string {
  return orderBy.map((column) => (descending ? `${column} desc` : column)).join(', ');
}

async function countRows(list: PagedList, uow: UnitOfWork, scope: Scope, memory: ListMemory): Promise<number> {
  const key = memoryKey(scope);
  const remembered = memory.counts.get(key);
  if (remembered !== undefined) return remembered;
  const [row] = await uow[scope.send]<{ count: string }>(
    `select count(*) from ${list.from} where ${scope.where}`,
    scope.values,
  );
  const count = Number(row?.count);
  if (count >= LONG) memory.counts.set(key, count);
  return count;
}

import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../database.ts';
import { type ColumnField, filterSql } from './filter-sql.ts';
import type { FilterInput } from './filter.ts';
import { listMemory } from './list-memory.ts';
import { type ListOrder, type OrderableColumn, readOrder } from './list-order.ts';
import { countRows, LONG, readPage, readRowsAfter, type Scope, type ListPosition } from './list-rows.ts';
import { type SearchedColumns, searchSql } from './list-search.ts';

/** The request fields of every paginated list. */
export type PageRequest = {
  /** The number of the page, from 1. */
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly filters?: FilterInput | undefined;
  /** The name of one of the list's `orderable` fields, with ` desc` after it for descending order. */
  readonly orderBy?: string | undefined;
  /** The text to search in the list's columns; rows with this text as an id come first. */
  readonly search?: string | undefined;
  /** Further fields of this list for this client. */
  readonly more?: Partial<Pick<PagedList, 'fields' | 'orderable'>> | undefined;
  /** Only rows with these values, by column; the columns are constant SQL. */
  readonly only?: Readonly<Record<string, string>> | undefined;
  /** Only rows from this time; the list must name its `moment`. */
  readonly within?: { readonly from?: Bound | undefined; readonly until?: Bound | undefined } | undefined;
};

/** A moment, or the first id of that moment if the ids of the list sort by time. */
type Bound = Date | string;

/** One page, with its position in the list. */
export type Page<Row> = {
  readonly rows: Row[];
  readonly next: boolean;
  readonly previous: boolean;
  readonly page: number;
  readonly perPage: number;
  readonly totalPages: number;
  readonly totalRows: number;
};

/** The table of a paginated list: constant SQL, never input. */
export type PagedList = {
  /** A table or view. */
  readonly from: string;
  /** The columns of a row. */
  readonly columns: string;
  /**
   * The columns of the default order. They are never null, and together unique within the client, so that each row is on exactly one page.
   */
  readonly orderBy: readonly string[];
  /** Descending order, instead of ascending. */
  readonly descending?: boolean;
  /** The column for `within`: moments, or ids that sort by time. */
  readonly moment?: string;
  /** The filterable columns, by their names in the API. */
  readonly fields: Readonly<Record<string, ColumnField>>;
  /**
   * The sortable columns, by their names in the API. A table that grows without bound has an index for each
   * `(client_id, column, id)`; a table of administered rows is sorted when it is read. See docs/decisions/0069.
   */
  readonly orderable?: Readonly<Record<string, OrderableColumn>>;
  /** The columns of `search`; without them the list refuses a search. */
  readonly searched?: SearchedColumns;
  /** Whether rows are deleted logically, by `deleted_at`; deleted rows are shown only on request. */
  readonly deletable?: boolean;
  /** True for the table of clients, which has no `client_id`; its list is read in a system unit of work. */
  readonly ofAllClients?: boolean;
};

/**
 * Makes the reader of a list's pages. Keep it for the lifetime of the process: it caches the beginnings of pages of long lists, so that
 * every page of a million rows costs the same. See docs/decisions/0002.
 * @throws DomainError `BAD_REQUEST` without `page` or `limit`, for an order or a search that the list lacks; `InvalidFilter`
 */
export function pagedList<Row extends object>(
  list: PagedList,
): (uow: UnitOfWork, request: PageRequest) => Promise<Page<Row>> {
  const memory = listMemory();
  return async (uow, { page, limit, ...request }) => {
    if (page === undefined || limit === undefined)
      throw badRequest('page and limit are required. Send page=1 for the first page.');
    const scope = scopeOf(list, uow, request);
    const [, { rows, more }] = await Promise.all([
      uow.set(scope.isFiltered ? PLAN_FILTERED : PLAN_WHOLE),
      readPage<Row>(uow, scope, { page, limit }, memory),
    ]);
    const before = (page - 1) * limit;
    // A short list that ends here needs no count.
    const isLast = !more && before < LONG && (rows.length > 0 || page === 1);
    const counted = isLast ? 0 : await countRows(uow, scope, scope.where, memory);
    // The rows just read may be newer than the count.
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

/** The position of a reader of a whole list, for the next call. */
export type WholeListPosition = ListPosition;

/**
 * Reads a whole list in the requested order, page by page. Each page continues after the last row, not at an offset, so that each unchanged
 * row comes exactly once, even if others change.
 * @throws DomainError `BAD_REQUEST`, `InvalidFilter` as {@link pagedList}
 */
export function wholeList<Row extends object>(
  list: PagedList,
): (
  uow: UnitOfWork,
  request: Omit<PageRequest, 'page'> & { readonly limit: number; readonly after?: WholeListPosition | undefined },
) => Promise<{ readonly rows: Row[]; readonly next: WholeListPosition | undefined }> {
  return async (uow, { limit, after, ...request }) => {
    const scope = scopeOf(list, uow, request);
    const [, answer] = await Promise.all([
      uow.set(scope.isFiltered ? PLAN_FILTERED : PLAN_WHOLE),
      readRowsAfter<Row>(uow, scope, after ?? { part: 0, after: [] }, limit),
    ]);
    return answer;
  };
}

function scopeOf(
  list: PagedList,
  uow: UnitOfWork,
  { filters, more, only = {}, within, orderBy, search }: Omit<PageRequest, 'page' | 'limit'>,
): Scope {
  const own = list.ofAllClients ? [] : [uow.clientId];
  const condition = filterSql(filters, { ...list.fields, ...more?.fields }, own.length + 1);
  const values: unknown[] = [...own, ...(condition?.values ?? [])];
  const sought = search === undefined ? undefined : searchSql(search, searchedOf(list), values.length + 1);
  values.push(...(sought?.values ?? []));
  const bound = (comparison: '>=' | '<', moment: Bound | undefined) =>
    moment === undefined ? [] : [`${list.moment} ${comparison} $${values.push(moment)}`];
  const bounds = [...bound('>=', within?.from), ...bound('<', within?.until)];
  const owned = Object.entries(only).map(([column, value]) => `${column} = $${values.push(value)}`);
  const parts = [
    ...(list.ofAllClients ? [] : ['client_id = $1']),
    ...owned,
    ...(list.deletable && !filters?.includeDeleted ? ['deleted_at is null'] : []),
    ...(condition ? [condition.sql] : []),
    ...(sought ? [sought.where] : []),
    ...bounds,
  ];
  const where = parts.length > 0 ? parts.join(' and ') : 'true';
  const order = orderOf({ ...list, orderable: { ...list.orderable, ...more?.orderable } }, orderBy);
  return {
    from: list.from,
    columns: list.columns,
    where,
    values,
    parts: partsOf(where, order, sought?.first),
    descending: order.descending,
    isFiltered: condition !== undefined || sought !== undefined || bounds.length > 0,
    send: condition === undefined && search === undefined && orderBy === undefined ? 'query' : 'queryOnce',
  };
}

function searchedOf({ searched }: PagedList): SearchedColumns {
  if (searched === undefined) throw badRequest(sentence`This list has no search. Leave 'search' out.`);
  return searched;
}

function orderOf(list: PagedList, orderBy: string | undefined): ListOrder {
  if (orderBy !== undefined) return readOrder(orderBy, list.orderable ?? {});
  return { columns: list.orderBy, descending: list.descending ?? false, nullable: undefined };
}

/**
 * The parts of a list, read one after the other, each in the order of an index: rows found by a whole id, rows with a value in the order's
 * column, and rows without one.
 */
function partsOf(where: string, { columns, nullable }: ListOrder, first: string | undefined): Scope['parts'] {
  const rest = first === undefined ? where : `${where} and ${first} is not true`;
  const found = first === undefined ? [] : [{ where: `${where} and ${first}`, orderBy: ['id'] }];
  if (nullable === undefined) return [...found, { where: rest, orderBy: columns }];
  return [
    ...found,
    { where: `${rest} and ${nullable} is not null`, orderBy: columns },
    { where: `${rest} and ${nullable} is null`, orderBy: ['id'] },
  ];
}

/**
 * How PostgreSQL plans for the rest of the transaction, sent ahead of the first statement without waiting. Each filter is planned for its
 * own values, because `%a%` and `%annabel%` want different plans. A condition without an index reads the whole table best, which is
 * forbidden elsewhere; without any condition, the index of the order counts faster than the rows do (150 against 600 ms for a million), and
 * gives the page: what is sorted is only what has no such index, because a table without statistics seems so small that all of it would be
 * sorted.
 */
const PLAN = { plan_cache_mode: 'force_custom_plan' };
const PLAN_FILTERED = { ...PLAN, enable_sort: 'on', enable_seqscan: 'on' };
const PLAN_WHOLE = { ...PLAN, enable_bitmapscan: 'off' };

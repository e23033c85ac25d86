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
  /** From 1. */
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly filters?: FilterInput | undefined;
  /** The name of one of the list's `orderable` fields, and ` desc` after it for the highest first. */
  readonly orderBy?: string | undefined;
  /** Text to look for in the columns that the list names; rows that it is a whole id of come first. */
  readonly search?: string | undefined;
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
  /** The columns of a row. */
  readonly columns: string;
  /** Never null, and together unique within the client, so that no row is on two pages or on none. */
  readonly orderBy: readonly string[];
  /** Descending order, instead of ascending. */
  readonly descending?: boolean;
  /** The column that `within` is about: of moments, or of ids that sort by time. */
  readonly moment?: string;
  /** The filterable columns, by their names in the API. */
  readonly fields: Readonly<Record<string, ColumnField>>;
  /**
   * The sortable columns, by their names in the API. A table that grows without bound has an index for each
   * `(client_id, column, id)`; a table of administered rows is sorted when it is read. See docs/decisions/0069.
   */
  readonly orderable?: Readonly<Record<string, OrderableColumn>>;
  /** Where `search` looks; without it the list takes none. */
  readonly searched?: SearchedColumns;
  /** Whether rows are deleted logically, by `deleted_at`; then they are shown only on request. */
  readonly deletable?: boolean;
  /** The table of clients itself has no `client_id`; its list is read in a system unit of work. */
  readonly ofAllClients?: boolean;
};

/**
 * Reads pages of a list. Keep what it returns for the life of the process: it remembers where the pages of long lists
 * begin, so that walking through a million rows costs the same for every page. See docs/decisions/0002.
 * @throws DomainError `BAD_REQUEST` without `page` or `limit`, for an order or a search that the list does not have;
 * `InvalidFilter`
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
    // A short list that ends here has told its length.
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

/** How far a reader of a whole list has come, to be given back with the next call. */
export type WholeListPlace = ListPosition;

/**
 * Reads a whole list in the requested order, page by page. Each page continues after the last row, not at an offset, so
 * that no unchanged row is missing or comes twice if others change.
 * @throws DomainError `BAD_REQUEST`, `InvalidFilter` as {@link pagedList}
 */
export function wholeList<Row extends object>(
  list: PagedList,
): (
  uow: UnitOfWork,
  request: Omit<PageRequest, 'page'> & { readonly limit: number; readonly after?: WholeListPlace | undefined },
) => Promise<{ readonly rows: Row[]; readonly next: WholeListPlace | undefined }> {
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
  { filters, only = {}, within, orderBy, search }: Omit<PageRequest, 'page' | 'limit'>,
): Scope {
  const own = list.ofAllClients ? [] : [uow.clientId];
  const condition = filterSql(filters, list.fields, own.length + 1);
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
  const order = orderOf(list, orderBy);
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
 * A list is read part after part, each of which an index has in its order: what is found by a whole id, what has a value in
 * the column of the order, and what has none.
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
 * How PostgreSQL plans for the rest of the transaction, sent ahead of the first statement without waiting. Each filter is
 * planned for its own values, because `%a%` and `%annabel%` want different plans. A condition without an index reads the
 * whole table best, which is forbidden elsewhere; without any condition, the index of the order counts faster than the
 * rows do (150 against 600 ms for a million), and gives the page: what is sorted is only what has no such index, because a table
 * that nobody analysed seems so small that all of it would be sorted.
 */
const PLAN = { plan_cache_mode: 'force_custom_plan' };
const PLAN_FILTERED = { ...PLAN, enable_sort: 'on', enable_seqscan: 'on' };
const PLAN_WHOLE = { ...PLAN, enable_bitmapscan: 'off' };

import { createHash } from 'node:crypto';
import type { UnitOfWork } from '../database.ts';
import type { ListMemory, OrderValues } from './list-memory.ts';

/** The rows of a request. Except for the values it is constant SQL, never input. */
export type Scope = {
  readonly from: string;
  readonly columns: string;
  readonly where: string;
  readonly values: readonly unknown[];
  /** The parts follow each other, and together they are `where`. Their order columns are never null. */
  readonly parts: readonly Part[];
  readonly descending: boolean;
  readonly isFiltered: boolean;
  /** Filters of callers produce varying SQL, which is sent unprepared to save the connections' memory. */
  readonly send: 'query' | 'queryOnce';
};

type Part = { readonly where: string; readonly orderBy: readonly string[] };

/** The part of a list and the row in it after which to continue; a position without values is the beginning of the part. */
export type ListPosition = { readonly part: number; readonly after: OrderValues };

/**
 * The number of rows from which pages are found by their position and not by OFFSET, and counts are cached. A shorter list is read again each
 * time, which costs milliseconds and is exact.
 */
export const LONG = 10_000;

/** The rows of a page, and whether others follow. */
export async function readPage<Row extends object>(
  uow: UnitOfWork,
  scope: Scope,
  { page, limit }: { readonly page: number; readonly limit: number },
  memory: ListMemory,
): Promise<{ rows: Row[]; more: boolean }> {
  const before = (page - 1) * limit;
  const keyOf = (number: number) => memoryKey(scope, limit, number);
  const position =
    before < LONG ? START : (memory.positions.get(keyOf(page)) ?? (await positionBefore(uow, scope, before, memory)));
  if (position === undefined) return { rows: [], more: false };
  // One row more than requested shows whether a next page exists.
  const read = await readFrom<Row>(uow, scope, position, {
    offset: before < LONG ? before : 0,
    limit: limit + 1,
    memory,
  });
  const more = read.length > limit;
  const shown = read.slice(0, limit);
  if (more && before + limit >= LONG) memory.positions.set(keyOf(page + 1), shown.at(-1)!.position);
  return { rows: shown.map(({ row }) => row), more };
}

/** The next `limit` rows after a position, and the position after them; undefined at the end. */
export async function readRowsAfter<Row extends object>(
  uow: UnitOfWork,
  scope: Scope,
  position: ListPosition,
  limit: number,
): Promise<{ rows: Row[]; next: ListPosition | undefined }> {
  const read = await readFrom<Row>(uow, scope, position, { offset: 0, limit });
  return { rows: read.map(({ row }) => row), next: read.length < limit ? undefined : read.at(-1)?.position };
}

const START: ListPosition = { part: 0, after: [] };

type ReadRow<Row> = { readonly row: Row; readonly position: ListPosition };

/** Reads on into the next part at the end of one. */
async function readFrom<Row extends object>(
  uow: UnitOfWork,
  scope: Scope,
  position: ListPosition,
  { offset, limit, memory }: { readonly offset: number; readonly limit: number; readonly memory?: ListMemory },
): Promise<ReadRow<Row>[]> {
  const read: ReadRow<Row>[] = [];
  let skipped = offset;
  for (let part = position.part; part < scope.parts.length && read.length < limit; part += 1) {
    const after = part === position.part ? position.after : [];
    const rows = await readPart<Row>(uow, scope, part, { after, offset: skipped, limit: limit - read.length });
    read.push(...rows);
    if (rows.length > 0) skipped = 0;
    const isLast = part === scope.parts.length - 1;
    if (skipped > 0 && !isLast) skipped -= await countRows(uow, scope, scope.parts[part]!.where, memory);
  }
  return read;
}

async function readPart<Row extends object>(
  uow: UnitOfWork,
  { from, columns, values, parts, descending, send }: Scope,
  part: number,
  { after, offset, limit }: { readonly after: OrderValues; readonly offset: number; readonly limit: number },
): Promise<ReadRow<Row>[]> {
  const { where, orderBy } = parts[part]!;
  const orderColumns = orderBy.map((column, index) => `${column} as ${orderColumnName(index)}`);
  const parameters = after.map((_, index) => `$${values.length + 1 + index}`);
  const behind =
    after.length > 0 ? ` and (${orderBy.join(', ')}) ${descending ? '<' : '>'} (${parameters.join(', ')})` : '';
  const count = values.length + after.length;
  const rows = await uow[send]<Row & Record<string, unknown>>(
    `select ${[columns, ...orderColumns].filter((each) => each !== '').join(', ')} from ${from} where ${where}${behind}
      order by ${orderBy.map((column) => (descending ? `${column} desc` : column)).join(', ')}
      limit $${count + 1}::bigint offset $${count + 2}::bigint`,
    [...values, ...after, limit, offset],
  );
  return rows.map((row) => ({
    row,
    position: { part, after: orderBy.map((_, index) => taken(row, orderColumnName(index))) },
  }));
}

function orderColumnName(index: number): string {
  return `order_${index}`;
}

/** Removes a column that only the list needs from the row, and returns its value. */
function taken(row: Record<string, unknown>, name: string): unknown {
  const value = row[name];
  delete row[name];
  return value;
}

/** The position of the row number `rows`, from 1; read from the index of the order only, if one exists. */
async function positionBefore(
  uow: UnitOfWork,
  scope: Scope,
  rows: number,
  memory: ListMemory,
): Promise<ListPosition | undefined> {
  const [last] = await readFrom(uow, { ...scope, columns: '' }, START, { offset: rows - 1, limit: 1, memory });
  return last?.position;
}

/** A digest, because a filter may be a megabyte long. The client's id is among the values. */
function memoryKey({ where, parts, descending, values }: Scope, ...more: readonly number[]): string {
  return digest([where, parts, descending, values, more]);
}

function digest(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64');
}

/** The number of rows of the scope that meet a condition; a large number is cached for a moment. */
export async function countRows(
  uow: UnitOfWork,
  { from, values, send }: Scope,
  where: string,
  memory?: ListMemory,
): Promise<number> {
  const key = digest([where, values]);
  const remembered = memory?.counts.get(key);
  if (remembered !== undefined) return remembered;
  const [row] = await uow[send]<{ count: string }>(`select count(*) from ${from} where ${where}`, values);
  const count = Number(row?.count);
  if (count >= LONG) memory?.counts.set(key, count);
  return count;
}

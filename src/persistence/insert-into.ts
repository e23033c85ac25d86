import {
  BigIntType,
  BlobType,
  BooleanType,
  DateTimeType,
  IntegerType,
  JsonType,
  TextType,
  UuidType,
} from '@mikro-orm/core';
import { amountToDecimal } from '../kernel/amount.ts';
import { AmountType } from './connections/columns.ts';
import { type Columns, columnOf, type Entity, type Name, type Plain, type Table } from './columns-of.ts';
import type { UnitOfWork } from './database.ts';
import { CLIENT_ROW } from './client-row.ts';

/** The options of the statement. Its SQL is constant, never input. */
type Options<T extends Table, Default extends Name<T>, Computed extends Name<T>, Row> = {
  /** Properties without values in new rows: their columns get the default of the table, or null. */
  readonly default?: readonly Default[];
  /** SQL of properties that the statement computes, from the sent row `r`. */
  readonly computed?: Readonly<Record<Computed, string>>;
  /** Properties with the same value in all rows of a statement: sent once, from the first row. */
  readonly shared?: readonly Name<T>[];
  /** The handling of a row whose key already exists; without it the statement fails. */
  readonly conflict?: {
    /** The properties of the key beside `clientId`. */
    readonly key: readonly Name<T>[];
    /** The condition of a partial index. */
    readonly where?: string;
    /** `nothing` keeps the existing row; `update` overwrites it except for the key and the properties in `keep`. */
    readonly do: 'nothing' | 'update';
    readonly keep?: readonly Name<T>[];
  };
  /** The columns to return from the written rows. */
  readonly returning?: Columns<Row>;
};

/** A row to write. Every property is required, so that a new column does not compile until it has a value. */
export type NewRow<T extends Table, Left extends string = never> = {
  readonly [Key in Exclude<Name<T>, Left>]: Sent<Entity<T>[Key]>;
};

/**
 * Makes the statement that writes rows of the unit of work's client, from one array for each column. Only the entity declares names, order,
 * types and conversions.
 * @returns a function that writes rows with one statement (none without rows) and returns the columns of `returning`
 * @throws Error at once for a property without an array type, and for an unknown property
 */
export function insertInto<
  T extends Table,
  const Default extends Name<T> = never,
  const Computed extends Name<T> = never,
  Row extends object = never,
>(table: T, options: Options<T, Default, Computed, Row> = {}) {
  const { default: left = [], computed = {} as Record<Computed, string>, shared = [], conflict, returning } = options;
  const skipped = new Set<string>(['clientId', ...left, ...Object.keys(computed)]);
  const once = new Set<string>(shared);
  const sent = Object.keys(table.properties)
    .filter((name) => !skipped.has(name))
    .map((name) => ({ name, column: columnOf(table, name), isShared: once.has(name), ...arrayOf(table, name) }));
  const numbered = sent.map((each, index) => ({ ...each, parameter: `$${index + 2}::${each.type}` }));
  const listed = numbered.filter(({ isShared }) => !isShared);
  const written = [
    ...numbered.map(({ column, isShared, parameter }) => ({ column, sql: isShared ? parameter : `r.${column}` })),
    ...Object.entries<string>(computed).map(([name, sql]) => ({ column: columnOf(table, name), sql })),
  ];
  const columns = written.map(({ column }) => column);
  const sql = [
    `insert into ${table.meta.tableName} (client_id, ${columns.join(', ')})`,
    `select client_row.client_id, ${written.map((each) => each.sql).join(', ')}`,
    `from ${CLIENT_ROW} cross join unnest(${listed.map(({ parameter }) => `${parameter}[]`).join(', ')})`,
    `as r(${listed.map(({ column }) => column).join(', ')})`,
    conflict === undefined ? '' : conflictOf(table, conflict, columns),
    returning === undefined ? '' : `returning ${returning}`,
  ].join(' ');

  return async (uow: UnitOfWork, rows: readonly NewRow<T, 'clientId' | Default | Computed>[]): Promise<Row[]> => {
    if (rows.length === 0) return [];
    const values = sent.map(({ name, isShared, toSql }) => {
      const column = columnValues(isShared ? rows.slice(0, 1) : rows, name, toSql);
      return isShared ? column[0] : column;
    });
    return uow.query<Row>(sql, [uow.clientId, ...values]);
  };
}

/** The values of a property, converted for the driver. */
function columnValues(rows: readonly object[], name: string, toSql: ArrayOf['toSql']): unknown[] {
  return (rows as readonly Readonly<Record<string, unknown>>[]).map((row) => {
    const value = row[name] ?? null;
    return toSql === undefined || value === null ? value : toSql(value);
  });
}

function conflictOf<T extends Table>(
  table: T,
  { key, where, do: action, keep = [] }: NonNullable<Options<T, never, never, never>['conflict']>,
  written: readonly string[],
): string {
  const columns = key.map((name) => columnOf(table, name));
  const on = `on conflict (client_id, ${columns.join(', ')})${where === undefined ? '' : ` where ${where}`} do`;
  if (action === 'nothing') return `${on} nothing`;
  const kept = new Set([...columns, ...keep.map((name) => columnOf(table, name))]);
  const changed = written.filter((column) => !kept.has(column));
  return `${on} update set ${changed.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

/** An array of a column's values. */
type ArrayOf = {
  /** PostgreSQL's name of the type of an element. */
  readonly type: string;
  /** Converts a value that is not null for the driver; undefined if the driver takes the value itself. */
  readonly toSql: ((value: unknown) => unknown) | undefined;
};

/** The arrays by the type in the entity. */
const ARRAYS: ReadonlyMap<unknown, ArrayOf> = new Map<unknown, ArrayOf>([
  [UuidType, asItIs('uuid')],
  [TextType, asItIs('text')],
  [IntegerType, asItIs('int')],
  [BigIntType, asItIs('bigint')],
  [BooleanType, asItIs('bool')],
  [DateTimeType, asItIs('timestamptz')],
  [BlobType, { type: 'bytea', toSql: (value) => asBuffer(value as Uint8Array) }],
  [JsonType, { type: 'jsonb', toSql: (value) => JSON.stringify(value) }],
  [AmountType, { type: 'numeric', toSql: (value) => amountToDecimal(value as bigint) }],
]);

/** The same bytes, without a copy. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function asItIs(type: string): ArrayOf {
  return { type, toSql: undefined };
}

function arrayOf(table: Table, name: string): ArrayOf {
  const { type, enum: isWord } =
    (table.meta.properties as Record<string, { type?: object; enum?: boolean }>)[name] ?? {};
  if (isWord) return asItIs('text');
  const found = ARRAYS.get(type) ?? ARRAYS.get(type?.constructor);
  if (found === undefined)
    throw new Error(`${table.meta.className}.${name} has a type that cannot be sent as an array.`);
  return found;
}

/** The type of a property in a row to write; a nullable one may also be undefined. */
type Sent<Property> = (null extends Property ? null | undefined : never) | Stated<NonNullable<Property>>;

/** Moments finer than a millisecond are ISO 8601 texts. */
type Stated<Property> = Property extends Date
  ? Date | string
  : Property extends number
    ? number
    : Property extends string | boolean
      ? Plain<Property>
      : Property;

import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import { type AccountPart, type Erasure, type Merging, PART_PAGE, type PartPage, SWEEP_SLICE } from './account-part.ts';

/** The used part of the result of `defineEntity`. */
type Table = { readonly meta: { readonly tableName?: string | undefined }; readonly properties: object };

type RowsOptions = {
  readonly name: string;
  readonly table: Table;
  readonly erasure: Erasure;
  readonly merging: Merging;
  /** The properties after client and account in the index, which order and identify the rows. */
  readonly order: readonly string[];
  /** Properties that do not concern the account. */
  readonly without?: readonly string[];
  /** The column that names the account; `account_id` by default. */
  readonly column?: string;
  /** SQL that chooses among the account's rows. */
  readonly only?: string;
};

const naming = new UnderscoreNamingStrategy();

/** A part whose rows an index finds by the account: all properties of its table except the ids of client and account. */
export function rowsOfAccount({ table, order, without = [], only, ...part }: RowsOptions): AccountPart {
  const name = tableNameOf(table);
  const account = part.column ?? 'account_id';
  const names = shownProperties(table, ['accountId', ...without]);
  const key = order.map((property) => naming.propertyToColumnName(property));
  const behind = key.length === 0 ? '' : `(${key.join(', ')}) > (${key.map((_, index) => `$${index + 4}`).join(', ')})`;
  function sql(after: boolean): string {
    return `select ${selected(names, 't')}, json_build_array(${key.map((column) => `t.${column}::text`).join(', ')})::text as "partPosition"
       from ${name} t where client_id = $1 and ${account} = $2 ${only ? `and ${only}` : ''} ${after ? `and ${behind}` : ''}
      ${key.length === 0 ? '' : `order by ${key.join(', ')}`} limit $3`;
  }
  return {
    name: part.name,
    table: name,
    erasure: part.erasure,
    merging: part.merging,
    async page(uow, { accountId }, after): Promise<PartPage> {
      const position = after === undefined ? [] : (JSON.parse(after) as string[]);
      const rows = await uow.query<Record<string, unknown>>(sql(after !== undefined), [
        uow.clientId,
        accountId,
        PART_PAGE,
        ...position,
      ]);
      const next = key.length > 0 && rows.length === PART_PAGE ? (rows.at(-1)!['partPosition'] as string) : undefined;
      return { rows: rows.map(jsonOf), next };
    },
  };
}

type FoundOptions = Omit<RowsOptions, 'order' | 'column' | 'only'> & {
  /** SQL that is true if row `t` concerns the account: `$3` is its id, and `$4` its external id or null, both text. */
  readonly isAbout: string;
};

/** A part whose rows no index finds by the account: it reads a bounded number of rows at a time along the primary key. */
export function rowsAbout({ table, isAbout, without = [], ...part }: FoundOptions): AccountPart {
  const name = tableNameOf(table);
  const names = shownProperties(table, without);
  return {
    name: part.name,
    table: name,
    erasure: part.erasure,
    merging: part.merging,
    async page(uow, { accountId, externalId }, after): Promise<PartPage> {
      const rows = await uow.query<Record<string, unknown>>(
        `with looked as materialized (${scannedRowsSql(name, after)})
         select ${selected(names, 't')}, t.id::text as "partPosition" from looked t where ${isAbout}
         union all
         select ${names.map(() => 'null').join(', ')}, max(id::text collate "C") from looked
         having count(*) = ${SWEEP_SLICE} and ($3::text is not null or $4::text is null)`,
        [uow.clientId, after ?? null, accountId, externalId ?? null],
      );
      const last = rows.at(-1);
      const isMark = last !== undefined && names.every((each) => last[each] === null);
      return {
        rows: (isMark ? rows.slice(0, -1) : rows).map(jsonOf),
        next: isMark ? (last['partPosition'] as string) : undefined,
      };
    },
  };
}

/** SQL for the next rows of client `$1` after `$2`; {@link amongScannedSql} finds each row by its `row_ctid`. */
export function scannedRowsSql(table: string, after: string | undefined): string {
  const behind = after === undefined ? '$2::text is null' : 'id > $2';
  return `select ctid as row_ctid, * from ${table} where client_id = $1 and ${behind} order by id limit ${SWEEP_SLICE}`;
}

/** SQL for a condition on rows of {@link scannedRowsSql}: by their ctids, because a join may read the whole table for each. */
export function amongScannedSql(isAbout: string): string {
  return `ctid = any(array(select t.row_ctid from looked t where ${isAbout}))`;
}

/** SQL for the position that a sweep of {@link scannedRowsSql} rows has reached; null at the end. */
export const LAST_POSITION = `select case when count(*) = ${SWEEP_SLICE} then max(id::text collate "C") end as last from looked`;

function tableNameOf({ meta }: Table): string {
  return meta.tableName!;
}

function shownProperties(table: Table, without: readonly string[]): string[] {
  return Object.keys(table.properties).filter((property) => property !== 'clientId' && !without.includes(property));
}

function selected(names: readonly string[], alias: string): string {
  return names.map((name) => `${alias}.${naming.propertyToColumnName(name)} as "${name}"`).join(', ');
}

function jsonOf(row: Record<string, unknown>): JsonObject {
  const stated = Object.entries(row).filter(([name, value]) => value !== null && name !== 'partPosition');
  return Object.fromEntries(stated.map(([name, value]) => [name, jsonValueOf(value)]));
}

function jsonValueOf(value: unknown): JsonValue {
  return value instanceof Date ? value.toISOString() : (value as JsonValue);
}

import type { JsonValue } from '@bufbuild/protobuf';
import { columnOf, type Table } from '../columns-of.ts';
import type { UnitOfWork } from '../database.ts';
import { CLIENT_ROW } from '../client-row.ts';
import { lockedRows, lookUpByKey } from '../key-lookup.ts';
import type { MergedPair, Merging } from './account-part.ts';

type Joins = Extract<Merging, { kind: 'joins' }>;

/** The options of joined rows. SQL is constant, never input. */
type Options = Pick<Joins, 'changedBy'> & {
  /** SQL that chooses among the account's rows. */
  readonly only?: string;
};

/** A merging of rows with ids: they become rows of the other account, and back. */
export function movedRows(table: Table, { only, changedBy }: Options = {}): Joins {
  const name = table.meta.tableName;
  return {
    kind: 'joins',
    changedBy,
    async join(uow, { from, into }) {
      const own = { from: name, key: { account_id: '$2::uuid' }, many: true, ...(only !== undefined && { and: only }) };
      await uow.query(`select count(*) from ${lookUpByKey({ ...own, select: '1', lock: 'for no key update' })} held`, [
        uow.clientId,
        from,
      ]);
      const rows = await uow.query<{ id: string }>(
        `update ${name} t set account_id = $3::uuid
           from ${lookUpByKey({ ...own, select: 'ctid as row_ctid' })} own
          where t.client_id = $1 and t.ctid = own.row_ctid returning t.id`,
        [uow.clientId, from, into],
      );
      return rows.map(({ id }) => id);
    },
    async separate(uow, { from }, kept) {
      const ids = kept as string[];
      await uow.query(
        `select from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
          select: '1',
          from: name,
          key: { id: 'wanted.id' },
          lock: 'for no key update',
        })} held`,
        [uow.clientId, ids.toSorted()],
      );
      await moveTo(uow, name, ids, from);
    },
  };
}

async function moveTo(uow: UnitOfWork, table: string, ids: readonly string[], accountId: string): Promise<void> {
  if (ids.length === 0) return;
  await uow.query(
    `update ${table} t set account_id = $3
       from ${lockedRows({ source: 'unnest($2::uuid[]) as m(id)', alias: 'm', table, key: { id: 'm.id' } })}
      where t.client_id = $1 and t.ctid = m.row_ctid`,
    [uow.clientId, ids, accountId],
  );
}

/**
 * A merging of rows that both accounts may have under one key.
 * @param options.key the properties of the key beside client and account
 * @param options.onBoth SQL of the columns of a row that both have: `t` is the one of the account that stays, `excluded` the other
 */
export function unitedRows(
  table: Table,
  { key, onBoth, changedBy }: Pick<Joins, 'changedBy'> & { readonly key: readonly string[]; readonly onBoth: string },
): Joins {
  const name = table.meta.tableName;
  const columns = columnsBesideAccount(table);
  const keys = key.map((property) => columnOf(table, property)).join(', ');
  return {
    ...keptRows(table, { changedBy }),
    async join(uow, pair) {
      const kept = await rowsOfBoth(uow, name, pair);
      const rows = lookUpByKey({ select: columns, from: name, key: { account_id: '$2::uuid' }, many: true });
      await uow.query(
        `insert into ${name} as t (client_id, account_id, ${columns})
         select client_row.client_id, $3::uuid, ${columns} from ${CLIENT_ROW} cross join ${rows} own order by ${keys}
         on conflict (client_id, account_id, ${keys}) do update set ${onBoth}`,
        [uow.clientId, pair.from, pair.into],
      );
      await removeRows(uow, name, [pair.from]);
      return kept;
    },
  };
}

/** A merging of rows that rules combine: both accounts get back what they had. */
export function keptRows(table: Table, { changedBy }: Pick<Joins, 'changedBy'> = {}): Joins {
  const name = table.meta.tableName;
  const all = `account_id, ${columnsBesideAccount(table)}`;
  return {
    kind: 'joins',
    changedBy,
    join: (uow, pair) => rowsOfBoth(uow, name, pair),
    async separate(uow, { from, into }, kept) {
      await removeRows(uow, name, [from, into]);
      await uow.query(
        `insert into ${name} (client_id, ${all})
         select client_row.client_id, ${all} from ${CLIENT_ROW} cross join jsonb_populate_recordset(null::${name}, $2::jsonb) r`,
        [uow.clientId, JSON.stringify(kept)],
      );
    },
  };
}

async function rowsOfBoth(uow: UnitOfWork, table: string, { from, into }: MergedPair): Promise<JsonValue> {
  const rows = await uow.query<{ row: JsonValue }>(
    `select own.row from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: `to_jsonb(${table}) as row`,
      from: table,
      key: { account_id: 'wanted.id' },
      many: true,
    })} own`,
    [uow.clientId, [from, into]],
  );
  return rows.map(({ row }) => row);
}

/** Deletes all rows of accounts. */
export async function removeRows(uow: UnitOfWork, table: string, accountIds: readonly string[]): Promise<void> {
  await uow.query(
    `delete from ${table} t using (select own.row_ctid from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: 'ctid as row_ctid',
      from: table,
      key: { account_id: 'wanted.id' },
      many: true,
    })} own) own where t.client_id = $1 and t.ctid = own.row_ctid`,
    [uow.clientId, accountIds],
  );
}

/**
 * A digest of the rows of an account in a table; two of the same rows are equal. It is a sum, so that the rows need no order: to sort the
 * texts of some thousand rewards took most of the time of a merge.
 * @param only constant SQL that chooses rows
 */
export async function digestOf(uow: UnitOfWork, table: string, accountId: string, only?: string): Promise<string> {
  const [row] = await uow.query<{ digest: string }>(
    `select count(*) || ':' || coalesce(sum(own.hash), 0) as digest from ${lookUpByKey({
      select: `hashtextextended(${table}::text, 0) as hash`,
      from: table,
      key: { account_id: '$2::uuid' },
      many: true,
      and: only,
    })} own`,
    [uow.clientId, accountId],
  );
  return row!.digest;
}

function columnsBesideAccount(table: Table): string {
  return Object.keys(table.properties)
    .filter((name) => name !== 'clientId' && name !== 'accountId')
    .map((name) => columnOf(table, name))
    .join(', ');
}

/** The parts of the look-up: constant SQL, never input. */
export type KeyLookUp = {
  /** The columns to read. */
  readonly select: string;
  /** A table with a `client_id`; `$1` is the client. */
  readonly from: string;
  /** The columns after `client_id` in one index, in its order, each with the SQL of its value. */
  readonly key: Readonly<Record<string, string>>;
  /** A further condition. */
  readonly and?: string;
  /** Whether a key can have several rows, which are all read. */
  readonly many?: boolean;
  /**
   * The lock of the row, for example `for no key update`. Rows are locked in the order of the keys, so the keys must be in the order of
   * locks.
   */
  readonly lock?: string;
};

/**
 * SQL for the row under one key of the statement around it: the one form for "rows by keys".
 *
 *     select a.* from unnest($2::text[]) as wanted(key) cross join ${lookUpByKey({
 *       select: COLUMNS, from: 'account', key: { external_id: 'wanted.key' }, and: 'deleted_at is null' })} a
 *
 * PostgreSQL keeps a plan for a small table, or for clients of average size, and uses it for the largest one. So the statement must allow
 * one plan only. `key = any($2)`, or a join with `unnest`, may be planned as a walk through all rows of the client: for 128 accounts of
 * 95,000 beside 3,000 small clients that took 112 and 67 ms, this form 0.25 ms. A sub-query with LIMIT or OFFSET is run for each key. The
 * range, which is one key, and the order cost nothing with the index of the key, and a sort with any other: it decides where rows are so
 * few that all indexes seem equal. test/plans/plans.test.ts judges every statement that the service sends: docs/decisions/0046.
 */
export function lookUpByKey({ select, from, key, and, many = false, lock = '' }: KeyLookUp): string {
  const columns = Object.keys(key);
  const last = columns.at(-1)!;
  const conditions = columns.map((column) =>
    column === last ? `${column} between ${key[column]} and ${key[column]}` : `${column} = ${key[column]}`,
  );
  return `lateral (select ${select} from ${from}
     where client_id = $1::uuid and ${[...conditions, ...(and === undefined ? [] : [and])].join(' and ')}
     order by client_id, ${columns.join(', ')} ${many ? 'offset 0' : 'limit 1'} ${lock})`;
}

/**
 * SQL for keys with values by which rows are changed, or for keys of rows to be removed: `update t ... from ${limitedKeys(...)} where
 * t.client_id = $1 and t.id = s.id`. The table that is changed cannot stand in a sub-query, as in {@link lookUpByKey}, so the plan is a
 * choice. The limit drops nothing; but PostgreSQL takes a limit that it does not know for a tenth of the rows, here for one, and for one
 * key hardly anything is cheaper than its index. {@link lockedRows} leaves no choice.
 *
 * {@link lookUpByKey} also uses it for few keys. PostgreSQL estimates ten rows for a bare `unnest` of an unknown array, finds the custom
 * plan for a single key cheaper each time, and so never caches a plan. For a reward that took 0.13 ms of 0.19.
 * @param source such as `unnest($2::uuid[], $3::int[]) as s(id, stock)`
 * @param alias the name of the source in the statement
 * @param keys the first array, by which the limit is known
 */
export function limitedKeys(source: string, alias: string, keys = '$2::uuid[]'): string {
  return `(select * from ${source} limit cardinality(${keys})) ${alias}`;
}

/** The rows to change or delete: constant SQL, never input. */
export type LockedRows = {
  /** Keys and values, like in {@link limitedKeys}. */
  readonly source: string;
  readonly alias: string;
  readonly keys?: string;
  /** The table to change. */
  readonly table: string;
  /** The key of a {@link KeyLookUp}, with columns of `alias`. */
  readonly key: KeyLookUp['key'];
  readonly and?: string;
};

/**
 * The same for rows that an earlier statement of this transaction has locked, directly or by a lock of their parents: `update t ... from
 * ${lockedRows(...)} where t.client_id = $1 and t.ctid = s.row_ctid`. A row is found by {@link lookUpByKey} and changed by its ctid. Without
 * the lock, a concurrent change would move the row, and the statement would miss it.
 */
export function lockedRows({ source, alias, keys, table, key, and }: LockedRows): string {
  return `(select ${alias}.*, held.row_ctid from ${limitedKeys(source, alias, keys)}
     cross join ${lookUpByKey({ select: 'ctid as row_ctid', from: table, key, and })} held) ${alias}`;
}

/** SQL that locks the rows with the ids `$2`, before a statement that changes them with {@link lockedRows}. The caller sorts the ids. */
export function lockRowsSql(table: string): string {
  const held = lookUpByKey({ select: '1', from: table, key: { id: 'wanted.id' }, lock: 'for update' });
  return `select from unnest($2::uuid[]) as wanted(id) cross join ${held} held`;
}

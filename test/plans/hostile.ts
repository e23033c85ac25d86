import type pg from 'pg';
import { newId } from '../../src/kernel/ids.ts';
import type { Index } from './judge.ts';

/** The rows of the one large client in each table, those of each small client, and the number of small clients. */
const LARGE = 9_500;
const SMALL = 10;
const SMALL_CLIENTS = 300;

/**
 * Prepares a database for the rows: drops foreign keys and checks, and disables autovacuum's analysis.
 * @param owner a connection as the owner of the tables, to a database without other users
 */
export async function openToRows(owner: pg.Client): Promise<void> {
  const large = newId();
  const small = Array.from({ length: SMALL_CLIENTS }, () => newId());
  await owner.query('create temp table clients as select $1::uuid as large, $2::uuid[] as small', [large, small]);
  await owner.query(DROP_CONSTRAINTS);
}

/**
 * Adds rows of one large client and of many small ones to every table of clients, with the values that the planner reads. The number of
 * rows decides the height of a table's indexes, and the index of the key is the highest. So a plan may be right for a hundred rows and for
 * ten thousand, and wrong in between.
 * @param every one of this number of rows is added; 1 for all of them
 * @param before one of this number of rows exists already, a multiple of `every`
 */
export async function fillSkewed(owner: pg.Client, every: number, before = 0): Promise<void> {
  const isThere = before === 0 ? 'false' : `n % ${before} = 1`;
  const { rows } = await owner.query<Column>(COLUMNS);
  const { rows: settings } = await owner.query<{ set: string }>(UNATTENDED);
  for (const { set } of settings) await owner.query(set);
  for (const [table, columns] of Map.groupBy(rows, (row) => row.table)) {
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    await owner.query(
      `insert into "${table}" (${names}) select ${columns.map(valueOf).join(', ')}
         from clients, generate_series(1, ${LARGE + SMALL * SMALL_CLIENTS}, ${every}) n
        where not (${isThere}) on conflict do nothing`,
    );
  }
}

/** Sorts the rows of every table by client, as in a table that was loaded client by client. */
export async function sortByClient(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ sort: string }>(
    `select format('cluster %I using %I', t.relname, i.relname) as sort
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
      where x.indisprimary and t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and a.attname = 'client_id'`,
  );
  for (const { sort } of rows) await owner.query(sort);
}

type Column = {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
};

/** A partitioned table has no settings, but its partitions have; rows are added to the whole. */
const UNATTENDED = `select format('alter table %I %s no force row level security', relname,
                                  case relkind when 'r' then 'set (autovacuum_enabled = off),' end) as set
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
   and exists (select from pg_attribute where attrelid = c.oid and attname = 'client_id')`;

const COLUMNS = `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable
  from pg_class c join pg_attribute a on a.attrelid = c.oid
 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
   and a.attgenerated = '' and a.attidentity = ''
   and exists (select from pg_attribute where attrelid = c.oid and attname = 'client_id')
 order by c.relname, a.attnum`;

const DROP_CONSTRAINTS = `do $$ declare one record; begin
  for one in select conrelid::regclass as owner, conname from pg_constraint
              where connamespace = 'public'::regnamespace and contype in ('f', 'c') and conparentid = 0 order by contype desc
  loop execute format('alter table %s drop constraint %I', one.owner, one.conname); end loop;
end $$`;

/** Tables of definitions, of which a client has a few. */
const FEW =
  /^(mission|campaign|product|reward|audience|chest|agreement|item|user|session|publication|import|configuration)_id$/;

/** Values in the conditions of partial indexes. */
const STATES: Readonly<Record<string, string>> = {
  earned_reward: `case when n % 5 = 0 then 'PENDING_STOCK' else 'DELIVERED' end`,
  reservation: `case when n % 3 = 0 then 'ACTIVE' else 'REDEEMED' end`,
  csv_import: `'DONE'`,
  publication: `'PUBLISHED_ON_MARKETPLACE'`,
};

function valueOf({ table, name, type, nullable }: Column): string {
  if (name === 'client_id') return `case when n <= ${LARGE} then large else small[1 + n % ${SMALL_CLIENTS}] end`;
  if (name === 'status' && STATES[table]) return STATES[table];
  if (type === 'uuid') {
    const value = FEW.test(name) ? `md5('${name}' || n % 10)::uuid` : 'gen_random_uuid()';
    return nullable ? `case when n % 2 = 0 then ${value} end` : value;
  }
  if (type.startsWith('timestamp')) {
    const value = `now() - n * interval '1 second'`;
    return nullable ? `case when n % 4 = 0 then ${value} end` : value;
  }
  if (name === 'alone') return 'null';
  const value = VALUES[type];
  if (value === undefined) throw new Error(`${table}.${name} is of the type ${type}: say in VALUES what it may hold.`);
  return value;
}

const VALUES: Readonly<Record<string, string>> = {
  text: `'text ' || n`,
  integer: 'n',
  bigint: 'n',
  smallint: 'n % 100',
  numeric: 'n',
  boolean: 'n % 2 = 0',
  jsonb: `'{}'::jsonb`,
  json: `'[]'::json`,
  bytea: `decode(md5(n::text), 'hex')`,
  inet: `'127.0.0.1'::inet`,
  'text[]': 'array[n::text]',
  'smallint[]': 'array[(n % 5)::smallint]',
  'integer[]': 'array[n::int]',
  'bigint[]': 'array[n::bigint]',
  'uuid[]': 'array[gen_random_uuid()]',
};

/** The btree indexes of the schema, without those of expressions. */
export async function readIndexes(owner: pg.Client): Promise<Index[]> {
  const { rows } = await owner.query<Omit<Index, 'predicate'> & { predicate: string | null }>(
    `select i.relname as name, t.relname as table, x.indisunique as unique, pg_get_expr(x.indpred, x.indrelid) as predicate,
            array(select a.attname::text from unnest(x.indkey) with ordinality as k(number, ordinal)
                    join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number
                   where k.ordinal <= x.indnkeyatts order by k.ordinal) as columns
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       join pg_am m on m.oid = i.relam
      where t.relnamespace = 'public'::regnamespace and m.amname = 'btree' and x.indexprs is null`,
  );
  return rows.map((row) => ({ ...row, predicate: partsOf(row.predicate) }));
}

/** The conditions of a partial index, each in its brackets. */
function partsOf(predicate: string | null): string[] {
  if (predicate === null) return [];
  return predicate.startsWith('((') ? predicate.slice(1, -1).split(' AND ') : [predicate];
}

import pg from 'pg';
import { newId } from '../../src/kernel/ids.ts';

/** Accounts of a small client, and its rows in each table. */
export const ROWS_OF_SMALL = 10;

/** Tables with as many rows of a client as it has active accounts, and the columns with their own ids. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  account: ['id'],
  assignment: ['id', 'account_id'],
  campaign_completion: ['account_id'],
  earned_reward: ['id', 'account_id'],
  operation: [],
  point_balance: ['account_id'],
  point_entry: ['id', 'account_id'],
  point_lot: ['id', 'account_id'],
};

/**
 * Adds clients with ten rows of `clientId` in each table: to the planner they are clients with ten accounts. No caller uses them, so their
 * rows need not be consistent. Foreign keys, which would require missions, are restored without validation.
 * @param databaseUrl the address with the login of the tables' owner
 */
export async function addSmallClients(databaseUrl: string, clientId: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId());
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = Object.keys(TABLES);
    const keys = await client.query<{ drop: string; add: string }>(FOREIGN_KEYS, [tables]);
    for (const { drop } of keys.rows) await client.query(drop);
    const secured = [...tables, 'client'];
    for (const table of secured) await client.query(`alter table "${table}" no force row level security`);
    await client.query(
      `insert into client (id, name, time_zone) select id, 'small', 'UTC' from unnest($1::uuid[]) as small(id)`,
      [ids],
    );
    for (const [table, own] of Object.entries(TABLES)) {
      const { rows } = await client.query<{ name: string }>(
        `select attname as name from pg_attribute
          where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'client_id' order by attnum`,
        [table],
      );
      const names = rows.map(({ name }) => name);
      const values = names.map((name) => (own.includes(name) ? 'gen_random_uuid()' : `own."${name}"`));
      await client.query(
        `insert into "${table}" (client_id, ${names.map((name) => `"${name}"`).join(', ')})
         select small.id, ${values.join(', ')}
           from unnest($1::uuid[]) as small(id), (select * from "${table}" where client_id = $2 limit $3) as own`,
        [ids, clientId, ROWS_OF_SMALL],
      );
    }
    for (const table of secured) await client.query(`alter table "${table}" force row level security`);
    for (const { add } of keys.rows) await client.query(add);
  } finally {
    await client.end();
  }
}

const FOREIGN_KEYS = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
         format('alter table %s add constraint %I %s not valid', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint where contype = 'f' and conrelid::regclass::text = any($1)`;

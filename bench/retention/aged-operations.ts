import pg from 'pg';

/** Rows of one statement. */
const CHUNK = 500_000;

/** Days before today of the rows, inserted oldest first. */
const AGED = { from: 61, days: 30 };

/**
 * Stores operations of a client's events that are over a month old, each with a random UUID and an answer as long as that of an event that
 * progresses a mission. The indexes are created afterwards from all rows. Runs as the owner of the tables.
 */
export async function storeAgedOperations(databaseUrl: string, clientId: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: indexes } = await client.query<{ definition: string }>(
      `select pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid = 'operation'::regclass and not indisprimary`,
    );
    await client.query('alter table operation drop constraint operation_pkey');
    for (const { definition } of indexes) await client.query(`drop index ${/INDEX (\S+) ON/.exec(definition)![1]!}`);
    await client.query('set role laurel_system');
    for (let first = 0; first < count; first += CHUNK)
      await client.query(INSERT, [clientId, first, Math.min(count, first + CHUNK) - 1, count]);
    await client.query('reset role');
    await client.query(`set maintenance_work_mem = '1GB'`);
    await client.query('alter table operation add constraint operation_pkey primary key (client_id, id)');
    for (const { definition } of indexes) await client.query(definition);
    await client.query('vacuum analyze operation');
  } finally {
    await client.end();
  }
}

const INSERT = `insert into operation (client_id, id, scope, fingerprint, response, account_id, created_at)
  select $1, gen_random_uuid()::text, 'trigger/LOGIN', sha256(n::text::bytea), decode(repeat(md5(n::text), 12), 'hex'),
         gen_random_uuid(), now() - interval '${AGED.from} days' + n::float8 / $4 * interval '${AGED.days} days'
    from generate_series($2::int, $3::int) as n`;

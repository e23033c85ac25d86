import pg from 'pg';

/** Runs statements one by one on a separate connection, outside of a transaction. */
export async function executeSql(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

import pg from 'pg';

/** Creates a database on the server of `serverUrl`, a copy of `template` if one is named, and returns its address. */
export async function createDatabase(serverUrl: string, name: string, template = 'template0'): Promise<string> {
  await onServer(serverUrl, (client) =>
    // For few files a copy of them is faster than writing them through the log.
    client.query(
      `create database ${client.escapeIdentifier(name)} template ${client.escapeIdentifier(template)} strategy file_copy`,
    ),
  );
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Drops the database at `url`, even with sessions in it. It does not use FORCE, which fails during autovacuum: the login may not end that
 * process. A plain DROP asks autovacuum to stop, and waits for it and for the ended sessions.
 */
export async function dropDatabase(serverUrl: string, url: string): Promise<void> {
  const name = databaseName(url);
  await onServer(serverUrl, async (client) => {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [name],
    );
    await client.query(`drop database if exists ${client.escapeIdentifier(name)}`);
  });
}

/** The last part of a database address. */
export function databaseName(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Runs `use` on a connection to the maintenance database, which every server has. */
async function onServer(serverUrl: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const url = new URL(serverUrl);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

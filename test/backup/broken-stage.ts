import pg from 'pg';
import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { type OwnPostgres, startOwnPostgres } from '../faults/support/own-postgres.ts';
import { startServiceProcess } from '../faults/support/service-process.ts';
import { createDatabase, databaseName, dropDatabase } from '../support/databases.ts';
import { newTenant, restAs } from '../support/service.ts';
import { SERVING_LOGIN } from './broken-databases.ts';

/** A server of one test file with healthy databases, which the tests break one by one. */
export type BrokenStage = {
  readonly superuserUrl: string;
  /** The address, for the serving login, of a new copy of a database with a client and a webhook whose secret is sealed. */
  fresh(): Promise<string>;
  /** Runs statements as superuser in the database at `url`. */
  asSuperuser(url: string, sql: string): Promise<void>;
  /** Runs a query as the login in `url`. */
  ask(url: string, sql: string): Promise<object[]>;
  drop(url: string): Promise<void>;
  remove(): Promise<void>;
};

/** Roles belong to the server, so these tests have a separate one. */
export async function brokenStage(name: string): Promise<BrokenStage> {
  const server: OwnPostgres = await startOwnPostgres(name, { fsync: 'off' });
  const password = new URL(server.url).password;
  await execute(
    server.superuserUrl,
    `create role ${SERVING_LOGIN} login password '${password}';
     grant laurel_app, laurel_system to ${SERVING_LOGIN} with inherit false;`,
  );
  await execute(superuserOf(server, server.url), `grant select on migration to ${SERVING_LOGIN}`);
  await createTenantWithWebhook(server.url);
  let copies = 0;
  return {
    superuserUrl: server.superuserUrl,
    async fresh() {
      copies += 1;
      const url = new URL(await createDatabase(server.url, `broken_${copies}`, databaseName(server.url)));
      url.username = SERVING_LOGIN;
      return url.href;
    },
    async asSuperuser(url, sql) {
      if (sql !== '') await execute(superuserOf(server, url), sql);
    },
    ask: (url, sql) => execute(url, sql),
    drop: (url) => dropDatabase(server.superuserUrl, url),
    remove: () => server.remove(),
  };
}

function superuserOf(server: OwnPostgres, databaseUrl: string): string {
  const url = new URL(server.superuserUrl);
  url.pathname = `/${databaseName(databaseUrl)}`;
  return url.href;
}

/** A client with a webhook, configured by its administrator, so that its secret is sealed under the tests' key. */
async function createTenantWithWebhook(url: string): Promise<void> {
  const db = await openDatabase({ url, entities, poolMax: 2 });
  const tenant = await newTenant(db);
  await db.close();
  const service = await startServiceProcess(url);
  const webhook = { endpoint: 'http://127.0.0.1:9/hook', signed: true };
  const answer = await restAs(service.baseUrl, tenant)('PUT', '/webhooks/rewards', webhook);
  if (answer.status !== 200) throw new Error(`PUT /webhooks/rewards: ${answer.status} ${JSON.stringify(answer.body)}`);
  await service.end('SIGTERM');
}

async function execute(url: string, sql: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { accountIdSql } from '../growth/accounts.ts';
import { executeSql } from '../support/execute-sql.ts';
import { migratedDatabase } from '../support/migrated-database.ts';
import { type RestCall, restCalls } from '../support/rest-calls.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { createTenant } from '../support/tenant.ts';
import type { Workbench } from '../support/workbench.ts';

/** The service on a database with one client, whose accounts have the attribute `tier`. */
export type World = {
  readonly baseUrl: string;
  readonly port: number;
  readonly db: Database;
  readonly databaseUrl: string;
  readonly clientId: string;
  readonly apiKey: string;
  readonly admin: RestCall;
};

/** The condition of RULE audiences. */
export const RULE = 'account.tier == "GOLD"';

/** Milliseconds: one statement inserts a million accounts. */
const STATEMENT_TIMEOUT = 300_000;

/** Starts the service on a new database of the workbench, without accounts. @param env settings beside the usual ones */
export async function createWorld(
  workbench: Workbench,
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<World> {
  const databaseUrl = await migratedDatabase(workbench.databaseUrl, name);
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 2, statementTimeoutMs: STATEMENT_TIMEOUT });
  workbench.cleanUps.push(() => db.close());
  const { clientId, apiKey, adminToken } = await createTenant(db);
  const { baseUrl, port } = await startServiceProcess(workbench, { name, databaseUrl, env });
  const admin = restCalls(baseUrl, adminToken);
  await admin('PUT', '/admin/account-attributes', { version: 1, attributes: [{ name: 'tier', type: 'STRING' }] });
  return { baseUrl, port, db, databaseUrl, clientId, apiKey, admin };
}

/** Creates accounts. One in `goldenIn` has the tier GOLD, the others SILVER. */
export async function createAccounts(world: World, count: number, goldenIn: number): Promise<void> {
  await world.db.systemUnitOfWork((uow) =>
    uow.query(
      `insert into account (client_id, id, attributes)
       select $1::uuid, ${accountIdSql('number')},
              case when number % $3::int = 0 then '{"tier":"GOLD"}'::jsonb else '{"tier":"SILVER"}'::jsonb end
         from generate_series(0, $2::int - 1) as number`,
      [world.clientId, count, goldenIn],
    ),
  );
  await executeSql(world.databaseUrl, ['vacuum analyze account']);
}

import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { migratedDatabase } from '../support/migrated-database.ts';
import { type RestCall, restCalls } from '../support/rest-calls.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { createTenant } from '../support/tenant.ts';
import type { Workbench } from '../support/workbench.ts';
import { populateAccounts } from './population.ts';

/** The service on a database of accounts with points. */
export type Shop = {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly clientId: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly port: number;
  /** Calls of a client's administrator, and of an integrator. */
  readonly admin: RestCall;
  readonly call: RestCall;
};

/** Milliseconds: one statement inserts 100,000 rows, another one verifies millions. */
const STATEMENT_TIMEOUT = 300_000;

/** Creates the database and its accounts, and starts the service on it. */
export async function createShop(workbench: Workbench): Promise<Shop> {
  const databaseUrl = await migratedDatabase(workbench.databaseUrl, 'shop');
  const options = { url: databaseUrl, entities, poolMax: 4, statementTimeoutMs: STATEMENT_TIMEOUT };
  const db = await openDatabase(options);
  workbench.cleanUps.push(() => db.close());
  const { clientId, apiKey, adminToken } = await createTenant(db);
  await populateAccounts(db, clientId);
  const { baseUrl, port } = await startServiceProcess(workbench, { name: 'shop', databaseUrl });
  const [admin, call] = [restCalls(baseUrl, adminToken), restCalls(baseUrl, apiKey)];
  return { databaseUrl, db, clientId, apiKey, baseUrl, port, admin, call };
}

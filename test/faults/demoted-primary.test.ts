import { afterAll, beforeAll, expect, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, seed } from './bounds.ts';
import { expectCounted, expectReplayed, newCountedGame } from './support/counted-game.ts';
import { startEventLoad } from './support/event-load.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let postgres: OwnPostgres;
let db: Database;
let tenant: Tenant;
let service: ServiceProcess;
let rest: Rest;

beforeAll(async () => {
  postgres = await startOwnPostgres('demoted');
  db = await openDatabase({ url: postgres.url, entities, poolMax: 4 });
  tenant = await newTenant(db);
  service = await startServiceProcess(postgres.url);
  rest = restAs(service.baseUrl, tenant);
});
afterAll(async () => {
  await service.end('SIGKILL');
  await db.close();
  await postgres.remove();
});

const login = () => new URL(postgres.url).username;
const ready = async () => (await fetch(`${service.baseUrl}/readyz`)).status;

/** Makes existing sessions read-only, while new sessions can write, as after a fail-over that moved the address. */
const demote = () =>
  postgres.administer(
    `alter role ${login()} set default_transaction_read_only = off`,
    'alter system set default_transaction_read_only = on',
    'select pg_reload_conf()',
  );

test(
  'connections to a primary that was demoted and stays up are replaced: events go on, each counted once',
  LIMITS,
  async () => {
    const game = await newCountedGame(rest, tenant);
    const load = startEventLoad({ baseUrl: () => service.baseUrl, apiKey: tenant.apiKey, seed });
    await load.progress(100);
    await demote();
    const begun = performance.now();
    await load.progress(200);
    const took = (performance.now() - begun) / 1_000;
    console.log(`200 events more ${took.toFixed(1)} s after the demotion, ${load.repeated} answers were repeated`);
    expect(took).toBeLessThan(10);
    const repeated = load.repeated;
    await load.progress(200);
    expect(load.repeated).toBe(repeated);
    expect(await ready()).toBe(200);
    const answered = await load.stop();
    await db.close();
    db = await openDatabase({ url: postgres.url, entities, poolMax: 4 });
    await expectCounted({ rest, db }, game, answered);
    await expectReplayed(rest, answered);
  },
);

test('while the only server is read-only, reads go on, changes are refused as unavailable, and the service is not ready', async () => {
  await postgres.administer(
    `alter role ${login()} reset default_transaction_read_only`,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${login()}'`,
  );
  const event = { programmaticCode: 'LOGIN', accountId: 'later', idType: 'EXTERNAL' };
  const emit = () => rest('POST', '/gamification/triggers', event);
  await expect.poll(async () => (await emit()).status).toBe(503);
  expect((await emit()).body).toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  expect(await ready()).toBe(503);
  expect(await (await fetch(`${service.baseUrl}/readyz`)).text()).toContain('read-only');
  expect((await rest('GET', '/loyalty/accounts/account-1/points?idType=EXTERNAL')).status).toBe(200);

  await postgres.administer('alter system reset default_transaction_read_only', 'select pg_reload_conf()');
  await expect.poll(ready, { timeout: 5_000 }).toBe(200);
  expect((await emit()).status).toBe(200);
});

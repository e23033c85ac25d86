import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, randomNumbers, rounds, seed } from './bounds.ts';
import { expectCounted, expectReplayed, newCountedGame } from './support/counted-game.ts';
import { startEventLoad } from './support/event-load.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let tenant: Tenant;
let service: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  service = await startServiceProcess(database.url);
});
afterAll(async () => {
  await service.end('SIGKILL');
  await database.drop();
});

test('after SIGKILL of the service under load every answered event is there, once', LIMITS, async () => {
  const rest = restAs(service.baseUrl, tenant);
  const game = await newCountedGame(rest, tenant);
  const random = randomNumbers(seed);
  const load = startEventLoad({ baseUrl: () => service.baseUrl, apiKey: tenant.apiKey, seed });
  for (const _ of rounds(2)) {
    // The kill follows an answer at once: an answer before its commit would have no effect.
    await load.progress(20 + Math.floor(100 * random()));
    await service.end('SIGKILL');
    service = await startServiceProcess(database.url, { port: service.port });
  }
  await load.progress(50);
  const answered = await load.stop();
  expect(load.repeated).toBeGreaterThan(0);
  await expectCounted({ rest, db: database.db }, game, answered);
  await expectReplayed(rest, answered);
});

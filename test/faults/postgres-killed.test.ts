import { afterAll, beforeAll, expect, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, rounds, seed } from './bounds.ts';
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
  postgres = await startOwnPostgres('killed');
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

const ready = async () => (await fetch(`${service.baseUrl}/readyz`)).status;
const becomes = (status: number) => expect.poll(ready, { timeout: 10_000, interval: 20 }).toBe(status);

test(
  'after SIGKILL of PostgreSQL under load every answered event is there, once, and the service recovers by itself',
  LIMITS,
  async () => {
    const game = await newCountedGame(rest, tenant);
    const load = startEventLoad({ baseUrl: () => service.baseUrl, apiKey: tenant.apiKey, seed });
    for (const round of rounds(2)) {
      await load.progress(50);
      if (round % 2 === 1) {
        postgres.kill();
        await becomes(503);
        await postgres.restart();
      } else {
        await postgres.killSession();
      }
      await becomes(200);
    }
    await load.progress(50);
    const answered = await load.stop();
    expect(load.repeated).toBeGreaterThan(0);
    expect(service.process.exitCode).toBeNull();
    await expectCounted({ rest, db }, game, answered);
    await expectReplayed(rest, answered);
  },
);

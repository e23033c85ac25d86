import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findDifferences } from '../../src/commands/verify.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';
import { COMMIT, type Moment, severingProxy } from '../support/severing-proxy.ts';
import { LIMITS, randomNumbers, rounds, seed } from './bounds.ts';
import { startSale } from './support/sale-load.ts';
import { startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let tenant: Tenant;

beforeEach(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
});
afterEach(async () => {
  expect(await findDifferences(database.db)).toEqual([]);
  await database.drop();
});

/** Returns the same process at each call. */
function viaLatest(baseUrl: () => string): Rest {
  return (...call) => restAs(baseUrl(), tenant)(...call);
}

describe('a flash sale', () => {
  test('of a service that is killed again and again sells what it answered, once', LIMITS, async () => {
    let service = await startServiceProcess(database.url);
    const rest = viaLatest(() => service.baseUrl);
    const sale = await startSale({ rest, next: () => rest, seed });
    const random = randomNumbers(seed);
    for (const _ of rounds(2)) {
      // The kill follows an answer at once: an answer before its commit would have no effect.
      await sale.progress(30 + Math.floor(100 * random()));
      await service.end('SIGKILL');
      service = await startServiceProcess(database.url, { port: service.port });
    }
    await sale.progress(50);
    await sale.stopAndCheck();
    expect(sale.repeated).toBeGreaterThan(0);
    expect(sale.bought).toBeGreaterThan(20);
    await service.end('SIGKILL');
  });

  test.each<[string, Moment]>([
    ['are answered, and the answers lost', 'answered'],
    ['never reach the database', 'unheard'],
  ])('whose commits %s sells what it answered, once', LIMITS, async (_words, moment) => {
    const proxy = await severingProxy(database.url);
    const service = await startServiceProcess(proxy.url);
    const rest = restAs(service.baseUrl, tenant);
    const sale = await startSale({ rest, next: () => rest, seed });
    for (const _ of rounds(3)) {
      await sale.progress(40);
      proxy.severAt(COMMIT, moment, tenant.clientId);
      await sale.progress(40);
      expect(proxy.armed).toBe(false);
    }
    await sale.stopAndCheck();
    expect(sale.repeated).toBeGreaterThan(0);
    await service.end('SIGKILL');
    await proxy.close();
  });

  test(
    'of two processes sells each unit that they answered once, also if the other process gets the repeat',
    LIMITS,
    async () => {
      const processes = await Promise.all([startServiceProcess(database.url), startServiceProcess(database.url)]);
      const rests = processes.map(({ baseUrl }) => restAs(baseUrl, tenant));
      let call = 0;
      const sale = await startSale({ rest: rests[0]!, next: () => rests[(call += 1) % 2]!, seed });
      for (const _ of rounds(1)) await sale.progress(600);
      await sale.stopAndCheck();
      expect(sale.bought).toBeGreaterThan(100);
      await Promise.all(processes.map((process) => process.end('SIGKILL')));
    },
  );
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type RestAnswer, restAs, type Tenant } from '../support/service.ts';
import { LIMITS } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { daysAgo, newVisits, ok, storedRows, untilWaiting } from './support/visits.ts';

type Json = RestAnswer['body'];

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

const rest = (...call: Parameters<ReturnType<typeof restAs>>) => restAs(service.baseUrl, tenant)(...call);
const stored = () => storedRows(database.db, tenant.clientId);

/** Kills the service in the midst of a call: it waits for the rows of a table, when it has written others. It has changed nothing. */
async function killAmidst(path: string, body: Json, table = 'chest'): Promise<void> {
  const before = await stored();
  const { db } = database;
  let killed: Promise<unknown> = Promise.resolve();
  await db.unitOfWork(tenant.clientId, async (uow) => {
    expect(await uow.query(`select 1 from ${table} for update`)).toHaveLength(1);
    killed = rest('POST', path, body).catch(() => {});
    await untilWaiting(db, 1);
    await service.end('SIGKILL');
  });
  await killed;
  service = await startServiceProcess(database.url);
  expect(await stored()).toEqual(before);
}

test(
  'a backfill, a merge, its undo and a reversal whose process is killed in the midst of it have changed nothing',
  { timeout: 4 * LIMITS.timeout },
  async () => {
    const created = async (path: string, body: Json): Promise<string> => (await ok(rest, path, body))['id'];
    const member = await created('/accounts', {});
    await database.db.unitOfWork(tenant.clientId, (uow) => uow.query('update client set backfill_days_max = 30'));
    await newVisits(rest);

    const visit = { programmaticCode: 'VISIT', accountId: 'guest', idType: 'EXTERNAL', operationId: 'visit' };
    const triggers = [{ ...visit, occurredAt: daysAgo(3) }];
    const backfill = ['/gamification/triggers/backfill', { rewards: 'ALL', triggers }] as const;
    // The account is new, and its rewards need the product.
    await killAmidst(...backfill, 'product');
    for (const replayed of [false, true])
      expect(await ok(rest, ...backfill)).toMatchObject({ results: [{ result: { replayed } }] });
    const guest = await created('/accounts/resolve', { externalId: 'guest' });

    const merge = [
      `/accounts/${guest}/merge`,
      { intoAccountId: member, progress: 'SUM', operationId: 'case' },
    ] as const;
    await killAmidst(...merge);
    const { mergeId, moved } = await ok(rest, ...merge);
    expect(moved).toMatchObject({ points: 10, chests: 1, redemptions: 1, earnedRewards: 4 });

    const undo = [`/accounts/${member}/merges/${mergeId}/undo`, { operationId: 'case' }] as const;
    await killAmidst(...undo);
    await ok(rest, ...undo);
    const given = (await ok(rest, ...merge))['mergeId'];
    expect(given).toBe(mergeId);
    const pointsLeft = async () => (await rest('GET', `/loyalty/accounts/${guest}/points`)).body;
    expect(await pointsLeft()).toMatchObject({ available: 10 });

    const named = { programmaticCode: 'VISIT', triggerOperationId: 'visit', operationId: 'back' };
    const reversal = ['/gamification/triggers/reversals', named] as const;
    await killAmidst(...reversal);
    const reversed = await ok(rest, ...reversal);
    expect(reversed).toMatchObject({ state: 'REVERSED', missions: [{ completionLost: true }] });
    expect(reversed['rewards']).toHaveLength(4);
    expect(await ok(rest, ...reversal)).toEqual(reversed);
    expect(await pointsLeft()).toMatchObject({ available: 0 });
    await expectExact(database.db);
  },
);

import { afterAll, beforeAll, expect, test } from 'vitest';
import { differencesOf } from '../../src/commands/verify.ts';
import type { RewardOrder } from '../../src/rewards/delivery/earned-reward.ts';
import { resumeRestocks } from '../../src/rewards/delivery/restock.ts';
import { deliver, newAccounts, reward } from '../operations/rewards/provision.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { LIMITS } from './bounds.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let tenant: Tenant;
let service: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  // No process continues the restock before the test does.
  service = await startServiceProcess(database.url, { env: { LAUREL_HOUSEKEEPING: 'false' } });
});
afterAll(async () => {
  await service.end('SIGKILL');
  await database.drop();
});

/** Waiting rewards: one of six needs more units than will ever exist. */
const QUEUE = 6_000;
const NEEDS = [1, 2, 100_000, 3, 1, 2];
const UNITS = 6_500;

test(
  'a restock whose service is killed midway goes on where it stopped: nobody is passed, nothing is given twice',
  LIMITS,
  async () => {
    const { db } = database;
    const { clientId } = tenant;
    const rest = restAs(service.baseUrl, tenant);
    const fields = { name: 'Mug', stockMode: 'COUNTED' } as const;
    const { id } = (await rest('POST', '/admin/products', fields)).body;
    const product = { ...fields, id, fragmentsRequired: undefined, pointsCost: undefined };
    const accounts = await newAccounts(db, clientId, 200);
    const order = (amount: number, index: number): RewardOrder => {
      const prize = reward('PRODUCTS', amount, { product });
      return { accountId: accounts[index % accounts.length]!, reward: prize, now: new Date() };
    };
    for (let begun = 0; begun < QUEUE; begun += 1_000) {
      await deliver(
        db,
        clientId,
        Array.from({ length: 1_000 }, (_, index) => order(NEEDS[(begun + index) % NEEDS.length]!, index)),
      );
    }
    const query = <Row extends object>(sql: string) => db.unitOfWork(clientId, (uow) => uow.query<Row>(sql));
    const count = async (condition: string) =>
      (await query<{ count: number }>(`select count(*)::int as count from earned_reward where ${condition}`))[0]!.count;
    const inOrder = () =>
      query<{ id: string; units: number }>(
        `select id, units_needed as units from earned_reward where status = 'PENDING_STOCK' order by queue_position`,
      );
    const queue = await inOrder();

    const call = rest('POST', `/admin/products/${id}/stock`, { quantity: UNITS }).catch(() => {});
    await expect.poll(() => count(`status = 'DELIVERED'`), { interval: 2, timeout: 20_000 }).toBeGreaterThan(0);
    await service.end('SIGKILL');
    await call;

    const delivered = await count(`status = 'DELIVERED'`);
    const fitting = queue.filter(({ units }) => units < UNITS).map((waiting) => waiting.id);
    expect(delivered).toBeLessThan(fitting.length);
    const left = (await inOrder()).map((waiting) => waiting.id);
    expect(left.filter((waiting) => fitting.includes(waiting))).toEqual(fitting.slice(delivered));
    // A later reward waits behind them.
    const [late] = await deliver(db, clientId, [order(1, 0)]);
    expect(late!.status).toBe('PENDING_STOCK');

    expect(await resumeRestocks(db, clientId, new Date())).toBeGreaterThan(0);
    const [{ stock } = { stock: -1 }] = await query<{ stock: number }>('select stock from product');
    expect(await count(`status = 'PENDING_STOCK' and units_needed <= ${stock}`)).toBe(0);
    const [given] = await query<{ units: number }>('select sum(quantity)::int as units from redemption');
    expect(given!.units + stock).toBe(UNITS);
    expect(await differencesOf(db, clientId)).toEqual([]);
  },
);

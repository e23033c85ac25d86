import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findDifferences } from '../../src/commands/verify.ts';
import { holdAccount, untilBlocked } from '../operations/triggers/inbox-fixture.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Rest, type RestAnswer, restAs, type Tenant } from '../support/service.ts';
import { LIMITS } from './bounds.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let tenant: Tenant;
/** A pool of four connections; one client may use three of them. */
let a: ServiceProcess;
let b: ServiceProcess;
let restA: Rest;
let restB: Rest;
let customers = 0;
let accountId: string;
let productId: string;

const PRICE = 300;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  [a, b] = await Promise.all([
    startServiceProcess(database.url, { env: { LAUREL_POOL_MAX: '4' } }),
    startServiceProcess(database.url),
  ]);
  restA = restAs(a.baseUrl, tenant);
  restB = restAs(b.baseUrl, tenant);
});
afterAll(async () => {
  await Promise.all([a, b].map((process) => process.end('SIGKILL')));
  await database.drop();
});

afterEach(() => void a.process.kill('SIGCONT'));

beforeEach(async () => {
  customers += 1;
  accountId = `customer-${customers}`;
  const account = await must(restB('POST', '/accounts/resolve', { externalId: accountId }, tenant.apiKey));
  await must(restB('POST', `/admin/accounts/${account.body.id}/points/adjust`, { amount: 1_000, reason: 'A gift' }));
  const made = { name: `Coupon ${customers}`, stockMode: 'CODES', pointsCost: PRICE };
  productId = (await must(restB('POST', '/admin/products', made))).body.id;
  // A has cached the credential.
  await must(restA('GET', `/loyalty/accounts/${accountId}/points?idType=EXTERNAL`));
});

const redeem = (rest: Rest) =>
  rest('POST', `/loyalty/products/${productId}/redeem`, {
    accountId,
    idType: 'EXTERNAL',
    operationId: `order of ${accountId}`,
  });
const restock = () => must(restB('POST', `/admin/products/${productId}/codes`, { codes: ['ONE', 'TWO'] }));
const here = () => ({ db: database.db, clientId: tenant.clientId });

async function must(answer: Promise<RestAnswer>): Promise<RestAnswer> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return answer;
}

/** Ends the transaction that waits for a lock, as PostgreSQL does for a frozen process. */
function endStuck(): Promise<object[]> {
  return database.db.systemUnitOfWork(async (uow) => {
    await uow.query('set local role none');
    return uow.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
  });
}

async function balance(): Promise<number> {
  return (await must(restB('GET', `/loyalty/accounts/${accountId}/points?idType=EXTERNAL`))).body.available;
}

/** Checks that the refusal is final; a repeat of the call then buys once. */
async function expectBoughtOnce(): Promise<void> {
  expect(await balance()).toBe(1_000);
  await must(redeem(restB));
  await must(redeem(restA));
  expect(await balance()).toBe(1_000 - PRICE);
  expect(await findDifferences(database.db)).toEqual([]);
}

test(
  'a purchase that was refused at another host while this one was frozen in its transaction is not made when it wakes',
  LIMITS,
  async () => {
    const release = await holdAccount(here(), accountId);
    const first = redeem(restA);
    await untilBlocked(here());
    a.process.kill('SIGSTOP');
    await endStuck();
    await release();
    // PostgreSQL ends a session a moment after the request; until then the operation is in progress.
    await expect.poll(async () => (await redeem(restB)).body.code).toBe('OUT_OF_STOCK');
    await restock();
    a.process.kill('SIGCONT');
    expect((await first).status).toBeGreaterThan(400);
    await expectBoughtOnce();
  },
);

test('a purchase that lay unread while its repeat was refused at another host is not made', LIMITS, async () => {
  a.process.kill('SIGSTOP');
  const first = redeem(restA);
  expect((await redeem(restB)).body.code).toBe('OUT_OF_STOCK');
  await restock();
  await sleep(3_000);
  a.process.kill('SIGCONT');
  expect((await first).status).toBeGreaterThan(400);
  await expectBoughtOnce();
});

test('a purchase that waited for a connection while its repeat was refused is not made', LIMITS, async () => {
  const held = { accountId: `held-${accountId}`, idType: 'EXTERNAL' };
  await must(restB('POST', '/accounts/resolve', { externalId: held.accountId }, tenant.apiKey));
  const release = await holdAccount(here(), held.accountId);
  const others = [1, 2, 3].map(() => restA('POST', `/loyalty/products/${productId}/redeem`, held));
  await untilBlocked(here(), 3, 300);
  const first = redeem(restA);
  // A time in which the call surely arrives; its place in the queue is not visible.
  await sleep(500);
  expect((await redeem(restB)).body.code).toBe('OUT_OF_STOCK');
  await restock();
  // The stock for the others is already gone.
  const [{ status, body }] = await Promise.all([first, release()]);
  expect([status, body.code]).toEqual([409, 'OPERATION_IN_PROGRESS']);
  await Promise.all(others);
  await expectBoughtOnce();
});

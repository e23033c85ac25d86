import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  holdAccount,
  holdRemovals,
  inboxOf,
  untilApplied,
  untilBlocked,
} from '../operations/triggers/inbox-fixture.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, shortOrLong } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

const ACCOUNTS = 100;

/** The long form has a hundred events per account. */
const EVENTS = shortOrLong(2_000, 10_000);

/** The events without operation ids that are sent before each blocked batch. */
const BEFORE = EVENTS / 20;
const HALF = EVENTS / 2;

/** Thousands of requests and four starts take ten seconds on two idle cores, and a minute on busy ones. */
const TIMEOUT = { timeout: 3 * LIMITS.timeout };

let database: TestDatabase;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')));
});
afterAll(() => database.drop());

async function startService(port = 0): Promise<ServiceProcess> {
  const service = await startServiceProcess(database.url, { port });
  services.push(service);
  return service;
}

/** A tenant with a mission that counts every event, and a campaign that closes with an account's last event. */
async function newCount(baseUrl: string, perAccount: number) {
  const tenant = await newTenant(database.db);
  const rest = restAs(baseUrl, tenant);
  // An unused port: each closing must only add one message to the outbox.
  await rest('PUT', '/webhooks/rewards', { endpoint: 'http://127.0.0.1:9/' });
  const step = (target: number) => ({
    codes: { STEP: 'SINGLE' } as const,
    missions: [{ programmaticCode: 'STEP', target }],
  });
  await newGame({ rest, ...tenant }, step(1_000_000));
  await newGame({ rest, ...tenant }, step(perAccount));
  return { tenant, rest };
}

type Sending = { readonly rest: Rest; readonly from: number; readonly to: number; readonly withOperationIds?: boolean };

/** Sends events to all accounts in turn, 64 at a time. With operation ids it repeats each event until it is accepted. */
async function send({ rest, from, to, withOperationIds = false }: Sending): Promise<void> {
  let next = from;
  const sendSome = async () => {
    for (let at = next++; at < to; at = next++) {
      const event = { programmaticCode: 'STEP', accountId: `account-${at % ACCOUNTS}`, idType: 'EXTERNAL' };
      const body = withOperationIds ? { ...event, operationId: `step-${at}` } : event;
      const accept = () => rest('POST', '/gamification/triggers/async', body);
      const isAccepted = async () => (await accept().catch(() => ({ status: 0 }))).status === 200;
      if (withOperationIds) while (!(await isAccepted())) await sleep(20);
      else expect(await accept()).toMatchObject({ status: 200, body: undefined });
    }
  };
  await Promise.all(Array.from({ length: 64 }, sendSome));
}

/** Checks that every event has counted once, every closing was paid and added to the outbox once, and the inbox is empty. */
async function expectEachOnce(tenant: Tenant, rest: Rest, perAccount: number): Promise<void> {
  const inClient = <Row extends object>(sql: string) =>
    database.db.unitOfWork(tenant.clientId, (uow) => uow.query<Row>(sql));
  const each = Array.from({ length: ACCOUNTS }, (_, at) => `account-${at}`);
  const progress = await inClient<{ account: string; progress: string }>(
    `select a.external_id as account, s.progress::int as progress from assignment s join account a on a.id = s.account_id
      where s.status = 'ACTIVE'`,
  );
  expect(new Map(progress.map((row) => [row.account, row.progress]))).toEqual(
    new Map(each.map((id) => [id, perAccount])),
  );
  for (const account of each.filter((_, at) => at % 10 === 0)) {
    const points = await rest('GET', `/loyalty/accounts/${account}/points?idType=EXTERNAL`);
    expect(points.body).toMatchObject({ available: 10, lifetimeEarned: 10 });
  }
  const messages = await inClient(`select id from outbox_message union select message_id from webhook_delivery`);
  expect(messages).toHaveLength(ACCOUNTS);
  expect(await inboxOf({ db: database.db, ...tenant })).toEqual([]);
  await expectExact(database.db);
}

test(
  'thousands of accepted events take effect once each, though the worker is killed three times on the way',
  TIMEOUT,
  async () => {
    let service = await startService();
    const { port } = service;
    const restart = async () => {
      await service.end('SIGKILL');
      expect(await inboxOf(inbox)).not.toEqual([]);
      service = await startService(port);
    };
    const { tenant, rest } = await newCount(service.baseUrl, EVENTS / ACCOUNTS);
    const inbox = { db: database.db, clientId: tenant.clientId };

    // Without operation ids, only the worker's own transaction prevents a repeated effect. The worker is killed in the middle of a batch:
    // once while it waits for the accounts, once just before it removes the events.
    const standstills = [() => holdAccount(inbox, 'account-7'), () => holdRemovals(database)];
    for (const [round, standStill] of standstills.entries()) {
      const from = round * (HALF / 2);
      await send({ rest, from, to: from + BEFORE });
      const release = await standStill();
      await send({ rest, from: from + BEFORE, to: from + HALF / 2 });
      await untilBlocked(inbox);
      await restart();
      await release();
    }

    // Callers repeat by operation id: the process dies while it accepts and applies.
    const release = await holdAccount(inbox, 'account-7');
    const sending = send({ rest, from: HALF, to: EVENTS, withOperationIds: true });
    const waiting = () => inboxOf(inbox).then((rows) => rows.length);
    await expect.poll(waiting, { interval: 5, timeout: 10_000 }).toBeGreaterThan(EVENTS / 10);
    await release();
    await restart();
    await sending;

    await untilApplied(inbox, 15_000);
    await expectEachOnce(tenant, rest, EVENTS / ACCOUNTS);
  },
);

test(
  'two processes share the inbox, and one that is told to stop finishes its batch and leaves the rest to the other',
  TIMEOUT,
  async () => {
    const [leaving, staying] = await Promise.all([startService(), startService()]);
    const { tenant, rest } = await newCount(staying.baseUrl, 20);
    const inbox = { db: database.db, clientId: tenant.clientId };
    await Promise.all([
      send({ rest, from: 0, to: 1_000 }),
      send({ rest: restAs(leaving.baseUrl, tenant), from: 1_000, to: 2_000 }),
    ]);
    expect(await leaving.end('SIGTERM')).toBe(0);
    await untilApplied(inbox, 15_000);
    await expectEachOnce(tenant, rest, 20);
  },
);

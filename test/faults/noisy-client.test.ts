import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { holdAccount } from '../operations/triggers/inbox-fixture.ts';
import { startReceiver } from '../operations/webhooks/receiver.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, rounds } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
  service = await startServiceProcess(database.url);
});
afterAll(async () => {
  await service.end('SIGKILL');
  await database.drop();
});

afterEach(() => expectExact(database.db));

/** A client of the service, and its calls. */
type Caller = { readonly tenant: Tenant; readonly rest: Rest };

let noisy: Caller;
let quiet: Caller;

beforeEach(async () => {
  [noisy, quiet] = await Promise.all([newCaller(), newCaller()]);
});

async function newCaller(): Promise<Caller> {
  const tenant = await newTenant(database.db);
  const rest = restAs(service.baseUrl, tenant);
  await newGame({ rest, ...tenant }, { missions: [{ target: 1_000_000 }] });
  return { tenant, rest };
}

const event = (accountId: string) => ({ programmaticCode: 'LOGIN', accountId, idType: 'EXTERNAL' });

/** Repeats a call with `width` concurrent calls until `stop`, which returns the milliseconds of each call. */
function flood(width: number, call: () => Promise<{ status: number }>): { stop(): Promise<number[]> } {
  const stopping = new AbortController();
  const took: number[] = [];
  const callers = Array.from({ length: width }, async () => {
    while (!stopping.signal.aborted) took.push(await timed(call));
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(callers);
      return took;
    },
  };
}

async function timed(call: () => Promise<{ status: number }>): Promise<number> {
  const begun = performance.now();
  expect((await call()).status).toBe(200);
  return performance.now() - begun;
}

async function inTurn(count: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const took: number[] = [];
  while (took.length < count) took.push(await timed(call));
  return took;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

test(
  'a client that floods the service with events makes another wait for a batch, not for its whole line',
  LIMITS,
  async () => {
    const triggers = Array.from({ length: 200 }, (_, index) => event(`account-${index}`));
    const send = () => noisy.rest('POST', '/gamification/triggers/batch', { triggers });
    await inTurn(1, send);
    const loud = flood(16, send);
    await inTurn(5, () => quiet.rest('POST', '/gamification/triggers', event('ann')));
    const own = await inTurn(30, () => quiet.rest('POST', '/gamification/triggers', event('ann')));
    const others = await loud.stop();
    expect(median(own)).toBeLessThan(median(others) / 3);
  },
);

test('a client whose calls all want the same row leaves connections and turns to the others', LIMITS, async () => {
  const { rest, tenant } = noisy;
  const body = { name: 'Voucher', stockMode: 'UNLIMITED', pointsCost: 1 };
  const { id } = (await rest('POST', '/admin/products', body)).body;
  const { body: account } = await rest('POST', '/accounts/resolve', { externalId: 'ann' });
  await rest('POST', `/admin/accounts/${account.id}/points/adjust`, { amount: 1_000_000, reason: 'To spend.' });
  const loud = flood(100, () => rest('POST', `/loyalty/products/${id}/redeem`, { accountId: account.id }));
  const read = () => quiet.rest('GET', '/accounts/paginated?page=1&limit=10');
  await inTurn(5, read);
  const own = await inTurn(40, read);
  const release = await holdAccount({ db: database.db, clientId: tenant.clientId }, 'ann');
  const whileHeld = await inTurn(40, read);
  await release();
  const others = await loud.stop();
  // A hundred calls of the noisy client share a transaction, so that even its own queue is short.
  expect(median(own)).toBeLessThan(median(others));
  expect(Math.max(...whileHeld)).toBeLessThan(2_000);
});

test('a transaction that stays open holds up the client whose rows it has, and no other', LIMITS, async () => {
  await noisy.rest('POST', '/accounts/resolve', { externalId: 'held' });
  const release = await holdAccount({ db: database.db, clientId: noisy.tenant.clientId }, 'held');
  const loud = flood(20, () => noisy.rest('POST', '/gamification/triggers', event('held')));
  const loudLater = flood(5, () => noisy.rest('POST', '/gamification/triggers/async', event('held')));
  const own = await inTurn(100, () => quiet.rest('POST', '/gamification/triggers', event('ann')));
  await inTurn(100, () => quiet.rest('POST', '/gamification/triggers/async', event('ben')));
  await loudLater.stop();
  const applied = async () => (await quiet.rest('GET', '/v1/feed/account/ben?idType=EXTERNAL')).body[0].progress;
  await expect.poll(applied, { timeout: 5_000 }).toBe(100);
  await release();
  await loud.stop();
  // One wait at the beginning, up to the limit after which a batch counts as blocked.
  expect(Math.max(...own)).toBeLessThan(3_000);
});

test('a process that freezes in the middle of a transaction loses it, and with it what it holds', LIMITS, async () => {
  const { body: account } = await quiet.rest('POST', '/accounts/resolve', { externalId: 'ann' });
  const script = join(import.meta.dirname, 'support/frozen-process.ts');
  const frozen = spawn(process.execPath, [script, database.url, quiet.tenant.clientId, account.id]);
  onTestFinished(() => void frozen.kill('SIGKILL'));
  await once(frozen.stdout, 'data');
  frozen.kill('SIGSTOP');
  // PostgreSQL waits a second here, 15 in production.
  expect(
    Math.max(...(await inTurn(10, () => quiet.rest('POST', '/gamification/triggers', event('ann'))))),
  ).toBeLessThan(5_000);
  // A delay clearly longer than those of a busy machine.
  await sleep(1_500);
  const ended = once(frozen, 'exit');
  frozen.kill('SIGCONT');
  expect((await ended)[0]).toBe(0);
  expect((await quiet.rest('GET', `/accounts/${account.id}`)).body.name).toBeUndefined();
});

test('a snapshot that stays open for long does not slow asynchronous events and webhooks down', LIMITS, async () => {
  const { rest, tenant } = quiet;
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  await rest('PUT', '/webhooks/rewards', { endpoint: receiver.url });
  await newGame({ rest, ...tenant }, { codes: { VISIT: 'SINGLE' }, missions: [{ programmaticCode: 'VISIT' }] });
  let account = 0;
  /** Sends events that each close the campaign for an account; returns the milliseconds until all webhooks have arrived. */
  async function wave(): Promise<number> {
    const begun = performance.now();
    const goal = account + WAVE;
    const send = async () => {
      while (account < goal) {
        const visit = { ...event(`account-${(account += 1)}`), programmaticCode: 'VISIT' };
        expect((await rest('POST', '/gamification/triggers/async', visit)).status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: 32 }, send));
    await receiver.got(goal);
    return performance.now() - begun;
  }

  await wave();
  const before = await wave();
  const closeSnapshot = await openSnapshot();
  const during: number[] = [];
  for (const _ of rounds(3)) during.push(await wave());
  await closeSnapshot();
  // The limit allows for other work of the machine: in the long form, leftover rows would slow it down tenfold.
  expect(Math.min(...during.slice(-2))).toBeLessThan(2 * before);
});

/** The events of a wave: so many that they would slow it down if they stayed. */
const WAVE = 300;

/** Begins a transaction that sees the database as it is now; the returned function ends it. */
async function openSnapshot(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query('select count(*) from account');
  return () => client.end();
}

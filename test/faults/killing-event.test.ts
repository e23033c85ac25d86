import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { GRACE_MS } from '../../src/triggers/inbox/quarantine.ts';
import { holdRemovals, untilApplied, untilBlocked } from '../operations/triggers/inbox-fixture.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { newTenant, restAs } from '../support/service.ts';
import { LIMITS } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, type ServiceProcessOptions, startServiceProcess } from './support/service-process.ts';

/** Time for several deaths with several seconds between them. */
const TIMEOUT = { timeout: 4 * LIMITS.timeout };

const DEADLY = {
  NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'support/die-of-event.mjs')).href}`,
};

/** Events before and after the event that kills the process. */
const NEIGHBOURS = 60;

let database: TestDatabase;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')));
});
afterAll(() => database.drop());

async function start(options: ServiceProcessOptions = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess(database.url, options);
  services.push(service);
  return service;
}

/** A tenant that counts the event STEP. The event KILL ends a process that has the setting for it. */
async function newCount(service: ServiceProcess) {
  const tenant = await newTenant(database.db);
  const rest = restAs(service.baseUrl, tenant);
  await newGame(
    { rest, ...tenant },
    { codes: { STEP: 'SINGLE', KILL: 'SINGLE' }, missions: [{ programmaticCode: 'STEP', target: 1_000_000 }] },
  );
  const send = (programmaticCode: string, accountId: string) =>
    rest('POST', '/gamification/triggers/async', { programmaticCode, accountId, idType: 'EXTERNAL' });
  const inbox = { db: database.db, clientId: tenant.clientId };
  const inClient = <Row extends object>(sql: string) =>
    database.db.unitOfWork(tenant.clientId, (uow) => uow.query<Row>(sql));
  return { tenant, rest, send, inbox, inClient };
}

type Count = Awaited<ReturnType<typeof newCount>>;

/** The number of counted events of each account. */
async function progressOf({ inClient }: Count): Promise<Record<string, number>> {
  const rows = await inClient<{ account: string; progress: number }>(
    `select a.external_id as account, s.progress::int as progress from assignment s join account a on a.id = s.account_id`,
  );
  return Object.fromEntries(rows.map(({ account, progress }) => [account, progress]));
}

/** Puts other events and a killing event into the inbox, half of the others before it, and lets the first process die. */
async function leaveWaiting(): Promise<Count> {
  const first = await start();
  const count = await newCount(first);
  const { send, inbox } = count;
  await send('STEP', 'account-0');
  await untilApplied(inbox);
  // The account is not locked, because its events would be deferred and the others applied.
  const release = await holdRemovals(inbox);
  await send('STEP', 'account-0');
  await untilBlocked(inbox);
  for (let at = 1; at <= NEIGHBOURS; at += 1) {
    if (at === NEIGHBOURS / 2) await send('KILL', 'account-0');
    await send('STEP', `account-${at}`);
  }
  await first.end('SIGKILL');
  await release();
  return count;
}

/** Checks that the event of every other account has counted once, and two of account-0. */
const EACH_ONCE = Object.fromEntries(
  Array.from({ length: NEIGHBOURS + 1 }, (_, at) => [`account-${at}`, at === 0 ? 2 : 1]),
);

/** Starts the service again after each death, until the inbox is empty. Returns the number of deaths. */
async function surviveAll({ inbox }: Count, env: Readonly<Record<string, string>>): Promise<number> {
  for (let deaths = 0; deaths < 8; deaths += 1) {
    // The process may die before it is ready.
    const service = await start({ env }).catch(() => undefined);
    if (service === undefined) continue;
    const died = once(service.process, 'exit').then(() => 'died');
    const outcome = await Promise.race([died, untilApplied(inbox, 40_000).then(() => 'applied')]);
    if (outcome === 'applied') return deaths;
  }
  throw new Error('The process died eight times, and would die again.');
}

test(
  'an event that kills the process is a dead trigger after LAUREL_ASYNC_ATTEMPTS deaths of its own, and its neighbours count once each',
  TIMEOUT,
  async () => {
    const count = await leaveWaiting();
    const deaths = await surviveAll(count, { ...DEADLY, LAUREL_ASYNC_ATTEMPTS: '2' });
    // One death in a batch with the other events, two with the event alone.
    expect(deaths).toBe(3);
    expect(await progressOf(count)).toEqual(EACH_ONCE);
    const letters = await count.inClient(
      'select programmatic_code, attempts, error_code, error_message from trigger_inbox where dead_at is not null',
    );
    expect(letters).toEqual([
      {
        programmatic_code: 'KILL',
        attempts: 2,
        error_code: 'PROCESS_DIED',
        error_message: expect.stringContaining('The process that applied this event ended'),
      },
    ]);
    await expectExact(database.db);
  },
);

test(
  'an event that is alone in its batch when the process dies has had an attempt, and one that no longer kills takes effect',
  TIMEOUT,
  async () => {
    const first = await start({ env: DEADLY });
    const count = await newCount(first);
    const died = once(first.process, 'exit');
    await count.send('KILL', 'lonely').catch(() => {});
    await died;
    await start();
    const waiting = () => count.inClient<object>('select alone, attempts, error_code from trigger_inbox');
    await expect
      .poll(waiting, { timeout: 15_000, interval: 20 })
      .toEqual([{ alone: 'TRIED', attempts: 1, error_code: 'PROCESS_DIED' }]);
    await untilApplied(count.inbox, 15_000);
    expect(await waiting()).toEqual([]);
  },
);

test('SIGTERM in the middle of batches is no death: no claim and no attempt is left', TIMEOUT, async () => {
  const service = await start();
  const count = await newCount(service);
  await count.send('STEP', 'account-3');
  await untilApplied(count.inbox);
  const release = await holdRemovals(count.inbox);
  await Promise.all(Array.from({ length: 200 }, (_, at) => count.send('STEP', `account-${at % 7}`)));
  await untilBlocked(count.inbox);
  const ended = service.end('SIGTERM');
  await release();
  expect(await ended).toBe(0);
  expect(await count.inClient('select id from trigger_batch')).toEqual([]);
  expect(await count.inClient('select id from trigger_inbox where attempts > 0 or alone is not null')).toEqual([]);
  await start();
  await untilApplied(count.inbox);
  const progress = Object.values(await progressOf(count));
  expect(progress.reduce((sum, each) => sum + each, 0)).toBe(201);
});

test(
  'a process that is frozen in the middle of a batch loses it to another, and applies nothing twice when it wakes',
  TIMEOUT,
  async () => {
    const frozen = await start();
    const count = await newCount(frozen);
    await count.send('STEP', 'account-0');
    await untilApplied(count.inbox);
    const release = await holdRemovals(count.inbox);
    await Promise.all(Array.from({ length: 50 }, (_, at) => count.send('STEP', `account-${at % 5}`)));
    await untilBlocked(count.inbox);
    frozen.process.kill('SIGSTOP');
    await release();
    await start();
    // PostgreSQL ends a transaction that has been idle for 15 s, and thereby releases the lock on the claim.
    await untilApplied(count.inbox, 40_000);
    frozen.process.kill('SIGCONT');
    await count.send('STEP', 'account-0');
    await untilApplied(count.inbox, 15_000);
    expect(await frozen.end('SIGTERM')).toBe(0);
    expect(await progressOf(count)).toEqual({
      'account-0': 12,
      ...Object.fromEntries([1, 2, 3, 4].map((at) => [`account-${at}`, 10])),
    });
    expect(await count.inClient('select id from trigger_batch')).toEqual([]);
    await expectExact(database.db);
  },
);

test(
  'a batch that stands still for longer than the grace is not taken from a process that lives',
  TIMEOUT,
  async () => {
    const service = await start();
    const count = await newCount(service);
    await count.send('STEP', 'account-0');
    await untilApplied(count.inbox);
    const release = await holdRemovals(count.inbox);
    await Promise.all(Array.from({ length: 20 }, () => count.send('STEP', 'account-0')));
    await untilBlocked(count.inbox);
    const other = await start();
    await sleep(GRACE_MS + 1_000);
    const quarantine = 'select id from trigger_inbox where alone is not null';
    expect(await count.inClient(quarantine)).toEqual([]);
    await release();
    await untilApplied(count.inbox);
    expect(await progressOf(count)).toEqual({ 'account-0': 21 });
    expect([...service.log, ...other.log].filter((line) => line.includes('a process died'))).toEqual([]);
  },
);

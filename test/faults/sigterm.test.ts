import { once } from 'node:events';
import { connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Account_IdType as IdType } from '../../gen/laurel/v1/account_pb.ts';
import { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { untilApplied } from '../operations/triggers/inbox-fixture.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, randomNumbers, rounds, seed } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let tenant: Tenant;
let service: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
});
beforeEach(async () => {
  service = await startServiceProcess(database.url);
});
afterEach(() => expectExact(database.db));
afterAll(() => database.drop());

/** An event that its sender does not repeat. */
type Sent = { readonly operationId: string; readonly status: number | undefined };

const trigger = (operationId: string, accountId: string) =>
  JSON.stringify({ operationId, accountId, programmaticCode: 'LOGIN', idType: 'EXTERNAL' });

async function send(operationId: string, accountId: string): Promise<Sent> {
  try {
    const response = await fetch(`${service.baseUrl}/gamification/triggers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
      body: trigger(operationId, accountId),
    });
    await response.json();
    return { operationId, status: response.status };
  } catch {
    return { operationId, status: undefined };
  }
}

async function storedOperations(): Promise<Set<string>> {
  const rows = await database.db.unitOfWork(tenant.clientId, (uow) =>
    uow.query<{ id: string }>('select id from operation'),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Sends SIGTERM, and returns the exit code and the seconds until the exit. */
async function terminate(): Promise<{ code: number | null; seconds: number }> {
  const begun = performance.now();
  const code = await service.end('SIGTERM');
  return { code, seconds: (performance.now() - begun) / 1_000 };
}

test('SIGTERM under load: what was accepted is answered, what was not answered was not accepted', LIMITS, async () => {
  await newGame({ rest: restAs(service.baseUrl, tenant), adminToken: tenant.adminToken });
  const random = randomNumbers(seed);
  for (const round of rounds(1)) {
    if (service.process.exitCode !== null) service = await startServiceProcess(database.url);
    const sent: Sent[] = [];
    const enough = Promise.withResolvers<void>();
    const goal = 50 + Math.floor(200 * random());
    const workers = Array.from({ length: 16 }, async (_, worker) => {
      for (let call = 0; ; call += 1) {
        const outcome = await send(`${round}-${worker}-${call}`, `account-${call % 5}`);
        sent.push(outcome);
        if (sent.length === goal) enough.resolve();
        if (outcome.status === undefined) return;
      }
    });
    await enough.promise;
    const { code, seconds } = await terminate();
    await Promise.all(workers);
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(10);
    const stored = await storedOperations();
    for (const { operationId, status } of sent) {
      expect(status).toBeOneOf([200, undefined]);
      expect(stored.has(operationId), `${operationId} was answered ${status}`).toBe(status === 200);
    }
  }
});

test('SIGTERM while requests wait for a row: both HTTP versions answer them when the row is free', LIMITS, async () => {
  const rest = restAs(service.baseUrl, tenant);
  await newGame({ rest, adminToken: tenant.adminToken });
  const { body: account } = await rest('POST', '/accounts/resolve', { externalId: 'held' });
  const release = await holdAccount(account.id);

  const overHttp1 = Array.from({ length: 10 }, (_, index) => send(`held-1-${index}`, 'held'));
  const session = connect(service.baseUrl);
  const overHttp2 = Array.from({ length: 10 }, async (_, index) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/gamification/triggers',
      authorization: `Bearer ${tenant.apiKey}`,
      'content-type': 'application/json',
    });
    stream.end(trigger(`held-2-${index}`, 'held'));
    const [headers] = await once(stream, 'response');
    await text(stream);
    return headers[':status'];
  });
  await expect.poll(sessionsThatWait, { timeout: 5_000, interval: 10 }).toBeGreaterThan(0);

  const ended = terminate();
  await expect.poll(isRefused, { timeout: 5_000, interval: 10 }).toBe(true);
  await release();
  expect((await Promise.all(overHttp1)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await Promise.all(overHttp2)).toEqual(Array(10).fill(200));
  session.destroy();
  expect(await ended).toMatchObject({ code: 0, seconds: expect.toSatisfy((seconds: number) => seconds < 10) });
});

test.each([1, 2])(
  'SIGTERM while events wait for a row that nobody gives back: %i process(es) end within ten seconds, and nothing is half done',
  { timeout: 2 * LIMITS.timeout },
  async (processes) => {
    await service.end('SIGKILL');
    const env = { LAUREL_DRAIN_DELAY_MS: '2000', LAUREL_PROCESSES: String(processes) };
    service = await startServiceProcess(database.url, { env });
    const rest = restAs(service.baseUrl, tenant);
    await newGame({ rest, adminToken: tenant.adminToken });
    const held = `kept-${processes}`;
    const { body: account } = await rest('POST', '/accounts/resolve', { externalId: held });
    const release = await holdAccount(account.id);
    const ids = Array.from({ length: 10 }, (_, index) => `${held}-${index}`);
    const overRest = ids.slice(0, 5).map((id) => send(id, held));
    const transport = createGrpcTransport({ baseUrl: service.baseUrl });
    const triggers = createClient(TriggerService, transport);
    const overGrpc = ids.slice(5).map((operationId) =>
      triggers
        .emitTrigger(
          { trigger: { operationId, accountId: held, idType: IdType.EXTERNAL, programmaticCode: 'LOGIN' } },
          { headers: { authorization: `Bearer ${tenant.apiKey}` } },
        )
        .then(
          () => undefined,
          (error: unknown) => ConnectError.from(error).code,
        ),
    );
    const later = { operationId: `${held}-later`, accountId: held, programmaticCode: 'LOGIN', idType: 'EXTERNAL' };
    expect(await rest('POST', '/gamification/triggers/async', later)).toMatchObject({ status: 200 });
    await expect.poll(sessionsThatWait, { timeout: 5_000, interval: 10 }).toBeGreaterThan(0);

    expect(await terminate()).toMatchObject({ code: 0, seconds: expect.toSatisfy((seconds: number) => seconds < 10) });
    expect((await Promise.all(overRest)).map(({ status }) => status)).toEqual(Array(5).fill(503));
    expect(await Promise.all(overGrpc)).toEqual(Array(5).fill(Code.Unavailable));
    // The waiting sessions end at once, even while another session holds the row.
    await expect.poll(sessionsThatWait, { timeout: 3_000, interval: 10 }).toBe(0);
    await release();
    for (const id of ids) expect((await storedOperations()).has(id)).toBe(false);

    service = await startServiceProcess(database.url);
    expect((await Promise.all(ids.map((id) => send(id, held)))).map(({ status }) => status)).toEqual(
      Array(10).fill(200),
    );
    await untilApplied(database, 20_000);
    const stored = await storedOperations();
    expect([...stored].filter((id) => id.startsWith(`${held}-`)).length).toBe(ids.length + 1);
    await service.end('SIGTERM');
  },
);

/** Locks an account's row from outside the service, until the returned function is called. */
async function holdAccount(id: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('begin; set local role laurel_system');
  await holder.query('select 1 from account where id = $1 for update', [id]);
  return async () => {
    await holder.query('commit');
    await holder.end();
  };
}

async function sessionsThatWait(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  await client.end();
  return rows.length;
}

/** Whether the port is closed. */
function isRefused(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(service.port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}

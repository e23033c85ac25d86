import { Registry } from 'prom-client';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { retryMetrics } from '../../../src/webhooks/delivery/webhook-metrics.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { deliveriesOf, enqueue, openWebhooks, type Webhooks, waitingOf } from './fixture.ts';
import { retryTools, status } from './retry-tools.ts';

let database: TestDatabase;
let webhooks: Webhooks;

beforeAll(async () => {
  database = await testDatabase();
  webhooks = openWebhooks(database.db);
});
afterEach(() => webhooks.stop());
afterAll(() => database.drop());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const { sql, retriesOf, pass, msToNext, logged, failedOnce } = retryTools(() => webhooks);

test('without retries, which is the default, a delivery that fails is lost after one attempt', async () => {
  const { clientId, receiver } = await webhooks.configured({}, status(500));
  await webhooks.send(clientId, ['[1]']);
  expect(await retriesOf(clientId)).toEqual([]);
  expect(receiver.received).toHaveLength(1);
  expect(await deliveriesOf(database.db, clientId)).toMatchObject([
    { outcome: 'REFUSED', retry: null, retry_at: null },
  ]);
});

test('a receiver that fails for an hour gets each delivery in the end, under one id, signed anew', async () => {
  let failing = true;
  const { clientId, receiver } = await webhooks.configured({}, (_, response) =>
    response.writeHead(failing ? 503 : 200).end(),
  );
  const { signingSecret } = await webhooks.put(clientId, {
    endpoint: `${receiver.url}/a`,
    signed: true,
    retries: true,
  });
  const dispatcher = webhooks.dispatch();
  const bodies = Array.from({ length: 20 }, (_, index) => JSON.stringify([index]));
  const messages = await enqueue(database.db, clientId, bodies);
  const ids = messages.map(({ id }) => id);
  dispatcher.wake(clientId, messages);
  await logged(clientId, 20);
  expect(await waitingOf(database.db, clientId)).toBe(0);
  let passed = 0;
  for (let attempts = 2; failing; attempts += 1) {
    // Longer than the spread, so that all are due together.
    const ms = Math.ceil((await msToNext(clientId)) * 1.3) + 2_000;
    passed += ms;
    failing = passed < HOUR;
    await pass(clientId, ms);
    await logged(clientId, 20 * attempts);
  }
  expect(passed).toBeLessThan(2.5 * HOUR);
  expect(await retriesOf(clientId)).toEqual([]);
  const log = await deliveriesOf(database.db, clientId);
  const delivered = log.filter(({ outcome }) => outcome === 'DELIVERED');
  expect(delivered.map(({ message_id }) => message_id).toSorted()).toEqual(ids.toSorted());
  for (const id of ids) {
    const own = log.filter(({ message_id }) => message_id === id);
    expect(own.map(({ attempt }) => attempt)).toEqual(own.map((_, index) => index + 1));
    const sent = receiver.received.filter(({ headers }) => headers['webhook-id'] === id);
    expect(sent).toHaveLength(own.length);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    const last = sent.at(-1)!;
    expect(() => new Webhook(signingSecret!).verify(last.body, last.headers as Record<string, string>)).not.toThrow();
  }
}, 40_000);

test('the time that is signed is that of the attempt', async () => {
  const { clientId, receiver } = await failedOnce(status(500), { signed: true });
  const [first] = receiver.received;
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(Number(first!.headers['webhook-timestamp']));
  await pass(clientId, await msToNext(clientId));
  const [, second] = await receiver.got(2);
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(Number(second!.headers['webhook-timestamp'])).toBeGreaterThan(Number(first!.headers['webhook-timestamp']));
});

describe('what is retried:', () => {
  test.each([
    ['a 5xx', status(502), { outcome: 'REFUSED', status_code: 502 }],
    ['a 4xx', status(404), { outcome: 'REFUSED', status_code: 404 }],
    ['a redirect', status(302, { location: '/' }), { outcome: 'REFUSED', status_code: 302 }],
    ['a broken connection', (_: unknown, response: { destroy(): void }) => response.destroy(), { outcome: 'FAILED' }],
  ] as const)('%s', async (_name, answer, expected) => {
    const { clientId, first } = await failedOnce(answer);
    expect(first).toMatchObject({ ...expected, attempt: 1, body: '[1]', retry: 'SCHEDULED' });
    const [row] = await retriesOf(clientId);
    expect(row).toMatchObject({ attempts: 1, failed_retries: 0, last_outcome: first.outcome });
    expect(row!.next_attempt_at).toEqual(first.retry_at);
    expect(await msToNext(clientId)).toBeLessThanOrEqual(5_500);
    expect(await waitingOf(database.db, clientId)).toBe(0);
  });

  test('a refused connection, and silence', async () => {
    const closed = await webhooks.configured({ retries: true });
    await closed.receiver.close();
    const silent = await webhooks.configured({ retries: true }, () => {});
    const dispatcher = webhooks.dispatch();
    for (const { clientId } of [closed, silent]) {
      dispatcher.wake(clientId, await enqueue(database.db, clientId, ['[1]']));
    }
    expect(await logged(closed.clientId, 1)).toMatchObject([{ error: 'ECONNREFUSED', retry: 'SCHEDULED' }]);
    expect(await logged(silent.clientId, 1)).toMatchObject([{ outcome: 'TIMED_OUT', retry: 'SCHEDULED' }]);
  });

  test('not 410 Gone, which ends the message at once', async () => {
    const { clientId, first } = await failedOnce(status(410));
    expect(first).toMatchObject({ status_code: 410, retry: 'GONE', retry_at: null });
    expect(await retriesOf(clientId)).toEqual([]);
  });

  test('a 429 not before its Retry-After', async () => {
    const { clientId } = await failedOnce(status(429, { 'retry-after': '600' }));
    expect(await msToNext(clientId)).toBeGreaterThan(590_000);
    expect(await msToNext(clientId)).toBeLessThanOrEqual(600_000);
  });
});

test('the last retry of the schedule is the last attempt, and nothing is planned beyond 24 hours', async () => {
  const { clientId } = await failedOnce(status(500));
  await sql(clientId, 'update webhook_retry set failed_retries = 8');
  await pass(clientId, 20 * HOUR);
  expect((await logged(clientId, 2))[1]).toMatchObject({ attempt: 2, retry: 'EXHAUSTED', retry_at: null });
  expect(await retriesOf(clientId)).toEqual([]);

  const late = await failedOnce(status(500));
  await sql(late.clientId, 'update webhook_retry set failed_retries = 6');
  await pass(late.clientId, 20 * HOUR);
  await logged(late.clientId, 2);
  const [row] = await retriesOf(late.clientId);
  expect(row!.next_attempt_at.getTime() - row!.first_attempt_at.getTime()).toBe(24 * HOUR);
  await pass(late.clientId, 5 * HOUR);
  expect((await logged(late.clientId, 3))[2]).toMatchObject({ retry: 'EXHAUSTED' });
  expect(await retriesOf(late.clientId)).toEqual([]);
});

test('a retry whose sender died is sent again under its id when the lease has passed, and not before', async () => {
  let code = 500;
  const { clientId, receiver, id } = await failedOnce((_, response) => response.writeHead(code).end(), {
    signed: true,
  });
  code = 200;
  await sql(
    clientId,
    `update webhook_retry set attempts = 2, lease_until = statement_timestamp() + interval '1 minute'`,
  );
  await pass(clientId, HOUR);
  const held = await failedOnce(status(500));
  await pass(held.clientId, HOUR);
  await logged(held.clientId, 2);
  expect(receiver.received).toHaveLength(1);
  await sql(clientId, `update webhook_retry set lease_until = statement_timestamp() - interval '1 ms'`);
  expect((await logged(clientId, 2))[1]).toMatchObject({ message_id: id, attempt: 3, outcome: 'DELIVERED' });
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  expect(await retriesOf(clientId)).toEqual([]);
});

test('a late failure of a sender that counted as dead takes the retry from nobody who has taken it over', async () => {
  let requests = 0;
  let finish: () => void = () => {};
  const { clientId, receiver } = await failedOnce((_, response) => {
    finish = () => response.writeHead(500).end();
    if (++requests === 1) finish();
  });
  await pass(clientId, 6_000);
  await receiver.got(2);
  await sql(
    clientId,
    `update webhook_retry set attempts = 3, lease_until = statement_timestamp() + interval '1 minute'`,
  );
  finish();
  expect((await logged(clientId, 2))[1]).toMatchObject({ attempt: 2, retry: 'ENDED' });
  expect(await retriesOf(clientId)).toMatchObject([{ attempts: 3, lease_until: expect.any(Date) }]);
});

test('two processes send each retry once', async () => {
  let code = 500;
  const { clientId, receiver } = await webhooks.configured({ retries: true }, (_, response) =>
    response.writeHead(code).end(),
  );
  const messages = await enqueue(database.db, clientId, Array(100).fill('[1]'));
  const ids = messages.map(({ id }) => id);
  webhooks.dispatch().wake(clientId, messages);
  await logged(clientId, 100);
  code = 200;
  webhooks.dispatch();
  await pass(clientId, 6_000);
  const log = await logged(clientId, 200);
  expect(await retriesOf(clientId)).toEqual([]);
  expect(receiver.received).toHaveLength(200);
  const again = log.filter(({ attempt }) => attempt === 2);
  expect(again.map(({ message_id }) => message_id).toSorted()).toEqual(ids.toSorted());
});

test('beyond 10,000 that wait, a failure gets no retry, and the log and the metrics say so', async () => {
  const registry = new Registry();
  const { clientId, receiver } = await webhooks.configured({ retries: true }, status(500));
  await backlog(clientId, 9_998, '1 hour');
  const ids = await enqueue(database.db, clientId, Array(10).fill('[1]'));
  webhooks.dispatch({ observeRetry: retryMetrics(registry) }).wake(clientId, ids);
  const log = await logged(clientId, 10);
  expect(log.filter(({ retry }) => retry === 'SCHEDULED')).toHaveLength(2);
  expect(log.filter(({ retry, retry_at }) => retry === 'BACKLOG_FULL' && retry_at === null)).toHaveLength(8);
  expect(await retriesOf(clientId)).toHaveLength(10_000);
  expect(await registry.metrics()).toContain('laurel_webhook_retries_total{type="REWARDS",retry="BACKLOG_FULL"} 8');
  expect(receiver.received).toHaveLength(10);
});

test('the backlog of a dead receiver takes one slot, and neither fresh messages nor the retries of others wait for it', async () => {
  const recovered = await webhooks.configured({ retries: true }, (_, response, { body }) =>
    response.writeHead(body === '["first"]' ? 500 : 200).end(),
  );
  const dispatcher = webhooks.dispatch();
  const latency = async (rounds: number) => {
    const took: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = recovered.receiver.received.length;
      const ids = await enqueue(database.db, recovered.clientId, ['[1]']);
      const started = performance.now();
      dispatcher.wake(recovered.clientId, ids);
      await recovered.receiver.got(before + 1);
      took.push(performance.now() - started);
    }
    return took.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
  };
  const alone = await latency(40);
  const dead = await Promise.all(Array.from({ length: 5 }, () => webhooks.configured({ retries: true }, () => {})));
  for (const { clientId } of dead) await backlog(clientId, 2_000, '-1 hour');
  const since = performance.now();
  await Promise.all(dead.map(({ receiver }) => receiver.got(1)));
  const beside = await latency(40);
  expect(beside).toBeLessThan(Math.max(5 * alone, 25));
  // One at a time, each for five seconds.
  const inTurn = 1 + Math.floor((performance.now() - since) / 5_000);
  for (const { receiver } of dead) expect(receiver.received.length).toBeLessThanOrEqual(inTurn);
  // Retries of a working endpoint do not wait behind 10,000 for dead ones, which take five seconds each.
  await backlog(recovered.clientId, 200, '-1 minute');
  await expect.poll(() => retriesOf(recovered.clientId), { timeout: 15_000 }).toEqual([]);
}, 120_000);

/** Messages that wait for their retry, due after `interval`. */
async function backlog(clientId: string, count: number, interval: string): Promise<void> {
  await sql(
    clientId,
    `insert into webhook_retry (client_id, id, configuration_id, type, body, attempts, first_attempt_at, next_attempt_at, last_outcome)
     select client_id, gen_random_uuid(), configuration_id, type, '[]', 1, clock_timestamp() - interval '2 hours',
            clock_timestamp() + $2::interval, 'TIMED_OUT'
       from webhook_configuration, generate_series(1, $1)`,
    [count, interval],
  );
}

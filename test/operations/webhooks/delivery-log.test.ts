import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { ok, pageQuery, recorded } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let service: TestService;
let receiver: Receiver;
/** The receiver's answer. */
let status = 500;
/** The attempt that the receiver refused. */
let refused: { id: string; messageId: string };

const deliveries = (query = pageQuery()) => ok(service.rest('GET', `/admin/webhooks/deliveries/paginated?${query}`));
const redeliver = (id: string, token?: string) =>
  service.rest('POST', `/admin/webhooks/deliveries/${id}/redeliver`, undefined, token);

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver((_request, response) => response.writeHead(status).end('thanks'));
  await ok(service.rest('PUT', '/webhooks/rewards', { endpoint: `${receiver.url}/hooks/rewards?key=secret-key` }));
  await newGame(service);
  await ok(
    service.rest('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' }),
  );
  await vi.waitFor(async () => expect((await deliveries()).totalRows).toBe(1), { timeout: 8_000 });
  [refused] = (await deliveries()).rows;
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

test('the log tells how an attempt ended, and only one by one what was sent', async () => {
  expect(refused).toMatchObject({
    type: 'REWARDS',
    attempt: 1,
    method: 'POST',
    target: `${receiver.url}/hooks/rewards`,
    outcome: 'REFUSED',
    statusCode: 500,
    responseExcerpt: 'thanks',
  });
  expect(JSON.stringify(refused)).not.toMatch(/secret-key|body/);
  const one = await ok(service.rest('GET', `/admin/webhooks/deliveries/${refused.id}`));
  expect(one).toEqual({ ...refused, body: receiver.received[0]!.body });
});

test('the log is filtered by type, outcome and time', async () => {
  const total = async (query: string) => (await deliveries(query)).totalRows;
  expect(await total(pageQuery({ outcome: 'REFUSED', type: 'REWARDS', statusCode: 500 }))).toBeGreaterThan(0);
  expect(await total(pageQuery({ type: 'PUBLICATION_STATUS' }))).toBe(0);
  const hourFrom = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  expect(await total(`${pageQuery()}&from=${hourFrom(-1)}&to=${hourFrom(1)}`)).toBeGreaterThan(0);
  expect(await total(`${pageQuery()}&from=${hourFrom(1)}`)).toBe(0);
  expect(await total(`${pageQuery()}&to=${hourFrom(-1)}`)).toBe(0);
  expect(await total(`${pageQuery()}&since=${hourFrom(-1)}&until=${hourFrom(1)}`)).toBeGreaterThan(0);
  expect(await total(`${pageQuery()}&since=${hourFrom(1)}`)).toBe(0);
  expect(await total(`${pageQuery()}&until=${hourFrom(-1)}`)).toBe(0);
});

describe('a redelivery', () => {
  test('sends the same bytes once more and logs a further attempt', async () => {
    status = 200;
    const before = receiver.received.length;
    expect(await ok(redeliver(refused.id))).toMatchObject({ id: refused.messageId, type: 'REWARDS', attempts: 1 });
    const of = pageQuery({ messageId: refused.messageId });
    await expect.poll(async () => (await deliveries(of)).totalRows, { timeout: 8_000 }).toBe(2);
    expect(receiver.received.slice(before).map(({ body }) => body)).toEqual([receiver.received[0]!.body]);
    expect((await deliveries(of)).rows[0]).toMatchObject({ attempt: 2, outcome: 'DELIVERED', statusCode: 200 });
    expect(await recorded(service, refused.messageId)).toMatchObject([
      { operation: 'WebhookAdminService.RedeliverWebhook' },
    ]);
  });

  test('waits among the others, and is not queued twice', async () => {
    // Another process holds the lease, so the message is not sent in the meantime.
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(
        `insert into outbox_message (client_id, id, configuration_id, type, body, not_before, lease_until, attempts)
         select client_id, $2, configuration_id, type, '[]', now(), now() + interval '1 minute', 1
           from webhook_configuration where client_id = $1`,
        [service.clientId, refused.messageId],
      ),
    );
    expect(await redeliver(refused.id)).toMatchObject({ status: 409, body: { code: 'WEBHOOK_WAITING' } });
    const waiting = await ok(service.rest('GET', `/admin/webhooks/waiting/paginated?${pageQuery()}`));
    expect(waiting.rows).toMatchObject([{ id: refused.messageId, type: 'REWARDS', attempts: 1, sending: true }]);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('delete from outbox_message where client_id = $1', [service.clientId]),
    );
  });

  test('by two operators at once is sent once', async () => {
    const before = receiver.received.length;
    const answers = await Promise.all([redeliver(refused.id), redeliver(refused.id)]);
    const accepted = answers.filter((answer) => answer.status === 200).length;
    expect(answers.every((answer) => [200, 409].includes(answer.status))).toBe(true);
    await expect.poll(() => receiver.received.length, { timeout: 8_000 }).toBe(before + accepted);
    // The receiver gets the message before the log has the attempt.
    const waiting = () => ok(service.rest('GET', `/admin/webhooks/waiting/paginated?${pageQuery()}`));
    await expect.poll(async () => (await waiting()).totalRows, { timeout: 8_000 }).toBe(0);
  });

  test('needs a configuration, and something that was sent', async () => {
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('update webhook_delivery set body = null where client_id = $1', [service.clientId]),
    );
    expect((await redeliver(refused.id)).body.code).toBe('WEBHOOK_BODY_GONE');
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`update webhook_delivery set body = '[]' where client_id = $1`, [service.clientId]),
    );
    await ok(service.rest('DELETE', '/webhooks/rewards'));
    expect((await redeliver(refused.id)).body.code).toBe('WEBHOOK_NOT_CONFIGURED');
  });
});

describe('a webhook with retries', () => {
  /** The first failed attempt. */
  let failed: { id: string; messageId: string };
  const waiting = async (query = pageQuery()) =>
    (await ok(service.rest('GET', `/admin/webhooks/waiting/paginated?${query}`))).rows;
  const retries = async (token?: string) =>
    (await ok(service.rest('GET', '/admin/webhooks/retries', undefined, token))).rows;
  const stop = (body: unknown, token?: string) => service.rest('POST', '/admin/webhooks/retries/stop', body, token);
  const settings = () => ({ endpoint: `${receiver.url}/again`, retries: true });

  beforeAll(async () => {
    status = 503;
    expect(await ok(service.rest('PUT', '/webhooks/rewards', settings()))).toMatchObject({ retries: true });
    await ok(
      service.rest('POST', '/gamification/triggers', {
        programmaticCode: 'LOGIN',
        accountId: 'bob',
        idType: 'EXTERNAL',
      }),
    );
    const of = pageQuery({ statusCode: 503 });
    await vi.waitFor(async () => expect((await deliveries(of)).totalRows).toBe(1), { timeout: 8_000 });
    [failed] = (await deliveries(of)).rows;
    // Far in the future, so that the retry comes when the test says so.
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`update webhook_retry set next_attempt_at = clock_timestamp() + interval '1 hour', lease_until = null`),
    );
  });

  test('tells in the log that a failed attempt is retried, and when', async () => {
    const one = await ok(service.rest('GET', `/admin/webhooks/deliveries/${failed.id}`));
    expect(one).toMatchObject({
      outcome: 'REFUSED',
      attempt: 1,
      retry: 'SCHEDULED',
      body: expect.stringContaining('['),
    });
    expect(Date.parse(one.retryAt) - Date.parse(one.attemptedAt)).toBeLessThan(10_000);
  });

  test('shows what waits with the next attempt and how the last one ended, and counts it', async () => {
    const next = { lastOutcome: 'REFUSED', lastStatusCode: 503, nextAttemptAt: expect.any(String) };
    const row = { id: failed.messageId, type: 'REWARDS', attempts: 1, sending: false, ...next };
    expect(await waiting()).toMatchObject([row]);
    expect(await waiting(pageQuery({ nextAttemptAt: null }))).toEqual([]);
    expect(await retries()).toMatchObject([{ type: 'REWARDS', waiting: 1, ...next }]);
  });

  test('sends one that waits at once where an operator asks for it, under the id and number of its row', async () => {
    const before = receiver.received.length;
    expect(await ok(redeliver(failed.id))).toMatchObject({ id: failed.messageId, attempts: 1 });
    const of = pageQuery({ messageId: failed.messageId });
    await expect.poll(async () => (await deliveries(of)).totalRows, { timeout: 3_000 }).toBe(2);
    expect((await deliveries(of)).rows[0]).toMatchObject({ attempt: 2, outcome: 'REFUSED', retry: 'SCHEDULED' });
    expect(receiver.received.slice(before)).toHaveLength(1);
    expect(await waiting()).toMatchObject([{ id: failed.messageId, attempts: 2 }]);
  });

  test('answers 409 while one is being sent', async () => {
    const lease = (sql: string) =>
      service.db.unitOfWork(service.clientId, (uow) => uow.query(`update webhook_retry set lease_until = ${sql}`));
    await lease(`clock_timestamp() + interval '1 minute'`);
    expect(await redeliver(failed.id)).toMatchObject({ status: 409, body: { code: 'WEBHOOK_WAITING' } });
    expect(await waiting()).toMatchObject([{ sending: true }]);
    await lease('null');
  });

  test('stops what waits when an operator says so, once, and in the audit log', async () => {
    const { adminToken } = await service.newTenant();
    expect(await ok(stop({ type: 'REWARDS' }, adminToken))).toEqual({ stopped: 0 });
    expect(await retries(adminToken)).toEqual([]);
    expect(await stop({ type: 'REWARDS' }, service.apiKey)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    for (const body of [{}, { type: 'NONE' }]) {
      expect(await stop(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    }
    expect(await ok(stop({ type: 'PUBLICATION_STATUS' }))).toEqual({ stopped: 0 });
    expect(await retries()).toMatchObject([{ waiting: 1 }]);
    expect(await ok(stop({ type: 'REWARDS' }))).toEqual({ stopped: 1 });
    expect(await ok(stop({ type: 'REWARDS' }))).toEqual({ stopped: 0 });
    expect(await retries()).toEqual([{ type: 'REWARDS', waiting: 0 }]);
    expect(await waiting()).toEqual([]);
    const entries = await recorded(service, 'REWARDS');
    expect(entries.filter(({ operation }) => operation.endsWith('StopWebhookRetries'))).toMatchObject([
      { before: { type: 'REWARDS', waiting: 1 }, after: { type: 'REWARDS' } },
    ]);
  });

  test('retries anew what is sent again by hand after it was stopped, and fails', async () => {
    const of = pageQuery({ messageId: failed.messageId });
    const { totalRows } = await deliveries(of);
    await ok(redeliver(failed.id));
    await expect.poll(async () => (await deliveries(of)).totalRows, { timeout: 8_000 }).toBe(totalRows + 1);
    expect(await retries()).toMatchObject([{ waiting: 1 }]);
    await ok(stop({ type: 'REWARDS' }));
    await ok(service.rest('DELETE', '/webhooks/rewards'));
    expect(await retries()).toEqual([]);
  });
});

test("another client's log is nobody else's", async () => {
  const { adminToken } = await service.newTenant();
  const unknown = { status: 404, body: { code: 'WEBHOOK_DELIVERY_NOT_FOUND' } };
  expect(await redeliver(refused.id, adminToken)).toMatchObject(unknown);
  expect(await service.rest('GET', `/admin/webhooks/deliveries/${refused.id}`, undefined, adminToken)).toMatchObject(
    unknown,
  );
  expect(await redeliver(newId())).toMatchObject(unknown);
  const list = await ok(
    service.rest('GET', `/admin/webhooks/deliveries/paginated?${pageQuery()}`, undefined, adminToken),
  );
  expect(list.rows).toEqual([]);
});

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { CLIENT_ROW } from '../../../src/persistence/client-row.ts';
import { ok, pageQuery, recorded } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let service: TestService;
let receiver: Receiver;
/** Failed messages, oldest first. */
let failed: string[];

const period = () => ({
  since: new Date(Date.now() - 3_600_000).toISOString(),
  until: new Date(Date.now() + 3_600_000).toISOString(),
});
const resend = (body: object = {}, token?: string) =>
  service.rest(
    'POST',
    '/admin/webhooks/deliveries/resend',
    { type: 'REWARDS', reason: 'It is back.', ...period(), ...body },
    token,
  );

/** One attempt in the log of the messages. */
function log(messageIds: readonly string[], outcome: string, hasBody = true): Promise<unknown> {
  return service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `insert into webhook_delivery (client_id, id, message_id, type, attempt, method, target, body, attempted_at, duration_ms, outcome)
       select client_row.client_id, a.id, a.message_id, 'REWARDS', 1, 'POST', 'http://localhost', case when $5 then to_json(a.message_id)::text end, now(), 1, $4
         from ${CLIENT_ROW} cross join unnest($2::uuid[], $3::uuid[]) as a(id, message_id)`,
      [uow.clientId, messageIds.map(() => newId()), messageIds, outcome, hasBody],
    ),
  );
}

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  failed = Array.from({ length: 5 }, () => newId());
  await log(failed, 'REFUSED');
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

test('a resend needs the webhook, a period that does not end before it begins, and an outcome that failed', async () => {
  expect(await resend()).toMatchObject({ status: 409, body: { code: 'WEBHOOK_NOT_CONFIGURED' } });
  await ok(service.rest('PUT', '/webhooks/rewards', { endpoint: receiver.url }));
  const { since, until } = period();
  expect((await resend({ since: until, until: since })).body.message).toBe('`until` must be later than `since`.');
  expect((await resend({ outcomes: ['DELIVERED'] })).status).toBe(400);
  expect((await resend({ limit: 1001 })).status).toBe(400);
  expect((await resend({ reason: '' })).status).toBe(400);
});

test('a resend sends what failed, the oldest first, at most so many, once for an operation id, and is audited', async () => {
  // Delivered since, abandoned without a body, or of another outcome: none of them is sent.
  const [delivered, bodiless, timedOut] = [newId(), newId(), newId()];
  await log([delivered], 'FAILED');
  await log([delivered], 'DELIVERED');
  await log([bodiless], 'FAILED', false);
  await log([timedOut], 'TIMED_OUT');
  const first = { outcomes: ['REFUSED', 'FAILED'], limit: 3, operationId: 'resend-1', ...period() };
  expect(await ok(resend(first))).toEqual({ resent: 3, more: true });
  expect(await ok(resend(first))).toEqual({ resent: 3, more: true });
  expect((await resend({ ...first, limit: 4 })).body.code).toBe('OPERATION_ID_REUSED');
  const sent = () => receiver.received.map(({ body }): string => JSON.parse(body));
  await vi.waitFor(() => expect(sent().toSorted()).toEqual(failed.slice(0, 3).toSorted()), { timeout: 8_000 });
  expect(await ok(resend({ ...first, operationId: 'resend-2' }))).toEqual({ resent: 2, more: false });
  await vi.waitFor(() => expect(sent().toSorted()).toEqual(failed.toSorted()), { timeout: 8_000 });
  const operation = 'WebhookAdminService.ResendWebhookDeliveries';
  expect((await recorded(service, 'REWARDS')).slice(-2)).toMatchObject([
    { operation, note: expect.stringMatching(/^3 sent again .*: It is back\.$/) },
    { operation, note: expect.stringMatching(/^2 sent again/) },
  ]);
});

test('two operators who resend at once send each message once, and what waits for a retry is left to it', async () => {
  const [waiting, ...messages] = Array.from({ length: 9 }, () => newId());
  await log([waiting!, ...messages], 'TIMED_OUT');
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `insert into webhook_retry (client_id, id, configuration_id, type, body, attempts, first_attempt_at, next_attempt_at, last_outcome, created_at)
       select client_id, $2, configuration_id, type, '[]', 1, now(), now() + interval '1 hour', 'TIMED_OUT', now()
         from webhook_configuration where client_id = $1`,
      [uow.clientId, waiting],
    ),
  );
  const before = receiver.received.length;
  const answers = await Promise.all([resend({ outcomes: ['TIMED_OUT'] }), resend({ outcomes: ['TIMED_OUT'] })]);
  // The nine include the message of the previous test.
  expect(answers.map(({ body }): number => body.resent).toSorted((a, b) => a - b)).toEqual([0, 9]);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(before + 9), { timeout: 8_000 });
  const ids = receiver.received.slice(before).map(({ body }) => JSON.parse(body));
  expect(new Set(ids).size).toBe(9);
  expect(ids).not.toContain(waiting);
});

test("a resend touches nothing of another client's", async () => {
  const other = await service.newTenant();
  await ok(service.rest('PUT', '/webhooks/rewards', { endpoint: receiver.url }, other.adminToken));
  await log([newId()], 'FAILED');
  const before = receiver.received.length;
  expect(await ok(resend({}, other.adminToken))).toEqual({ resent: 0, more: false });
  expect(receiver.received).toHaveLength(before);
  expect(await ok(resend({ outcomes: ['FAILED'] }))).toMatchObject({ resent: 1 });
});

test('the log can be filtered by every type of webhook', async () => {
  for (const type of ['REWARDS', 'PUBLICATION_STATUS', 'MISSION_COMPLETED', 'STOCK_LOW']) {
    const { rows } = await ok(service.rest('GET', `/admin/webhooks/deliveries/paginated?${pageQuery({ type })}`));
    expect(rows.filter((row: { type: string }) => row.type !== type)).toEqual([]);
  }
});

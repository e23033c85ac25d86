import { fromJson } from '@bufbuild/protobuf';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  PublicationStatusChangeSchema,
  RewardDeliverySchema,
  WebhookConfiguration_AuthenticationMethodType,
  WebhookConfiguration_Method,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import { testWebhook } from '../../../src/webhooks/configuration/test-webhook.ts';
import type { WebhookType } from '../../../src/webhooks/configuration/webhook-type.ts';
import { newClient, type TestDatabase, testDatabase } from '../../support/database.ts';
import { callOf, deliveriesOf, openWebhooks, type Webhooks, waitingOf } from './fixture.ts';
import { type Answer, type Receiver, startReceiver } from './receiver.ts';

let database: TestDatabase;
let webhooks: Webhooks;
const receivers: Receiver[] = [];

beforeAll(async () => {
  database = await testDatabase();
  webhooks = openWebhooks(database.db);
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(() => database.drop());

test('the rewards test is a POST of the real shape, each item saying test: true, whatever method is configured', async () => {
  const { clientId, receiver } = await configured('REWARDS', undefined, WebhookConfiguration_Method.DELETE);
  expect(await call(clientId, 'REWARDS')).toEqual({ success: true });
  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received;
  expect(request).toMatchObject({ method: 'POST', url: '/hook?token=secret-value' });
  expect(request?.headers['content-type']).toBe('application/json');
  const items = JSON.parse(request!.body);
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) {
    expect(item.test).toBe(true);
    // Strict: a key or an enum value that the contract does not know fails here.
    expect(fromJson(RewardDeliverySchema, item).codes[0]?.code).toEqual(expect.any(String));
  }
});

test('a header that was allowed when it was stored is sent as before', async () => {
  const { clientId, receiver } = await configured('REWARDS', undefined, undefined, {
    authenticationMethodType: WebhookConfiguration_AuthenticationMethodType.HEADER,
    authenticationMethodKey: 'X-Token',
  });
  const asStored = `update webhook_configuration set authentication_method_key = 'User-Agent'`;
  await database.db.unitOfWork(clientId, (uow) => uow.query(asStored));
  expect(await call(clientId, 'REWARDS')).toEqual({ success: true });
  expect(receiver.received[0]?.headers['user-agent']).toBe('secret-value');
});

test('the publication-status test is one object of the real shape that says test: true', async () => {
  const { clientId, receiver } = await configured('PUBLICATION_STATUS');
  expect(await call(clientId, 'PUBLICATION_STATUS')).toEqual({ success: true });
  const change = JSON.parse(receiver.received[0]!.body);
  expect(change).toMatchObject({ test: true, clientId, status: 'PUBLISHED_ON_MARKETPLACE', pauseReason: 'NONE' });
  expect(fromJson(PublicationStatusChangeSchema, change).timestamp).toBeDefined();
});

test.each([200, 201, 202, 204, 299])('%d is a success', async (status) => {
  const { clientId } = await configured('REWARDS', (_, response) => response.writeHead(status).end());
  expect(await call(clientId, 'REWARDS')).toEqual({ success: true });
});

test.each([301, 302, 307, 304, 400, 401, 404, 429, 500, 503])('%d is none', async (status) => {
  const { clientId, receiver } = await configured('REWARDS', (_, response) =>
    response.writeHead(status, { location: '/x' }).end(),
  );
  expect(await call(clientId, 'REWARDS')).toEqual({ success: false });
  expect(receiver.received).toHaveLength(1);
});

test('a refused connection, a name that does not resolve, and an endpoint that speaks no HTTP are no success', async () => {
  const closed = await startReceiver();
  await closed.close();
  for (const endpoint of [closed.url, 'http://does-not-exist.invalid/', closed.url.replace('http:', 'https:')]) {
    const clientId = await newClient(database.db);
    await webhooks.put(clientId, { endpoint });
    expect(await call(clientId, 'REWARDS')).toEqual({ success: false });
  }
});

test('5 seconds of silence are no success, and no longer wait', async () => {
  const { clientId } = await configured('REWARDS', () => {});
  const started = performance.now();
  expect(await call(clientId, 'REWARDS')).toEqual({ success: false });
  const seconds = (performance.now() - started) / 1000;
  expect(seconds).toBeGreaterThan(4.9);
  expect(seconds).toBeLessThan(5.5);
});

test('nothing of a test is stored', async () => {
  const { clientId } = await configured('REWARDS', (_, response) => response.writeHead(500).end());
  await call(clientId, 'REWARDS');
  expect(await waitingOf(database.db, clientId)).toBe(0);
  expect(await deliveriesOf(database.db, clientId)).toEqual([]);
});

test('what is not configured cannot be tested', async () => {
  const { clientId } = await configured('REWARDS');
  await expect(call(clientId, 'PUBLICATION_STATUS')).rejects.toMatchObject({
    kind: 'NOT_FOUND',
    code: 'WEBHOOK_NOT_FOUND',
  });
});

async function configured(type: WebhookType, answer?: Answer, method?: WebhookConfiguration_Method, more: object = {}) {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  const clientId = await newClient(database.db);
  const settings = {
    endpoint: `${receiver.url}/hook`,
    authenticationMethodType: WebhookConfiguration_AuthenticationMethodType.QUERY_PARAM,
    authenticationMethodKey: 'token',
    authenticationValue: 'secret-value',
    ...(method === undefined ? {} : { method }),
    ...more,
  };
  await webhooks.put(clientId, settings, type);
  return { clientId, receiver };
}

function call(clientId: string, type: WebhookType) {
  return testWebhook(callOf(webhooks.db, clientId), type, webhooks);
}

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  WebhookConfiguration_AuthenticationMethodType as Authentication,
  WebhookConfiguration_Method as Method,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { deleteWebhook } from '../../../src/webhooks/configuration/delete-webhook.ts';
import { deleteOldWebhookRows } from '../../../src/webhooks/outbox/delete-old-webhook-rows.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { callOf, enqueue, openWebhooks, type Webhooks } from './fixture.ts';
import { retryTools, status } from './retry-tools.ts';

let database: TestDatabase;
let webhooks: Webhooks;

beforeAll(async () => {
  database = await testDatabase();
  webhooks = openWebhooks(database.db);
});
afterEach(() => webhooks.stop());
afterAll(() => database.drop());

const { sql, retriesOf, pass, logged, failedOnce } = retryTools(() => webhooks);

const MINUTE = 60_000;

describe('what ends the retries that wait:', () => {
  const authentication = {
    authenticationMethodType: Authentication.HEADER,
    authenticationMethodKey: 'x-key',
    authenticationValue: 'the secret',
  };

  test('DELETE, for good', async () => {
    const { clientId, receiver } = await failedOnce(status(500));
    await deleteWebhook(callOf(database.db, clientId), 'REWARDS', webhooks);
    expect(await retriesOf(clientId)).toEqual([]);
    await webhooks.put(clientId, { endpoint: `${receiver.url}/hook`, retries: true });
    expect(receiver.received).toHaveLength(1);
  });

  test.each([
    ['another endpoint', { endpoint: '/other' }],
    ['another method', { method: Method.PUT }],
    ['a signature', { signed: true }],
    ['another secret', { authenticationValue: 'another secret' }],
    ['retries switched off', { retries: false }],
  ] as const)('a PUT with %s', async (_name, change) => {
    const { clientId, receiver } = await failedOnce(status(500), authentication);
    const endpoint = receiver.url + ('endpoint' in change ? change.endpoint : '/hook');
    await webhooks.put(clientId, { ...authentication, retries: true, ...change, endpoint });
    expect(await retriesOf(clientId)).toEqual([]);
  });

  test('not a PUT of the same settings, its secret sent again or masked', async () => {
    const settings = { ...authentication, signed: true };
    const { clientId, receiver } = await failedOnce(status(500), settings);
    const same = { ...settings, endpoint: `${receiver.url}/hook`, retries: true };
    const stored = await webhooks.put(clientId, same);
    await webhooks.put(clientId, { ...same, authenticationValue: stored.authenticationValue! });
    expect(await retriesOf(clientId)).toHaveLength(1);
  });

  test('while one is being sent: it is logged as ended, and not sent again', async () => {
    let requests = 0;
    let finish: () => void = () => {};
    const { clientId, receiver } = await failedOnce((_, response) => {
      finish = () => response.writeHead(500).end();
      if (++requests === 1) finish();
    });
    await pass(clientId, 6_000);
    await receiver.got(2);
    await webhooks.put(clientId, { endpoint: `${receiver.url}/new`, retries: true });
    finish();
    expect((await logged(clientId, 2))[1]).toMatchObject({ attempt: 2, retry: 'ENDED', retry_at: null });
    expect(await retriesOf(clientId)).toEqual([]);
  });

  test('retries switched off while a first attempt is being sent', async () => {
    let finish: () => void = () => {};
    const { clientId, receiver } = await webhooks.configured(
      { retries: true },
      (_, response) => (finish = () => response.writeHead(500).end()),
    );
    webhooks.dispatch().wake(clientId, await enqueue(database.db, clientId, ['[1]']));
    await receiver.got(1);
    await webhooks.put(clientId, { endpoint: `${receiver.url}/hook` });
    finish();
    expect(await logged(clientId, 1)).toMatchObject([{ retry: 'ENDED' }]);
    expect(await retriesOf(clientId)).toEqual([]);
  });

  test('housekeeping, where a DELETE did not see them', async () => {
    const { clientId } = await failedOnce(status(500));
    await sql(clientId, 'update webhook_retry set configuration_id = $1', [newId()]);
    const olderThan = new Date(Date.now() + MINUTE);
    await sql(clientId, 'delete from webhook_delivery');
    expect(await deleteOldWebhookRows(database.db, clientId, { olderThan })).toBe(1);
    expect(await retriesOf(clientId)).toEqual([]);
  });
});

import { fromJson } from '@bufbuild/protobuf';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { RewardDeliverySchema } from '../../../gen/laurel/v1/webhook_pb.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { waitingOf } from './fixture.ts';
import { type Answer, type Receiver, startReceiver } from './receiver.ts';

let service: TestService;
const receivers: Receiver[] = [];

beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  for (const type of ['rewards', 'publication-status']) await service.rest('DELETE', `/webhooks/${type}`);
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(() => service.close());

test.each(['rewards', 'publication-status'])('%s: PUT, GET, test and DELETE answer as documented', async (type) => {
  const path = `/webhooks/${type}`;
  const receiver = await listen();
  expect(await service.rest('GET', path)).toMatchObject({
    status: 404,
    body: { statusCode: 404, code: 'WEBHOOK_NOT_FOUND', traceId: expect.any(String) },
  });
  const settings = {
    endpoint: `${receiver.url}/hook`,
    method: 'POST',
    authenticationMethodType: 'HEADER',
    authenticationMethodKey: 'X-Token',
    authenticationValue: 'a-long-secret',
  };
  const expected = { status: 200, body: { ...settings, authenticationValue: '••••cret' } };
  expect(await service.rest('PUT', path, settings)).toMatchObject(expected);
  expect(await service.rest('PUT', path, settings)).toMatchObject(expected);
  expect(await service.rest('GET', path)).toMatchObject(expected);
  expect(await service.rest('POST', `${path}/test`)).toMatchObject({ status: 200, body: { success: true } });
  expect(receiver.received[0]?.headers['x-token']).toBe('a-long-secret');
  for (let time = 1; time <= 2; time += 1) {
    expect(await service.rest('DELETE', path)).toMatchObject({ status: 204, body: undefined });
  }
  expect(await service.rest('POST', `${path}/test`)).toMatchObject({ status: 404 });
});

test('null is as good as leaving the authentication out', async () => {
  const endpoint = 'http://127.0.0.1:1/';
  const nothing = { authenticationMethodType: null, authenticationMethodKey: null, authenticationValue: null };
  expect(await service.rest('PUT', '/webhooks/rewards', { endpoint, ...nothing })).toMatchObject({ status: 200 });
});

test('an integrator may not manage webhooks', async () => {
  for (const [method, path] of [
    ['GET', '/webhooks/rewards'],
    ['PUT', '/webhooks/rewards'],
    ['POST', '/webhooks/rewards/test'],
    ['DELETE', '/webhooks/rewards'],
  ] as const) {
    const body = method === 'PUT' ? { endpoint: 'https://example.com/' } : undefined;
    expect(await service.rest(method, path, body, service.apiKey)).toMatchObject({ status: 403 });
  }
});

test.each<[string, unknown]>([
  ['nothing', {}],
  ['no protocol', { endpoint: 'example.com' }],
  ['2,049 characters', { endpoint: `https://example.com/${'x'.repeat(2029)}` }],
  ['a number as endpoint', { endpoint: 7 }],
  ['method GET', { endpoint: 'https://example.com/', method: 'GET' }],
  ['a method in lower case', { endpoint: 'https://example.com/', method: 'post' }],
  ['a method of an unknown number', { endpoint: 'https://example.com/', method: 99 }],
  ['an unknown authentication', { endpoint: 'https://example.com/', authenticationMethodType: 'BASIC' }],
  ['an unknown field', { endpoint: 'https://example.com/', unknown: true }],
  [
    'HEADER with empty texts',
    {
      endpoint: 'https://e.com/',
      authenticationMethodType: 'HEADER',
      authenticationMethodKey: '',
      authenticationValue: '',
    },
  ],
])('PUT with %s is a 400 and stores nothing', async (_, settings) => {
  expect(await service.rest('PUT', '/webhooks/rewards', settings)).toMatchObject({
    status: 400,
    body: { statusCode: 400, code: 'BAD_REQUEST' },
  });
  expect(await service.rest('GET', '/webhooks/rewards')).toMatchObject({ status: 404 });
});

test('each of 40 accounts that close a campaign at once causes one webhook, and none before its answer', async () => {
  const answered = new Set<string>();
  const early: string[] = [];
  const receiver = await listen((_, response, { body }) => {
    const [{ accountId }] = JSON.parse(body);
    if (!answered.has(accountId)) early.push(accountId);
    response.writeHead(204).end();
  });
  await service.rest('PUT', '/webhooks/rewards', { endpoint: receiver.url, method: 'PUT' });
  const { campaignId, rewardIds } = await newGame(service, { rewards: [{ name: 'a', type: 'POINTS', amount: 10 }] });
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const event = { programmaticCode: 'LOGIN', idType: 'EXTERNAL', accountId: `buyer ${index}`, metadata: {} };
      const answer = await service.rest('POST', '/gamification/triggers', event);
      answered.add(answer.body.rewards[0].accountId);
      return answer;
    }),
  );
  const ids = answers.map(({ body }) => body.rewards[0].accountId);
  await receiver.got(40);
  await expect.poll(() => waitingOf(service.db, service.clientId)).toBe(0);
  expect(early).toEqual([]);
  expect(receiver.received.map(({ method }) => method)).toEqual(Array(40).fill('PUT'));
  const items = receiver.received.flatMap(({ body }) => JSON.parse(body));
  expect(items).toHaveLength(40);
  expect(new Set(items.map(({ accountId }) => accountId))).toEqual(new Set(ids));
  for (const item of items) {
    expect(item).toMatchObject({ campaignId, rewardId: rewardIds[0], type: 'POINTS', amount: 10 });
    expect(item).not.toHaveProperty('test');
    fromJson(RewardDeliverySchema, item);
  }
});

async function listen(answer?: Answer): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

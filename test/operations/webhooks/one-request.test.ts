import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  WebhookConfiguration_AuthenticationMethodType,
  WebhookConfiguration_Method,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { deliveriesOf, openRoom, type Room, waitingOf } from './fixture.ts';
import type { Answer, Receiver } from './receiver.ts';

const { HEADER, QUERY_PARAM } = WebhookConfiguration_AuthenticationMethodType;

let database: TestDatabase;
let room: Room;

beforeAll(async () => {
  database = await testDatabase();
  room = openRoom(database.db);
});
afterEach(() => room.stop());
afterAll(() => database.drop());

test('a message is one request with the configured method, header and bytes', async () => {
  const { clientId, receiver } = await room.configured({
    method: WebhookConfiguration_Method.PATCH,
    authenticationMethodType: HEADER,
    authenticationMethodKey: 'X-Laurel-Token',
    authenticationValue: 'Bearer s3cret-value',
  });
  const body = '[ {"amount": 1.50, "note": "ünïcode \\u0041" } ]';
  await room.send(clientId, [body]);
  expect(receiver.received).toHaveLength(1);
  const [{ method, url, headers, body: arrived }] = receiver.received as [Receiver['received'][number]];
  expect({ method, url, arrived }).toEqual({ method: 'PATCH', url: '/hook', arrived: body });
  expect(headers).toMatchObject({ 'x-laurel-token': 'Bearer s3cret-value', 'content-type': 'application/json' });
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
  const [delivery] = await deliveriesOf(database.db, clientId);
  expect(delivery).toMatchObject({ outcome: 'DELIVERED', status_code: 204, attempt: 1, method: 'PATCH', body });
  expect(delivery?.target).toBe(receiver.url);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s carries the body', async (method) => {
  const { clientId, receiver } = await room.configured({ method: WebhookConfiguration_Method[method] });
  await room.send(clientId, ['[1]']);
  expect(receiver.received.map((request) => [request.method, request.body])).toEqual([[method, '[1]']]);
});

test('a query parameter is appended to the query that is there, which stays as it was written', async () => {
  const { clientId, receiver } = await room.configured(
    { authenticationMethodType: QUERY_PARAM, authenticationMethodKey: 'to ken', authenticationValue: 'a&b=c d' },
    undefined,
    '/hook%20path?x=%20y&z',
  );
  await room.send(clientId, ['[1]']);
  expect(receiver.received.map(({ url }) => url)).toEqual(['/hook%20path?x=%20y&z&to%20ken=a%26b%3Dc%20d']);
  const names = Object.keys(receiver.received[0]!.headers).sort();
  expect(names).toEqual(['connection', 'content-length', 'content-type', 'host', 'user-agent']);
});

test.each([
  ['500', 500, (_, response) => response.writeHead(500).end('no')],
  ['a redirect', 302, (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ['a permanent redirect', 308, (_, response) => response.writeHead(308, { location: '/elsewhere' }).end()],
  ['429 with Retry-After', 429, (_, response) => response.writeHead(429, { 'retry-after': '0' }).end()],
] satisfies Array<[string, number, Answer]>)('%s is an answer: nothing is sent again', async (_, status, answer) => {
  const { clientId, receiver } = await room.configured({}, answer);
  await room.send(clientId, ['[1]']);
  expect(receiver.received.map(({ url }) => url)).toEqual(['/hook']);
  expect(await deliveriesOf(database.db, clientId)).toMatchObject([
    { outcome: 'REFUSED', status_code: status, attempt: 1 },
  ]);
  expect(await waitingOf(database.db, clientId)).toBe(0);
});

test('a connection that is reset is not tried again', async () => {
  const { clientId, receiver } = await room.configured({}, (request) => request.socket.resetAndDestroy());
  await room.send(clientId, ['[1]']);
  expect(receiver.received).toHaveLength(1);
  expect(await deliveriesOf(database.db, clientId)).toMatchObject([
    { outcome: 'FAILED', status_code: null, error: 'ECONNRESET' },
  ]);
});

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  WebhookConfiguration_AuthenticationMethodType,
  WebhookConfiguration_Method,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { deliveriesOf, openWebhooks, type Webhooks, waitingOf } from './fixture.ts';
import type { Answer, Receiver } from './receiver.ts';

const { HEADER, QUERY_PARAM } = WebhookConfiguration_AuthenticationMethodType;

let database: TestDatabase;
let webhooks: Webhooks;

beforeAll(async () => {
  database = await testDatabase();
  webhooks = openWebhooks(database.db);
});
afterEach(() => webhooks.stop());
afterAll(() => database.drop());

test('a message is one request with the configured method, header and bytes', async () => {
  const { clientId, receiver } = await webhooks.configured({
    method: WebhookConfiguration_Method.PATCH,
    authenticationMethodType: HEADER,
    authenticationMethodKey: 'X-Laurel-Token',
    authenticationValue: 'Bearer s3cret-value',
  });
  const body = '[ {"amount": 1.50, "note": "ünïcode \\u0041" } ]';
  await webhooks.send(clientId, [body]);
  expect(receiver.received).toHaveLength(1);
  const [{ method, url, headers, body: arrived }] = receiver.received as [Receiver['received'][number]];
  expect({ method, url, arrived }).toEqual({ method: 'PATCH', url: '/hook', arrived: body });
  expect(headers).toMatchObject({ 'x-laurel-token': 'Bearer s3cret-value', 'content-type': 'application/json' });
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
  const [delivery] = await deliveriesOf(database.db, clientId);
  expect(delivery).toMatchObject({ outcome: 'DELIVERED', status_code: 204, attempt: 1, method: 'PATCH', body });
  expect(delivery?.target).toBe(`${receiver.url}/hook`);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s carries the body', async (method) => {
  const { clientId, receiver } = await webhooks.configured({ method: WebhookConfiguration_Method[method] });
  await webhooks.send(clientId, ['[1]']);
  expect(receiver.received.map((request) => [request.method, request.body])).toEqual([[method, '[1]']]);
});

test('a query parameter is appended to the query that is there, which stays as it was written', async () => {
  const { clientId, receiver } = await webhooks.configured(
    { authenticationMethodType: QUERY_PARAM, authenticationMethodKey: 'to ken', authenticationValue: 'a&b=c d' },
    undefined,
    '/hook%20path?x=%20y&z',
  );
  await webhooks.send(clientId, ['[1]']);
  expect(receiver.received.map(({ url }) => url)).toEqual(['/hook%20path?x=%20y&z&to%20ken=a%26b%3Dc%20d']);
  const names = Object.keys(receiver.received[0]!.headers).sort();
  expect(names).toEqual(['connection', 'content-length', 'content-type', 'host', 'user-agent']);
});

/** The headers that HTTP itself needs, in the form in which they have always been sent. */
const FRAMING = ['user-agent: Laurel-Webhooks/1', 'content-length: 3', 'Connection: close'];
const JSON_TYPE = 'content-type: application/json';

test.each([
  ['no authentication', {}, '/hook', []],
  [
    'a header',
    { authenticationMethodType: HEADER, authenticationMethodKey: 'X-Token', authenticationValue: 'open sesame' },
    '/hook',
    ['x-token: open sesame'],
  ],
  [
    'a query parameter',
    { authenticationMethodType: QUERY_PARAM, authenticationMethodKey: 'token', authenticationValue: 'sesame' },
    '/hook?token=sesame',
    [],
  ],
])('on the wire an unsigned request with %s has no header but those of the contract and of HTTP', async (...row) => {
  const [, settings, path, attached] = row;
  const { origin, bytes, close } = await rawReceiver();
  const { clientId } = await webhooks.configured(settings, undefined, '/hook', { url: origin } as Receiver);
  await webhooks.send(clientId, ['[1]']);
  const [head = '', body] = (await bytes).split('\r\n\r\n');
  const [line, ...headers] = head.split('\r\n');
  expect([line, body]).toEqual([`POST ${path} HTTP/1.1`, '[1]']);
  const host = `Host: ${new URL(origin).host}`;
  expect(headers.toSorted()).toEqual([...FRAMING, JSON_TYPE, host, ...attached].toSorted());
  await close();
});

test('on the wire a signed request has besides only the three headers of the signature, its id being that of the message', async () => {
  const { origin, bytes, close } = await rawReceiver();
  const { clientId } = await webhooks.configured({ signed: true }, undefined, '/hook', { url: origin } as Receiver);
  const [id] = await webhooks.send(clientId, ['[1]']);
  const headers = (await bytes).split('\r\n\r\n')[0]!.split('\r\n').slice(1);
  const own = headers.filter((header) => ![...FRAMING, JSON_TYPE].includes(header) && !header.startsWith('Host: '));
  expect(own.map((header) => header.replace(/: .*/, ''))).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  expect(own).toContain(`webhook-id: ${id}`);
  await close();
});

test.each([
  ['500', 500, (_, response) => response.writeHead(500).end('no')],
  ['a redirect', 302, (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ['a permanent redirect', 308, (_, response) => response.writeHead(308, { location: '/elsewhere' }).end()],
  ['429 with Retry-After', 429, (_, response) => response.writeHead(429, { 'retry-after': '0' }).end()],
] satisfies Array<[string, number, Answer]>)('%s is an answer: nothing is sent again', async (_, status, answer) => {
  const { clientId, receiver } = await webhooks.configured({}, answer);
  await webhooks.send(clientId, ['[1]']);
  expect(receiver.received.map(({ url }) => url)).toEqual(['/hook']);
  expect(await deliveriesOf(database.db, clientId)).toMatchObject([
    { outcome: 'REFUSED', status_code: status, attempt: 1 },
  ]);
  expect(await waitingOf(database.db, clientId)).toBe(0);
});

test('a connection that is reset is not tried again', async () => {
  const { clientId, receiver } = await webhooks.configured({}, (request) => request.socket.resetAndDestroy());
  await webhooks.send(clientId, ['[1]']);
  expect(receiver.received).toHaveLength(1);
  expect(await deliveriesOf(database.db, clientId)).toMatchObject([
    { outcome: 'FAILED', status_code: null, error: 'ECONNRESET' },
  ]);
});

/** A receiver that keeps the exact bytes of the one request that it answers. */
async function rawReceiver() {
  const server = createServer();
  const bytes = new Promise<string>((resolve) => {
    server.once('connection', (socket) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        if (!text.endsWith('\r\n\r\n[1]')) return;
        socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
        resolve(text);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

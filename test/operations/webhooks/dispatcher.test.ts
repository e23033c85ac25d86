import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  WebhookConfiguration_AuthenticationMethodType,
  WebhookConfiguration_Method,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import { deleteWebhook } from '../../../src/webhooks/delete-webhook.ts';
import { enqueueWebhooks } from '../../../src/webhooks/enqueue-webhooks.ts';
import { webhookMetrics } from '../../../src/webhooks/webhook-metrics.ts';
import { newClient, type TestDatabase, testDatabase } from '../../support/database.ts';
import { adminOf, deliveriesOf, enqueue, openRoom, type Room, waitingOf } from './fixture.ts';
import { type Answer, type Receiver, startReceiver } from './receiver.ts';

const { HEADER, QUERY_PARAM } = WebhookConfiguration_AuthenticationMethodType;

let database: TestDatabase;
let room: Room;
const receivers: Receiver[] = [];

beforeAll(async () => {
  database = await testDatabase();
  room = openRoom(database.db);
});
afterEach(async () => {
  // First the receivers: a request that hangs would keep the dispatcher from stopping for its 5 seconds.
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await room.stop();
});
afterAll(() => database.drop());

test('a message is one request with the configured method, header and bytes', async () => {
  const { clientId, receiver } = await configured({
    method: WebhookConfiguration_Method.PATCH,
    authenticationMethodType: HEADER,
    authenticationMethodKey: 'X-Laurel-Token',
    authenticationValue: 'Bearer s3cret-value',
  });
  const body = '[ {"amount": 1.50, "note": "ünïcode \\u0041" } ]';
  await send(clientId, [body]);
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
  const { clientId, receiver } = await configured({ method: WebhookConfiguration_Method[method] });
  await send(clientId, ['[1]']);
  expect(receiver.received.map((request) => [request.method, request.body])).toEqual([[method, '[1]']]);
});

test('a query parameter is appended to the query that is there, which stays as it was written', async () => {
  const { clientId, receiver } = await configured(
    { authenticationMethodType: QUERY_PARAM, authenticationMethodKey: 'to ken', authenticationValue: 'a&b=c d' },
    undefined,
    '/hook%20path?x=%20y&z',
  );
  await send(clientId, ['[1]']);
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
  const { clientId, receiver } = await configured({}, answer);
  await send(clientId, ['[1]']);
  expect(receiver.received.map(({ url }) => url)).toEqual(['/hook']);
  expect(await deliveriesOf(database.db, clientId)).toMatchObject([
    { outcome: 'REFUSED', status_code: status, attempt: 1 },
  ]);
  expect(await waitingOf(database.db, clientId)).toBe(0);
});

test('a connection that is reset is not tried again', async () => {
  const { clientId, receiver } = await configured({}, (request) => request.socket.resetAndDestroy());
  await send(clientId, ['[1]']);
  expect(receiver.received).toHaveLength(1);
  expect(await deliveriesOf(database.db, clientId)).toMatchObject([
    { outcome: 'FAILED', status_code: null, error: 'ECONNRESET' },
  ]);
});

test('nothing is written for a type that is not configured', async () => {
  const { clientId } = await configured({});
  expect(await enqueue(database.db, clientId, ['{}'], 'PUBLICATION_STATUS')).toEqual([]);
  expect(await enqueue(database.db, await newClient(database.db), ['[1]'])).toEqual([]);
  expect(await waitingOf(database.db, clientId)).toBe(0);
});

test('a rolled back transaction sends nothing', async () => {
  const { clientId, receiver } = await configured({});
  room.dispatch();
  await expect(
    database.db.unitOfWork(clientId, async (uow) => {
      await uow.query(`insert into outbox_message (client_id, id, configuration_id, type, body, not_before)
        select client_id, gen_random_uuid(), configuration_id, type, '[0]', now() from webhook_configuration`);
      throw new Error('the cause failed');
    }),
  ).rejects.toThrow('the cause failed');
  await enqueue(database.db, clientId, ['[1]']);
  expect((await receiver.got(1)).map(({ body }) => body)).toEqual(['[1]']);
});

test('after DELETE nothing is sent, not even what was waiting, and not after a new PUT', async () => {
  const { clientId, receiver } = await configured({});
  await enqueue(database.db, clientId, ['["before"]']);
  const orphan = await enqueueUncommitted(clientId, '["unseen"]');
  await deleteWebhook(room, adminOf(clientId), 'REWARDS');
  await orphan.commit();
  expect(await enqueue(database.db, clientId, ['["after"]'])).toEqual([]);
  await room.put(clientId, { endpoint: `${receiver.url}/hook` });
  room.dispatch();
  await enqueue(database.db, clientId, ['["new"]']);
  await expect.poll(() => deliveriesOf(database.db, clientId)).toHaveLength(1);
  expect(receiver.received.map(({ body }) => body)).toEqual(['["new"]']);
});

test('a message goes to the endpoint that is configured when it is sent', async () => {
  const { clientId, receiver } = await configured({});
  const ids = await enqueue(database.db, clientId, ['[1]']);
  await room.put(clientId, { endpoint: `${receiver.url}/new` });
  room.dispatch({ pollMs: 60_000 }).wake(clientId, ids);
  expect((await receiver.got(1)).map(({ url }) => url)).toEqual(['/new']);
});

test('without a word from the process that caused it, a message waits 150 ms', async () => {
  const { clientId, receiver } = await configured({});
  room.dispatch({ pollMs: 5 });
  const [before] = await database.db.unitOfWork(clientId, (uow) =>
    uow.query<{ now: Date }>('select clock_timestamp() as now'),
  );
  await enqueue(database.db, clientId, ['[1]']);
  const [request] = await receiver.got(1);
  expect(request!.at - before!.now.getTime()).toBeGreaterThanOrEqual(150);
});

test('a message whose response is written goes at once, and takes no other with it', async () => {
  const { clientId, receiver } = await configured({});
  const dispatcher = room.dispatch({ pollMs: 60_000 });
  await enqueue(database.db, clientId, ['["unanswered"]']);
  const answered = await enqueue(database.db, clientId, ['["answered"]']);
  dispatcher.wake(clientId, answered);
  expect((await receiver.got(1)).map(({ body }) => body)).toEqual(['["answered"]']);
  dispatcher.wake(clientId);
  expect((await receiver.got(2)).map(({ body }) => body)).toEqual(['["answered"]', '["unanswered"]']);
});

test('a message whose sender died is sent again when its lease has passed, and not before', async () => {
  const { clientId, receiver } = await configured({});
  await enqueue(database.db, clientId, ['["leased"]', '["lapsed"]']);
  await database.db.unitOfWork(clientId, async (uow) => {
    await uow.query(`update outbox_message set attempts = 1, not_before = now() - interval '1 minute',
      lease_until = case when body = '["lapsed"]' then now() - interval '1 ms' else now() + interval '1 minute' end`);
  });
  room.dispatch();
  expect((await receiver.got(1)).map(({ body }) => body)).toEqual(['["lapsed"]']);
  await expect.poll(() => deliveriesOf(database.db, clientId)).toMatchObject([{ attempt: 2, body: '["lapsed"]' }]);
  expect(await waitingOf(database.db, clientId)).toBe(1);
});

test('two dispatchers on one database send 400 messages once each', async () => {
  const { clientId, receiver } = await configured({});
  const bodies = Array.from({ length: 400 }, (_, index) => JSON.stringify([index]));
  room.dispatch();
  room.dispatch();
  await Promise.all(
    [0, 1, 2, 3].map((part) => enqueue(database.db, clientId, bodies.slice(part * 100, part * 100 + 100))),
  );
  await expect.poll(() => waitingOf(database.db, clientId), { timeout: 15_000 }).toBe(0);
  expect(receiver.received.map(({ body }) => body).toSorted()).toEqual(bodies.toSorted());
  const deliveries = await deliveriesOf(database.db, clientId);
  expect(new Set(deliveries.map(({ message_id }) => message_id)).size).toBe(400);
  expect(deliveries).toHaveLength(400);
});

test('a dead receiver does not delay the others', async () => {
  const dead = await configured({}, () => {});
  const alive = await configured({});
  const dispatcher = room.dispatch();
  const silent = await enqueue(database.db, dead.clientId, Array(200).fill('[1]'));
  dispatcher.wake(dead.clientId, silent);
  await dead.receiver.got(4);
  const started = Date.now();
  const ids = await enqueue(database.db, alive.clientId, Array(100).fill('[2]'));
  dispatcher.wake(alive.clientId, ids);
  await alive.receiver.got(100);
  expect(Date.now() - started).toBeLessThan(2_000);
  expect(dead.receiver.received.length).toBeLessThanOrEqual(8);
});

test('there is never more in flight than allowed, and when it is full, clients take turns', async () => {
  const open: Array<() => void> = [];
  const slow = await configured({}, (_, response) => open.push(() => response.end()));
  const others = await Promise.all(Array.from({ length: 5 }, () => configured({}, undefined, '/hook', slow.receiver)));
  const dispatcher = room.dispatch({ concurrency: 10 });
  for (const { clientId } of others) {
    dispatcher.wake(clientId, await enqueue(database.db, clientId, Array(10).fill(JSON.stringify([clientId]))));
  }
  let most = 0;
  for (let count = 10; count <= 50; count += 1) {
    await slow.receiver.got(count);
    most = Math.max(most, open.length);
    open.shift()?.();
  }
  expect(most).toBe(10);
  // Eight of the first client were in flight before the second was told of; then nobody gets more than his turn.
  const early = slow.receiver.received.slice(0, 25).map(({ body }) => body);
  expect(new Set(early).size).toBe(5);
  for (const answer of open) answer();
});

test('the metrics count every attempt by type and outcome', async () => {
  const registry = new Registry();
  const { clientId, receiver } = await configured({}, (_, response, { body }) =>
    response.writeHead(body === '[1]' ? 200 : 400).end(),
  );
  const dispatcher = room.dispatch({ observe: webhookMetrics(registry) });
  dispatcher.wake(clientId, await enqueue(database.db, clientId, ['[1]', '[1]', '[2]']));
  await receiver.got(3);
  await expect.poll(() => waitingOf(database.db, clientId)).toBe(0);
  const text = await registry.metrics();
  expect(text).toContain('laurel_webhook_attempts_total{type="REWARDS",outcome="DELIVERED"} 2');
  expect(text).toContain('laurel_webhook_attempts_total{type="REWARDS",outcome="REFUSED"} 1');
});

test('stop waits for what is being sent, records it, and takes no more', async () => {
  let finish = () => {};
  const { clientId, receiver } = await configured({}, (_, response) => (finish = () => response.writeHead(200).end()));
  const dispatcher = room.dispatch();
  dispatcher.wake(clientId, await enqueue(database.db, clientId, ['[1]']));
  await receiver.got(1);
  const stopped = dispatcher.stop();
  await enqueue(database.db, clientId, ['[2]']);
  finish();
  await stopped;
  expect(await deliveriesOf(database.db, clientId)).toMatchObject([{ outcome: 'DELIVERED', body: '[1]' }]);
  expect(await waitingOf(database.db, clientId)).toBe(1);
});

/** A client whose rewards webhook leads to a receiver of its own. */
async function configured(
  settings: Parameters<Room['put']>[1],
  answer?: Answer,
  path = '/hook',
  shared?: Receiver,
): Promise<{ clientId: string; receiver: Receiver }> {
  const receiver = shared ?? (await startReceiver(answer));
  if (shared === undefined) receivers.push(receiver);
  const clientId = await newClient(database.db);
  await room.put(clientId, { ...settings, endpoint: `${receiver.url}${path}` });
  return { clientId, receiver };
}

/** Enqueues bodies and waits until each has its outcome: nothing can be sent any more. */
async function send(clientId: string, bodies: readonly string[]): Promise<void> {
  const dispatcher = room.dispatch();
  dispatcher.wake(clientId, await enqueue(database.db, clientId, bodies));
  await expect.poll(() => waitingOf(database.db, clientId), { timeout: 10_000 }).toBe(0);
}

/** Enqueues in a transaction that stays open until `commit`. */
async function enqueueUncommitted(clientId: string, body: string): Promise<{ commit(): Promise<void> }> {
  const hold = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const done = database.db.unitOfWork(clientId, async (uow) => {
    await enqueueWebhooks(uow, [{ type: 'REWARDS', body }]);
    written.resolve();
    await hold.promise;
  });
  await written.promise;
  return {
    commit() {
      hold.resolve();
      return done;
    },
  };
}

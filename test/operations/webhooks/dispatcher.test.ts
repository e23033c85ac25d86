import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { firstIdAt } from '../../../src/kernel/ids.ts';
import { deleteWebhook } from '../../../src/webhooks/configuration/delete-webhook.ts';
import { enqueueWebhooks } from '../../../src/webhooks/outbox/enqueue-webhooks.ts';
import { webhookMetrics } from '../../../src/webhooks/delivery/webhook-metrics.ts';
import { newClient, type TestDatabase, testDatabase } from '../../support/database.ts';
import { callOf, deliveriesOf, enqueue, openWebhooks, type Webhooks, waitingOf } from './fixture.ts';

let database: TestDatabase;
let webhooks: Webhooks;

beforeAll(async () => {
  database = await testDatabase();
  webhooks = openWebhooks(database.db);
});
afterEach(() => webhooks.stop());
afterAll(() => database.drop());

test('nothing is written for a type that is not configured', async () => {
  const { clientId } = await webhooks.configured({});
  expect(await enqueue(database.db, clientId, ['{}'], 'PUBLICATION_STATUS')).toEqual([]);
  expect(await enqueue(database.db, await newClient(database.db), ['[1]'])).toEqual([]);
  expect(await waitingOf(database.db, clientId)).toBe(0);
});

test('a rolled back transaction sends nothing', async () => {
  const { clientId, receiver } = await webhooks.configured({});
  webhooks.dispatch();
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
  const { clientId, receiver } = await webhooks.configured({});
  await enqueue(database.db, clientId, ['["before"]']);
  const orphan = await enqueueUncommitted(clientId, '["unseen"]');
  await deleteWebhook(callOf(webhooks.db, clientId), 'REWARDS', webhooks);
  await orphan.commit();
  expect(await enqueue(database.db, clientId, ['["after"]'])).toEqual([]);
  await webhooks.put(clientId, { endpoint: `${receiver.url}/hook` });
  webhooks.dispatch();
  await enqueue(database.db, clientId, ['["new"]']);
  await expect.poll(() => deliveriesOf(database.db, clientId)).toHaveLength(1);
  expect(receiver.received.map(({ body }) => body)).toEqual(['["new"]']);
});

test('a message goes to the endpoint that is configured when it is sent', async () => {
  const { clientId, receiver } = await webhooks.configured({});
  const ids = await enqueue(database.db, clientId, ['[1]']);
  await webhooks.put(clientId, { endpoint: `${receiver.url}/new` });
  webhooks.dispatch({ pollMs: 60_000 }).wake(clientId, ids);
  expect((await receiver.got(1)).map(({ url }) => url)).toEqual(['/new']);
});

test('without a word from the process that caused it, a message waits 150 ms', async () => {
  const { clientId, receiver } = await webhooks.configured({});
  webhooks.dispatch({ pollMs: 5 });
  const [before] = await database.db.unitOfWork(clientId, (uow) =>
    uow.query<{ now: Date }>('select clock_timestamp() as now'),
  );
  await enqueue(database.db, clientId, ['[1]']);
  const [request] = await receiver.got(1);
  expect(request!.at - before!.now.getTime()).toBeGreaterThanOrEqual(150);
});

test('a message whose response is written goes at once, and takes no other with it', async () => {
  const { clientId, receiver } = await webhooks.configured({});
  const dispatcher = webhooks.dispatch({ pollMs: 60_000 });
  await enqueue(database.db, clientId, ['["unanswered"]']);
  const answered = await enqueue(database.db, clientId, ['["answered"]']);
  dispatcher.wake(clientId, answered);
  expect((await receiver.got(1)).map(({ body }) => body)).toEqual(['["answered"]']);
  dispatcher.wake(clientId);
  expect((await receiver.got(2)).map(({ body }) => body)).toEqual(['["answered"]', '["unanswered"]']);
});

test('a message whose sender died is sent again when its lease has passed, and not before', async () => {
  const { clientId, receiver } = await webhooks.configured({});
  await enqueue(database.db, clientId, ['["leased"]', '["lapsed"]']);
  await database.db.unitOfWork(clientId, async (uow) => {
    await uow.query(`update outbox_message set attempts = 1, not_before = now() - interval '1 minute',
      lease_until = case when body = '["lapsed"]' then now() - interval '1 ms' else now() + interval '1 minute' end`);
  });
  webhooks.dispatch();
  expect((await receiver.got(1)).map(({ body }) => body)).toEqual(['["lapsed"]']);
  await expect.poll(() => deliveriesOf(database.db, clientId)).toMatchObject([{ attempt: 2, body: '["lapsed"]' }]);
  expect(await waitingOf(database.db, clientId)).toBe(1);
});

test('a message that is older than those being sent is found too', async () => {
  const { clientId, receiver } = await webhooks.configured({}, (_, response, { body }) => {
    if (body !== '["hangs"]') response.end();
  });
  const dispatcher = webhooks.dispatch();
  dispatcher.wake(clientId, await enqueue(database.db, clientId, ['["hangs"]']));
  await receiver.got(1);
  await database.db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into outbox_message (client_id, id, configuration_id, type, body, not_before)
       select client_id, $1, configuration_id, type, '["late"]', now() from webhook_configuration`,
      [firstIdAt(new Date(Date.now() - 3_600_000))],
    ),
  );
  expect((await receiver.got(2)).map(({ body }) => body)).toEqual(['["hangs"]', '["late"]']);
}, 4_000);

test('two dispatchers on one database send 400 messages once each', async () => {
  const { clientId, receiver } = await webhooks.configured({});
  const bodies = Array.from({ length: 400 }, (_, index) => JSON.stringify([index]));
  webhooks.dispatch();
  webhooks.dispatch();
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
  const dead = await webhooks.configured({}, () => {});
  const alive = await webhooks.configured({});
  const dispatcher = webhooks.dispatch();
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
  const slow = await webhooks.configured({}, (_, response) => open.push(() => response.end()));
  const others = await Promise.all(
    Array.from({ length: 5 }, () => webhooks.configured({}, undefined, '/hook', slow.receiver)),
  );
  const dispatcher = webhooks.dispatch({ concurrency: 10 });
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
  // Eight messages of the first client were in flight before the second was reported; afterwards clients take turns.
  const early = slow.receiver.received.slice(0, 25).map(({ body }) => body);
  expect(new Set(early).size).toBe(5);
  for (const answer of open) answer();
});

test('the metrics count every attempt by type and outcome', async () => {
  const registry = new Registry();
  const { clientId, receiver } = await webhooks.configured({}, (_, response, { body }) =>
    response.writeHead(body === '[1]' ? 200 : 400).end(),
  );
  const dispatcher = webhooks.dispatch({ observe: webhookMetrics(registry) });
  dispatcher.wake(clientId, await enqueue(database.db, clientId, ['[1]', '[1]', '[2]']));
  await receiver.got(3);
  await expect.poll(() => waitingOf(database.db, clientId)).toBe(0);
  const text = await registry.metrics();
  expect(text).toContain('laurel_webhook_attempts_total{type="REWARDS",outcome="DELIVERED"} 2');
  expect(text).toContain('laurel_webhook_attempts_total{type="REWARDS",outcome="REFUSED"} 1');
});

test('stop waits for what is being sent, records it, and takes no more', async () => {
  let finish = () => {};
  const { clientId, receiver } = await webhooks.configured(
    {},
    (_, response) => (finish = () => response.writeHead(200).end()),
  );
  const dispatcher = webhooks.dispatch();
  dispatcher.wake(clientId, await enqueue(database.db, clientId, ['[1]']));
  await receiver.got(1);
  const stopped = dispatcher.stop();
  await enqueue(database.db, clientId, ['[2]']);
  finish();
  await stopped;
  expect(await deliveriesOf(database.db, clientId)).toMatchObject([{ outcome: 'DELIVERED', body: '[1]' }]);
  expect(await waitingOf(database.db, clientId)).toBe(1);
});

/** Enqueues in a transaction that stays open until `commit`. */
async function enqueueUncommitted(clientId: string, body: string): Promise<{ commit(): Promise<void> }> {
  const hold = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const done = database.db.unitOfWork(clientId, async (uow) => {
    await enqueueWebhooks(uow, [{ kind: 'REWARDS_DELIVERED', json: body }]);
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

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { deliveriesOf, enqueue, openWebhooks, type Webhooks, waitingOf } from '../operations/webhooks/fixture.ts';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';
import { COMMIT, severingProxy } from '../support/severing-proxy.ts';
import { expectExact } from './support/expect-exact.ts';

const key = randomBytes(32);

let database: TestDatabase;
let webhooks: Webhooks;
let receiver: Receiver;

beforeAll(async () => {
  database = await testDatabase();
  webhooks = openWebhooks(database.db, [key]);
});
afterEach(async () => {
  await receiver.close();
  await webhooks.stop();
  await expectExact(database.db);
});
afterAll(() => database.drop());

test('after SIGKILL of a dispatcher every webhook arrives, and none whose outcome was recorded arrives again', async () => {
  // Every third request hangs, so that the process dies during some requests and between others.
  let hanging = true;
  let count = 0;
  receiver = await startReceiver((_, response) => {
    count += 1;
    if (hanging && count % 3 === 0) return;
    response.writeHead(204).end();
  });
  const clientId = await newClient(database.db);
  await webhooks.put(clientId, { endpoint: receiver.url });
  const bodies = Array.from({ length: 60 }, (_, index) => JSON.stringify([index]));
  await enqueue(database.db, clientId, bodies);

  const script = join(import.meta.dirname, 'support/dispatcher-process.ts');
  const child = spawn(process.execPath, [script, database.url, key.toString('base64')], { stdio: 'inherit' });
  await receiver.got(15);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const recorded = new Set((await deliveriesOf(database.db, clientId)).map(({ body }) => body));
  expect(recorded.size).toBeGreaterThan(0);
  expect(recorded.size).toBeLessThan(60);
  hanging = false;
  // The leases of the dead process last 15 s; the test skips only this time.
  await database.db.unitOfWork(clientId, (uow) =>
    uow.query(`update outbox_message set lease_until = now() - interval '1 ms' where lease_until is not null`),
  );
  webhooks.dispatch();
  await expect.poll(() => waitingOf(database.db, clientId), { timeout: 10_000 }).toBe(0);

  const arrivals = receiver.received.map(({ body }) => body);
  expect(new Set(arrivals)).toEqual(new Set(bodies));
  for (const body of recorded) expect(arrivals.filter((arrival) => arrival === body)).toHaveLength(1);
  expect(await deliveriesOf(database.db, clientId)).toHaveLength(60);
});

test('connections to the database that are cut all the time lose no webhook and repeat none', async () => {
  receiver = await startReceiver();
  const clientId = await newClient(database.db);
  await webhooks.put(clientId, { endpoint: receiver.url });
  const bodies = Array.from({ length: 300 }, (_, index) => JSON.stringify([index]));
  await enqueue(database.db, clientId, bodies);
  const stopCutting = await cutConnections(database.url);
  webhooks.dispatch();
  await receiver.got(150);
  await stopCutting();
  await webhooks.stop();
  // A message whose claim was committed without an answer was not sent; its lease would last 15 s.
  await database.db.unitOfWork(clientId, (uow) => uow.query('update outbox_message set lease_until = null'));
  webhooks.dispatch();
  await expect.poll(() => waitingOf(database.db, clientId), { timeout: 15_000 }).toBe(0);
  expect(receiver.received.map(({ body }) => body).toSorted()).toEqual(bodies.toSorted());
  const messages = (await deliveriesOf(database.db, clientId)).map(({ message_id }) => message_id);
  expect(messages).toHaveLength(300);
  expect(new Set(messages).size).toBe(300);
});

test('an outcome whose commit was not answered is recorded once, and the next webhook goes out', async () => {
  const proxy = await severingProxy(database.url);
  const db = await openDatabase({ url: proxy.url, entities, poolMax: 4 });
  receiver = await startReceiver((_, response, { body }) => {
    if (body === '["first"]') proxy.severAt(COMMIT, 'answered');
    response.writeHead(204).end();
  });
  const clientId = await newClient(database.db);
  await webhooks.put(clientId, { endpoint: receiver.url });
  const dispatcher = webhooks.dispatch({ db, pollMs: 60_000 });
  dispatcher.wake(clientId, await enqueue(database.db, clientId, ['["first"]']));
  await receiver.got(1);
  dispatcher.wake(clientId, await enqueue(database.db, clientId, ['["second"]']));
  await expect.poll(() => waitingOf(database.db, clientId), { timeout: 5_000 }).toBe(0);
  expect((await deliveriesOf(database.db, clientId)).map(({ body }) => body)).toEqual(['["first"]', '["second"]']);
  expect(receiver.received.map(({ body }) => body)).toEqual(['["first"]', '["second"]']);
  await webhooks.stop();
  await db.close();
  await proxy.close();
});

/** Ends every other connection to a database, thirty times a second, until the returned function is called. */
async function cutConnections(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const stop = new AbortController();
  const done = (async () => {
    while (!stop.signal.aborted) {
      // This role may not end the sessions of autovacuum.
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
                           where datname = current_database() and backend_type = 'client backend'
                             and pid <> pg_backend_pid()`);
      await sleep(30);
    }
    await client.end();
  })();
  return () => {
    stop.abort();
    return done;
  };
}

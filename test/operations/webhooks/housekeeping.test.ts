import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { deleteOldWebhookRows } from '../../../src/webhooks/outbox/delete-old-webhook-rows.ts';
import { newClient, type TestDatabase, testDatabase } from '../../support/database.ts';
import { deliveriesOf, enqueue, openWebhooks, waitingOf } from './fixture.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('old deliveries of a client go in batches, and young ones stay', async () => {
  const clients = [await newClient(database.db), await newClient(database.db)];
  const olderThan = new Date('2026-03-01T00:00:00Z');
  for (const clientId of clients) {
    await log(clientId, Array(25).fill('0195450d-8000-7000-8000-000000000000'));
    await log(clientId, ['01954f00-0000-7000-8000-000000000000', newId(), newId()]);
  }
  const kept = await Promise.all(clients.map((clientId) => idsFrom(clientId, olderThan)));
  for (const clientId of clients) {
    expect(await deleteOldWebhookRows(database.db, clientId, { olderThan, batch: 10 })).toBeGreaterThanOrEqual(25);
  }
  for (const [index, clientId] of clients.entries()) {
    expect((await deliveriesOf(database.db, clientId)).map((row) => (row as unknown as { id: string }).id)).toEqual(
      kept[index],
    );
    expect(await deleteOldWebhookRows(database.db, clientId, { olderThan, batch: 10 })).toBe(0);
  }
});

test('messages of a deleted configuration go, and those that still wait to be sent stay', async () => {
  const olderThan = new Date(Date.now() + 60_000);
  const clientId = await newClient(database.db);
  await openWebhooks(database.db).put(clientId, { endpoint: 'http://127.0.0.1:1/' });
  await enqueue(database.db, clientId, ['[1]', '[2]']);
  await database.db.unitOfWork(clientId, (uow) =>
    uow.query(`update outbox_message set configuration_id = gen_random_uuid() where body = '[1]'`),
  );
  expect(await deleteOldWebhookRows(database.db, clientId, { olderThan })).toBe(1);
  expect(await waitingOf(database.db, clientId)).toBe(1);
});

/** Writes log rows with these prefixes of their ids, one after the other. */
async function log(clientId: string, ids: readonly string[]): Promise<void> {
  await database.db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into webhook_delivery (client_id, id, message_id, type, attempt, method, target, attempted_at, duration_ms, outcome)
       select $1, (left(l.id, 24) || right(lpad(to_hex(l.nr), 12, '0'), 12))::uuid, gen_random_uuid(), 'REWARDS', 1, 'POST',
              'http://a', now(), 1, 'DELIVERED'
         from unnest($2::text[]) with ordinality as l(id, nr)`,
      [clientId, ids],
    ),
  );
}

async function idsFrom(clientId: string, moment: Date): Promise<string[]> {
  const rows = await database.db.unitOfWork(clientId, (uow) =>
    uow.query<{ id: string }>('select id from webhook_delivery order by id'),
  );
  return rows
    .map(({ id }) => id)
    .filter((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) >= moment.getTime());
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import { DomainError } from '../../src/kernel/errors/domain-error.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { UnitOfWork } from '../../src/persistence/database.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: string;
let other: string;

beforeAll(async () => {
  database = await testDatabase();
  [client, other] = [await newClient(database.db), await newClient(database.db)];
});
afterAll(() => database.drop());

/** The same value for all statements of one transaction, and a different one for each other transaction of the connection. */
async function transactionOf(uow: UnitOfWork): Promise<string> {
  const [row] = await uow.query<{ name: string }>('select pg_backend_pid() || now()::text as name');
  return row!.name;
}

const names = (uow: UnitOfWork) =>
  uow.query<{ name: string }>('select name from account order by name').then((rows) => rows.map(({ name }) => name));

const add = (clientId: string, name: string) =>
  database.db.unitOfWork(clientId, (uow) =>
    uow.query('insert into account (client_id, id, name) values ($1, $2, $3)', [clientId, newId(), name]),
  );

/** Fills every slot, so that further requests wait together. */
async function whileSlotsAreTaken<T>(work: () => Promise<T>): Promise<T> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const started: Promise<void>[] = [];
  const busy = Array.from({ length: 2 }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    started.push(promise);
    return database.db.read(other, async () => {
      resolve();
      await released;
    });
  });
  await Promise.all(started);
  const result = work();
  release();
  await Promise.all(busy);
  return result;
}

test('reads of one client that wait together share a transaction', async () => {
  const seen = await whileSlotsAreTaken(() =>
    Promise.all([1, 2, 3, 4, 5].map(() => database.db.read(client, transactionOf))),
  );
  expect(new Set(seen).size).toBe(1);
});

test('a read sees what was committed before it was asked for, and only of its own client', async () => {
  await add(client, 'mine');
  await add(other, 'theirs');
  const [mine, theirs] = await Promise.all([database.db.read(client, names), database.db.read(other, names)]);
  expect([mine, theirs]).toEqual([['mine'], ['theirs']]);
});

test('a refusal is the answer to one read and leaves its neighbours alone', async () => {
  const refusal = new DomainError('ACCOUNT_NOT_FOUND', 'There is none.');
  const answers = await whileSlotsAreTaken(() =>
    Promise.allSettled([
      database.db.read(client, transactionOf),
      database.db.read(client, () => Promise.reject(refusal)),
      database.db.read(client, transactionOf),
    ]),
  );
  const [first, second, third] = answers;
  expect(second).toEqual({ status: 'rejected', reason: refusal });
  expect(first).toEqual(third);
});

test('a read that fails in the database fails alone', async () => {
  const answers = await whileSlotsAreTaken(() =>
    Promise.allSettled([
      database.db.read(client, names),
      database.db.read(client, (uow) => uow.query('select 1 / 0')),
      database.db.read(client, names),
    ]),
  );
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: ['mine'] },
    { status: 'rejected', reason: { message: 'division by zero' } },
    { status: 'fulfilled', value: ['mine'] },
  ]);
});

test('a read can neither write nor lock', async () => {
  const writing = database.db.read(client, (uow) => uow.query(`update account set name = 'changed'`));
  const refused = { cause: { message: expect.stringContaining('read-only transaction') } };
  await expect(writing).rejects.toMatchObject(refused);
  const locking = database.db.read(client, (uow) => uow.query('select id from account for update'));
  await expect(locking).rejects.toMatchObject(refused);
  expect(await database.db.read(client, names)).toEqual(['mine']);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountEntity } from '../../src/accounts/account.entity.ts';
import { newId } from '../../src/kernel/ids.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let it: TestDatabase;
let one: string;
let other: string;

beforeAll(async () => {
  it = await testDatabase();
  [one, other] = [await newClient(it.db), await newClient(it.db)];
  for (const client of [one, other]) {
    await it.db.unitOfWork(client, async (uow) => {
      uow.em.create(AccountEntity, { clientId: client, id: newId(), externalId: 'same' });
    });
  }
});
afterAll(() => it.drop());

test('a unit of work runs under the role that row-level security binds', async () => {
  const rows = await it.db.unitOfWork(one, (uow) => uow.query('select current_user as role'));
  expect(rows).toEqual([{ role: 'laurel_app' }]);
});

test('a query that forgets its client sees the rows of its own client only', async () => {
  const rows = await it.db.unitOfWork(one, (uow) => uow.query('select client_id from account'));
  expect(rows).toEqual([{ client_id: one }]);
  const entities = await it.db.unitOfWork(one, (uow) => uow.em.find(AccountEntity, {}, { disableIdentityMap: true }));
  expect(entities.map((entity) => entity.clientId)).toEqual([one]);
});

test('a query that names another client sees nothing', async () => {
  const rows = await it.db.unitOfWork(one, (uow) => uow.query('select id from account where client_id = $1', [other]));
  expect(rows).toEqual([]);
});

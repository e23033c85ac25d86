import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountEntity } from '../../src/accounts/account.entity.ts';
import { ClientEntity } from '../../src/clients/client.entity.ts';
import { newId } from '../../src/kernel/ids.ts';
import { sqlStateOf } from '../../src/persistence/connections/failures.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

/** SQLSTATE of a row that a policy refuses. */
const REFUSED = '42501';

let database: TestDatabase;
let own: string;
let other: string;

beforeAll(async () => {
  database = await testDatabase();
  [own, other] = [await newClient(database.db), await newClient(database.db)];
  for (const client of [own, other]) {
    await database.db.unitOfWork(client, async ({ em }) => {
      em.create(AccountEntity, { clientId: client, id: newId(), externalId: 'same' });
    });
  }
});
afterAll(() => database.drop());

test('a unit of work runs under the role that row-level security binds', async () => {
  const rows = await database.db.unitOfWork(own, (uow) => uow.query('select current_user as role'));
  expect(rows).toEqual([{ role: 'laurel_app' }]);
});

test('a statement that forgets its client sees rows of its own client only', async () => {
  const [sql, entities] = await database.db.unitOfWork(own, async (uow) => [
    await uow.query('select client_id from account'),
    await uow.em.findAll(AccountEntity, { disableIdentityMap: true }),
  ]);
  expect(sql).toEqual([{ client_id: own }]);
  expect(entities.map((entity) => entity.clientId)).toEqual([own]);
});

test('a statement that names another client sees and changes nothing', async () => {
  const touched = await database.db.unitOfWork(own, async (uow) => [
    await uow.query('select id from account where client_id = $1', [other]),
    await uow.query('update account set name = $2 where client_id = $1 returning id', [other, 'stolen']),
    await uow.query('delete from account where client_id = $1 returning id', [other]),
    await uow.query('update client set name = $2 where id = $1 returning id', [other, 'stolen']),
  ]);
  expect(touched).toEqual([[], [], [], []]);
});

test('a row for another client is refused, by hand-written SQL and by MikroORM', async () => {
  const byHand = database.db.unitOfWork(own, (uow) =>
    uow.query('insert into account (client_id, id) values ($1, $2)', [other, newId()]),
  );
  await expect(byHand.catch(sqlStateOf)).resolves.toBe(REFUSED);
  const byEntity = database.db.unitOfWork(own, async ({ em }) => {
    em.create(AccountEntity, { clientId: other, id: newId() });
  });
  await expect(byEntity.catch(sqlStateOf)).resolves.toBe(REFUSED);
});

test('a unit of work cannot create clients', async () => {
  const creating = database.db.unitOfWork(own, (uow) =>
    uow.query(`insert into client (id, name) values ($1, 'x')`, [own]),
  );
  await expect(creating.catch(sqlStateOf)).resolves.toBe(REFUSED);
});

test('points that were moved cannot be rewritten', async () => {
  const rewriting = database.db.unitOfWork(own, (uow) => uow.query('update point_entry set amount = 0'));
  await expect(rewriting.catch(sqlStateOf)).resolves.toBe(REFUSED);
});

test('a system unit of work sees every client', async () => {
  const [clients, accounts] = await database.db.systemUnitOfWork(async (uow) => [
    await uow.em.findAll(ClientEntity, { disableIdentityMap: true }),
    await uow.query<{ client_id: string }>('select client_id from account'),
  ]);
  expect(clients.map((client) => client.id).sort()).toEqual([own, other].sort());
  expect(accounts.map((account) => account.client_id).sort()).toEqual([own, other].sort());
});

test('a connection keeps neither the role nor the client of the unit of work before', async () => {
  const one = await testDatabase({ poolMax: 1 });
  try {
    await newClient(one.db);
    const rows = await one.db.unitOfWork(own, (uow) => uow.query('select id from client'));
    expect(rows).toEqual([]);
  } finally {
    await one.drop();
  }
});

test('a connection that has taken no role sees nothing, though its login owns the tables', async ({ skip }) => {
  const [server] = await database.db.systemUnitOfWork((uow) =>
    uow.query<{ version: number }>(`select current_setting('server_version_num')::int as version`),
  );
  skip(server!.version < 160_000, 'Before PostgreSQL 16 a login always has the rights of the roles that it may take.');
  const rows = await database.db.systemUnitOfWork(async (uow) => {
    await uow.query('set local role none');
    return uow.query('select id from account');
  });
  expect(rows).toEqual([]);
});

test('a client id that is no UUID opens nothing', async () => {
  await expect(database.db.unitOfWork(`'; drop table account; --`, async () => {})).rejects.toThrow('Not a client id');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountEntity } from '../../src/accounts/account.entity.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { UnitOfWork } from '../../src/persistence/database.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
let clients: string[];

beforeAll(async () => {
  database = await testDatabase();
  clients = await Promise.all([1, 2, 3].map(() => newClient(database.db)));
  for (const client of clients) await database.db.unitOfWork(client, (uow) => addAccount(uow, 'there'));
});
afterAll(() => database.drop());

async function addAccount(uow: UnitOfWork, name: string): Promise<string> {
  const id = newId();
  await uow.query('insert into account (client_id, id, name) values ($1, $2, $3)', [uow.clientId, id, name]);
  return id;
}

/** The accounts that the unit of work sees, by a statement without a condition on the client. */
async function whose(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>('select distinct client_id from account');
  return rows.map(({ client_id }) => client_id);
}

async function accountsNamed(name: string): Promise<string[]> {
  const rows = await database.db.systemUnitOfWork((uow) =>
    uow.query<{ client_id: string }>('select client_id from account where name = $1 order by client_id', [name]),
  );
  return rows.map(({ client_id }) => client_id);
}

test('each of several clients sees and writes its own rows only, however their statements come between each other', async () => {
  const seen = await database.db.unitsOfWork(clients, async (uow, index) => {
    const found = [await whose(uow)];
    await addAccount(uow, 'side by side');
    for (let round = 0; round <= index; round += 1) {
      await new Promise(setImmediate);
      found.push(await whose(uow));
      uow.em.create(AccountEntity, { clientId: uow.clientId, id: newId(), name: `round ${round}` });
      await uow.em.flush();
      const entities = await uow.em.find(AccountEntity, { name: 'there' }, { disableIdentityMap: true });
      found.push(entities.map(({ clientId }) => clientId));
    }
    return found;
  });
  for (const [index, client] of clients.entries()) for (const found of seen[index]!) expect(found).toEqual([client]);
  expect(await accountsNamed('side by side')).toEqual(clients.toSorted());
  expect(await accountsNamed('round 2')).toEqual([clients[2]]);
});

test('a row of another client that shares the transaction cannot be written', async () => {
  const [mine, others] = clients as [string, string];
  const working = database.db.unitsOfWork(clients, async (uow) => {
    await whose(uow);
    if (uow.clientId !== mine) return;
    await uow.query('insert into account (client_id, id, name) values ($1, $2, $3)', [others, newId(), 'smuggled']);
  });
  await expect(working).rejects.toThrow('row-level security');
  expect(await accountsNamed('smuggled')).toEqual([]);
});

test('if one of them fails nothing of any is stored, and its error arrives as it is', async () => {
  const failure = new Error('on purpose');
  const working = database.db.unitsOfWork(clients, async (uow, index) => {
    await addAccount(uow, 'all or none');
    await new Promise(setImmediate);
    if (index === 1) throw failure;
    await whose(uow);
  });
  await expect(working).rejects.toBe(failure);
  expect(await accountsNamed('all or none')).toEqual([]);
  expect(await database.db.unitOfWork(clients[0]!, whose)).toEqual([clients[0]]);
});

test('a row that somebody holds fails them soon, and a unit of work alone waits for it', async () => {
  const [client] = clients as [string];
  const id = await database.db.unitOfWork(client, (uow) => addAccount(uow, 'held'));
  const lockIt = (uow: UnitOfWork) => uow.query('select from account where id = $1 for update', [id]);
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = database.db.unitOfWork(client, async (uow) => {
    await lockIt(uow);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const waiting = database.db.unitOfWork(client, lockIt);
  await expect(database.db.unitsOfWork(clients, lockIt)).rejects.toMatchObject({ code: '55P03' });
  release.resolve();
  await Promise.all([holder, waiting]);
});

test('listeners to commits are called for each, after the commit', async () => {
  const committed: string[] = [];
  database.db.onCommitted((uow) => void committed.push(uow.clientId));
  await database.db.unitsOfWork(clients, whose);
  expect(committed).toEqual(clients);
});

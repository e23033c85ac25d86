import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountEntity } from '../../src/accounts/account.entity.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { UnitOfWork } from '../../src/persistence/database.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: string;

beforeAll(async () => {
  database = await testDatabase();
  client = await newClient(database.db);
});
afterAll(() => database.drop());

const addAccount = (uow: UnitOfWork, name: string) =>
  uow.query('insert into account (client_id, id, name) values ($1, $2, $3)', [client, newId(), name]);

async function accountsNamed(name: string): Promise<number> {
  const rows = await database.db.unitOfWork(client, (uow) =>
    uow.query('select id from account where name = $1', [name]),
  );
  return rows.length;
}

test('what entities and hand-written SQL write is committed together', async () => {
  await database.db.unitOfWork(client, async (uow) => {
    uow.em.create(AccountEntity, { clientId: client, id: newId(), name: 'together' });
    await addAccount(uow, 'together');
  });
  expect(await accountsNamed('together')).toBe(2);
});

test('work that throws stores nothing, and its error arrives as it is', async () => {
  const failure = new Error('on purpose');
  const working = database.db.unitOfWork(client, async (uow) => {
    uow.em.create(AccountEntity, { clientId: client, id: newId(), name: 'never' });
    await uow.em.flush();
    await addAccount(uow, 'never');
    throw failure;
  });
  await expect(working).rejects.toBe(failure);
  expect(await accountsNamed('never')).toBe(0);
});

test('work that goes on after a failed statement is told that nothing was stored', async () => {
  const working = database.db.unitOfWork(client, async (uow) => {
    await addAccount(uow, 'swallowed');
    await uow.query('select 1 / 0').catch(() => {});
  });
  await expect(working).rejects.toThrow('nothing was stored');
  expect(await accountsNamed('swallowed')).toBe(0);
});

test('a nested transaction rolls back alone', async () => {
  await database.db.unitOfWork(client, async (uow) => {
    await addAccount(uow, 'kept');
    const nested = uow.em.transactional(async (em) => {
      em.create(AccountEntity, { clientId: client, id: newId(), name: 'dropped' });
      await em.flush();
      throw new Error('on purpose');
    });
    await expect(nested).rejects.toThrow('on purpose');
  });
  expect([await accountsNamed('kept'), await accountsNamed('dropped')]).toEqual([1, 0]);
});

test('statements sent without waiting run in their order', async () => {
  const names = await database.db.unitOfWork(client, async (uow) => {
    const id = newId();
    const [, before, , after] = await Promise.all([
      uow.query('insert into account (client_id, id, name) values ($1, $2, $3)', [client, id, 'first']),
      uow.query('select name from account where id = $1', [id]),
      uow.query('update account set name = $2 where id = $1', [id, 'second']),
      uow.query('select name from account where id = $1', [id]),
    ]);
    return [before, after];
  });
  expect(names).toEqual([[{ name: 'first' }], [{ name: 'second' }]]);
});

test('a statement that nobody awaited cannot reach the next unit of work', async () => {
  let leaked: UnitOfWork | undefined;
  let entities: UnitOfWork['em'] | undefined;
  await database.db.unitOfWork(client, async (uow) => {
    leaked = uow;
    entities = uow.em;
  });
  await expect(leaked!.query('select 1')).rejects.toThrow('has ended');
  expect(() => leaked!.em).toThrow('has ended');
  await expect(entities!.findAll(AccountEntity, { disableIdentityMap: true })).rejects.toThrow('has ended');
});

test('an entity manager forked away from its unit of work reads nothing rather than everything', async () => {
  const reading = database.db.unitOfWork(client, ({ em }) =>
    em.fork().findAll(AccountEntity, { disableIdentityMap: true }),
  );
  await expect(reading).rejects.toThrow('belongs to no unit of work');
});

test('moments arrive as dates and quantities as text', async () => {
  const [row] = await database.db.unitOfWork(client, (uow) =>
    uow.query(`select $1::timestamptz as moment, 1.5::numeric(20,4) as amount, 7::bigint as count, $2::uuid[] as ids`, [
      new Date(0),
      [client],
    ]),
  );
  expect(row).toEqual({ moment: new Date(0), amount: '1.5000', count: '7', ids: [client] });
});

test('a statement with parameters is prepared once per connection', async () => {
  const narrow = await testDatabase({ poolMax: 1 });
  const mark = 'select $1::int as prepared_probe';
  const count = `select count(*)::int as n, sum(generic_plans + custom_plans)::int as runs from pg_prepared_statements where statement = $1`;
  try {
    for (let n = 0; n < 3; n++) await narrow.db.unitOfWork(client, (uow) => uow.query(mark, [n]));
    const rows = await narrow.db.unitOfWork(client, (uow) => uow.query(count, [mark]));
    expect(rows).toEqual([{ n: 1, runs: 3 }]);
  } finally {
    await narrow.drop();
  }
});

test('nothing is prepared where prepared statements are off', async () => {
  const plain = await testDatabase({ poolMax: 1, preparedStatements: false });
  try {
    await plain.db.unitOfWork(client, (uow) => uow.query('select $1::int', [1]));
    const rows = await plain.db.unitOfWork(client, (uow) => uow.query('select name from pg_prepared_statements'));
    expect(rows).toEqual([]);
  } finally {
    await plain.drop();
  }
});

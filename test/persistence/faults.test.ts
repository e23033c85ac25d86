import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type Database, openDatabase, type UnitOfWork } from '../../src/persistence/database.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';
import { COMMIT, type SeveringProxy, severingProxy } from '../support/severing-proxy.ts';

let database: TestDatabase;
let client: string;

beforeAll(async () => {
  database = await testDatabase();
  client = await newClient(database.db);
});
afterAll(() => database.drop());

const UNAVAILABLE = { kind: 'UNAVAILABLE', code: 'DATABASE_UNAVAILABLE' };
const BUSY = { kind: 'UNAVAILABLE', code: 'DATABASE_BUSY' };

async function addAccount(uow: UnitOfWork, name = 'x'): Promise<string> {
  const id = newId();
  await uow.query('insert into account (client_id, id, name) values ($1, $2, $3)', [client, id, name]);
  return id;
}

const accountsNamed = (name: string) =>
  database.db.unitOfWork(client, (uow) => uow.query('select id from account where name = $1', [name]));

const lock = (uow: UnitOfWork, id: string) => uow.query('select 1 from account where id = $1 for update', [id]);

/** A barrier for two parties; later ones pass. */
function meeting(): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    if (++arrived === 2) resolve();
    return promise;
  };
}

test('of two units of work in a deadlock one is repeated, and both are stored', async () => {
  const [a, b] = await database.db.unitOfWork(client, async (uow): Promise<[string, string]> => [
    await addAccount(uow),
    await addAccount(uow),
  ]);
  const bothHoldOne = meeting();
  let runs = 0;
  const rename = (first: string, second: string) =>
    database.db.unitOfWork(client, async (uow) => {
      runs++;
      await lock(uow, first);
      await bothHoldOne();
      await lock(uow, second);
      await uow.query('update account set name = coalesce(name, $2) || $2 where id in ($1, $3)', [first, '!', second]);
    });
  await Promise.all([rename(a, b), rename(b, a)]);
  // On a busy machine both may notice the deadlock at the same moment, and yield.
  expect(runs).toBeOneOf([3, 4]);
  const rows = await database.db.unitOfWork(client, (uow) =>
    uow.query('select name from account where id in ($1, $2)', [a, b]),
  );
  expect(rows).toEqual([{ name: 'x!!' }, { name: 'x!!' }]);
});

test('work that always meets contention is answered as busy after five repetitions', async () => {
  let runs = 0;
  const working = database.db.unitOfWork(client, async (uow) => {
    runs++;
    await uow.query(`do $$ begin raise exception 'on purpose' using errcode = 'serialization_failure'; end $$`);
  });
  await expect(working).rejects.toMatchObject(BUSY);
  expect(runs).toBe(6);
});

test('a statement that takes too long is answered as busy', async () => {
  const impatient = await openDatabase({ url: database.url, entities, poolMax: 1, statementTimeoutMs: 50 });
  try {
    const working = impatient.unitOfWork(client, (uow) => uow.query('select pg_sleep(10)'));
    await expect(working).rejects.toMatchObject(BUSY);
    await expect(impatient.unitOfWork(client, (uow) => uow.query('select 1 as n'))).resolves.toEqual([{ n: 1 }]);
  } finally {
    await impatient.close();
  }
});

test('a unit of work that gets no connection in time is answered as busy', async () => {
  const narrow = await openDatabase({ url: database.url, entities, poolMax: 1, acquireTimeoutMs: 50 });
  try {
    // The time is for a free connection, and a busy machine may need more to open one.
    await expect
      .poll(() =>
        narrow.ping().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const waiting = narrow.unitOfWork(client, () => narrow.unitOfWork(client, async () => {}));
    await expect(waiting).rejects.toMatchObject(BUSY);
  } finally {
    await narrow.close();
  }
});

test('a unit of work that forgets to go on loses its connection, not the locks of others', async () => {
  const impatient = await openDatabase({ url: database.url, entities, poolMax: 1, idleTimeoutMs: 50 });
  const id = await database.db.unitOfWork(client, (uow) => addAccount(uow));
  try {
    const hanging = impatient.unitOfWork(client, async (uow) => {
      await lock(uow, id);
      await database.db.unitOfWork(client, (other) => lock(other, id));
      await uow.query('select 1');
    });
    // The database is healthy: the work took too long.
    await expect(hanging).rejects.toMatchObject(BUSY);
  } finally {
    await impatient.close();
  }
});

test('a backend that is killed in the middle of a unit of work costs a repetition', async () => {
  let runs = 0;
  await database.db.unitOfWork(client, async (uow) => {
    await addAccount(uow, 'killed once');
    if (++runs > 1) return;
    await terminate(uow);
    // The signal may be slower than a commit, whose result would be unknown. This statement ends with the backend.
    await uow.query('select pg_sleep(10)');
  });
  expect(runs).toBe(2);
  expect(await accountsNamed('killed once')).toHaveLength(1);
});

test('backends that are killed while nobody uses them are replaced', async () => {
  const own = await testDatabase({ poolMax: 4 });
  try {
    await Promise.all([1, 2, 3, 4].map(() => own.db.unitOfWork(client, (uow) => uow.query('select pg_sleep(0.01)'))));
    await database.db.unitOfWork(client, (uow) =>
      uow
        .query(`set local role none`)
        .then(() =>
          uow.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
            [new URL(own.url).pathname.slice(1)],
          ),
        ),
    );
    const after = [1, 2, 3, 4].map((n) => own.db.unitOfWork(client, (uow) => uow.query('select $1::int as n', [n])));
    expect(await Promise.all(after)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }], [{ n: 4 }]]);
  } finally {
    await own.drop();
  }
});

test('a server that does not answer is reported as unavailable', async () => {
  const nowhere = await openDatabase({ url: 'postgres://laurel@127.0.0.1:1/laurel', entities, poolMax: 1 });
  await expect(nowhere.unitOfWork(client, async () => {})).rejects.toMatchObject(UNAVAILABLE);
  await expect(nowhere.ping()).rejects.toMatchObject(UNAVAILABLE);
  await nowhere.close();
});

test('a statement whose table was changed by a migration is prepared again', async () => {
  const own = await testDatabase({ poolMax: 1 });
  try {
    const id = await newClient(own.db);
    const read = () => own.db.unitOfWork(id, (uow) => uow.query('select * from client where id = $1', [id]));
    await read();
    await own.db.systemUnitOfWork(async (uow) => {
      await uow.query('set local role none');
      await uow.query('alter table client add column colour text');
    });
    expect(await read()).toMatchObject([{ id, colour: null }]);
  } finally {
    await own.drop();
  }
});

async function terminate(uow: UnitOfWork): Promise<void> {
  const [{ pid } = { pid: 0 }] = await uow.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.db.systemUnitOfWork(async (other) => {
    await other.query('set local role none');
    await other.query('select pg_terminate_backend($1)', [pid]);
  });
}

/** Runs through a proxy that breaks the connection at a chosen statement. */
let proxy: SeveringProxy;
let far: Database;

beforeEach(async () => {
  proxy = await severingProxy(database.url);
  far = await openDatabase({ url: proxy.url, entities, poolMax: 2 });
});
afterEach(async () => {
  await far.close();
  await proxy.close();
});

test('a connection that breaks before the commit costs a repetition', async () => {
  let runs = 0;
  proxy.severAt('insert into account', 'answered');
  await far.unitOfWork(client, async (uow) => {
    runs++;
    await addAccount(uow, 'broken once');
  });
  expect(runs).toBe(2);
  expect(await accountsNamed('broken once')).toHaveLength(1);
});

test('a connection that breaks before every commit is reported as unavailable', async () => {
  const working = far.unitOfWork(client, async (uow) => {
    proxy.severAt('insert into account', 'unheard');
    await addAccount(uow, 'broken always');
  });
  await expect(working).rejects.toMatchObject(UNAVAILABLE);
  expect(await accountsNamed('broken always')).toEqual([]);
});

test.for(['unheard', 'answered'] as const)('a commit that breaks off %s is not repeated', async (moment) => {
  let runs = 0;
  const working = far.unitOfWork(client, async (uow) => {
    runs++;
    await addAccount(uow, `commit ${moment}`);
    proxy.severAt(COMMIT, moment);
  });
  await expect(working).rejects.toMatchObject({
    ...UNAVAILABLE,
    message: expect.stringContaining('before it confirmed'),
  });
  expect(runs).toBe(1);
  expect(await accountsNamed(`commit ${moment}`)).toHaveLength(moment === 'answered' ? 1 : 0);
});

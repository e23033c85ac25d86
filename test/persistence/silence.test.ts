import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type Database, openDatabase, type UnitOfWork } from '../../src/persistence/database.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';
import { COMMIT } from '../support/severing-proxy.ts';
import { type SilencingProxy, silencingProxy } from '../support/silencing-proxy.ts';

let database: TestDatabase;
let client: string;
/** A database whose connections can become silent. Times of seconds in production are a tenth here. */
let proxy: SilencingProxy;
let far: Database;

const SILENCE_MS = 300;
const POOL_MAX = 4;

/** Milliseconds to notice silence and to continue, with a margin for a busy machine; far below the limit of a statement. */
const SOON = 5_000;

beforeAll(async () => {
  database = await testDatabase();
  client = await newClient(database.db);
});
afterAll(() => database.drop());
beforeEach(async () => {
  proxy = await silencingProxy(database.url);
  far = await openDatabase({ url: proxy.url, entities, poolMax: POOL_MAX, silenceMs: SILENCE_MS });
});
afterEach(async () => {
  await far.close();
  await proxy.close();
});

async function addAccount(uow: UnitOfWork, name: string): Promise<string> {
  const id = newId();
  await uow.query('insert into account (client_id, id, name) values ($1, $2, $3)', [client, id, name]);
  return id;
}

const accountsNamed = (name: string) =>
  database.db.unitOfWork(client, (uow) => uow.query('select id from account where name = $1', [name]));

const select1 = () => far.unitOfWork(client, (uow) => uow.query('select 1 as n'));

/** Fills the pool with idle connections. */
async function warmUp(): Promise<void> {
  await Promise.all(
    Array.from({ length: POOL_MAX }, () => far.systemUnitOfWork((uow) => uow.query('select pg_sleep(0.05)'))),
  );
}

async function millisecondsOf(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work;
  return performance.now() - begun;
}

test('connections that went silent while nobody used them cost the first calls a moment, and later calls nothing', async () => {
  await warmUp();
  expect(proxy.silence()).toBe(POOL_MAX);
  const first = await millisecondsOf(select1());
  expect(first).toBeLessThan(SOON);
  // All earlier connections are closed, so that no later call has to notice the silence.
  await expect.poll(() => proxy.silent).toBe(0);
  const after = await millisecondsOf(Promise.all(Array.from({ length: 8 }, select1)));
  expect(after).toBeLessThan(SILENCE_MS);
});

test.for(['lost', 'received'] as const)(
  'a statement that is %s when its connection goes silent is repeated',
  async (fate) => {
    let runs = 0;
    const sprung = proxy.silenceAt('insert into account', fate);
    await far.unitOfWork(client, async (uow) => {
      runs++;
      await addAccount(uow, `statement ${fate}`);
    });
    expect(await sprung).toBeGreaterThan(0);
    expect(runs).toBe(2);
    expect(await accountsNamed(`statement ${fate}`)).toHaveLength(1);
  },
);

test.for(['lost', 'received'] as const)(
  'a commit that is %s when its connection goes silent is reported as unknown',
  async (fate) => {
    let runs = 0;
    const working = far.unitOfWork(client, async (uow) => {
      runs++;
      await addAccount(uow, `commit ${fate}`);
      void proxy.silenceAt(COMMIT, fate);
    });
    await expect(working).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining('before it confirmed'),
    });
    expect(runs).toBe(1);
    expect(await accountsNamed(`commit ${fate}`)).toHaveLength(fate === 'received' ? 1 : 0);
    expect(await select1()).toEqual([{ n: 1 }]);
  },
);

test('what a silent connection holds locked on a server that lives is free when its unit of work is repeated', async () => {
  const id = await database.db.unitOfWork(client, (uow) => addAccount(uow, 'held'));
  let runs = 0;
  const took = await millisecondsOf(
    far.unitOfWork(client, async (uow) => {
      await uow.query('select 1 from account where id = $1 for update', [id]);
      if (++runs === 1) proxy.silence();
      await uow.query('update account set name = $2 where id = $1', [id, 'freed']);
    }),
  );
  expect(runs).toBe(2);
  expect(took).toBeLessThan(SOON);
});

test.for(['holds', 'waits for'] as const)(
  'a silent connection that %s a row is ended on a server that lives, also where its begin was never answered',
  async (state) => {
    const id = await database.db.unitOfWork(client, (uow) => addAccount(uow, `unanswered ${state}`));
    const release = Promise.withResolvers<void>();
    const holder = database.db.unitOfWork(client, async (uow) => {
      if (state === 'holds') return;
      await uow.query('select 1 from account where id = $1 for update', [id]);
      await release.promise;
    });
    await select1();
    // The begin is sent with the first statement: the server has both, and neither answer arrives.
    const sprung = proxy.silenceAt('for update', 'received');
    let runs = 0;
    const took = await millisecondsOf(
      far.unitOfWork(client, async (uow) => {
        if (++runs === 2) release.resolve();
        await uow.query('select 1 from account where id = $1 for update', [id]);
      }),
    );
    await Promise.all([sprung, holder]);
    expect(runs).toBe(2);
    expect(took).toBeLessThan(SOON);
  },
);

test('silent connections that wait for each other on a server that lives are all given up before a statement times out', async () => {
  const id = await database.db.unitOfWork(client, (uow) => addAccount(uow, 'queue'));
  const holds = Promise.withResolvers<void>();
  let runs = 0;
  const lockIt = async (uow: UnitOfWork) => {
    await uow.query('select 1 from account where id = $1 for update', [id]);
    if (++runs > 1) return;
    holds.resolve();
    await expect.poll(waiting, { timeout: SOON }).toBe(2);
    proxy.silence();
    await uow.query('select 1');
  };
  const waiting = async () => {
    const [row] = await database.db.systemUnitOfWork(async (uow) => {
      // Only the login sees the waits of its sessions.
      await uow.query('set local role none');
      return uow.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    });
    return row!.n;
  };
  const first = far.unitOfWork(client, lockIt);
  await holds.promise;
  const took = await millisecondsOf(Promise.all([first, ...[1, 2].map(() => far.unitOfWork(client, lockIt))]));
  expect(took).toBeLessThan(2 * SOON);
});

test('a statement that is slow, or waits for a row, is left alone for as long as it may take', async () => {
  const id = await database.db.unitOfWork(client, (uow) => addAccount(uow, 'slow'));
  let runs = 0;
  const holding = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holder = database.db.unitOfWork(client, async (uow) => {
    await uow.query('select 1 from account where id = $1 for update', [id]);
    held.resolve();
    await holding.promise;
  });
  await held.promise;
  const working = far.unitOfWork(client, async (uow) => {
    runs++;
    await uow.query('select 1 from account where id = $1 for update', [id]);
    return uow.query('select 1 as n');
  });
  const sleeping = far.unitOfWork(client, (uow) =>
    uow.query(`select pg_sleep($1), 1 as n`, [(8 * SILENCE_MS) / 1_000]),
  );
  expect(await sleeping).toMatchObject([{ n: 1 }]);
  holding.resolve();
  await holder;
  expect(await working).toEqual([{ n: 1 }]);
  expect(runs).toBe(1);
});

test('where the server cannot be asked, the limit of a statement and a moment end the wait', async () => {
  const own = await openDatabase({
    url: proxy.url,
    entities,
    poolMax: 1,
    silenceMs: SILENCE_MS,
    statementTimeoutMs: 900,
    acquireTimeoutMs: 900,
  });
  try {
    await own.unitOfWork(client, (uow) => uow.query('select 1'));
    const working = own.unitOfWork(client, async (uow) => {
      await uow.query('select 1');
      proxy.refuseNew(true);
      proxy.silence();
      await uow.query('select 2');
    });
    const took = await millisecondsOf(expect(working).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' }));
    expect(took).toBeGreaterThan(900);
    expect(took).toBeLessThan(SOON);
    proxy.refuseNew(false);
    expect(await own.unitOfWork(client, (uow) => uow.query('select 1 as n'))).toEqual([{ n: 1 }]);
  } finally {
    await own.close();
  }
});

test('while a call waits on a silent connection the database is not ready, and then it is', async () => {
  await far.ping();
  const working = far.unitOfWork(client, async (uow) => {
    await uow.query('select 1');
    // The next call begins on a silent connection, and readiness finds a working one.
    return uow.query('select 1 as n');
  });
  await working;
  proxy.silence();
  const waiting = select1();
  const answers: boolean[] = [];
  const asking = async () =>
    answers.push(
      await far.ping().then(
        () => true,
        () => false,
      ),
    );
  await expect.poll(async () => (await asking(), answers.includes(false))).toBe(true);
  await waiting;
  await far.ping();
});

test('silent connections do not keep the database from being closed', async () => {
  const own = await openDatabase({ url: proxy.url, entities, poolMax: POOL_MAX, silenceMs: SILENCE_MS });
  await Promise.all(Array.from({ length: 3 }, () => own.systemUnitOfWork((uow) => uow.query('select pg_sleep(0.05)'))));
  proxy.silence();
  // It waits until every socket is closed.
  expect(await millisecondsOf(own.close())).toBeLessThan(SOON);
  await expect.poll(() => proxy.silent).toBe(0);
});

test('a statement has the same name on every connection, whatever was prepared there before', async () => {
  const nameOfA = (first: 'A' | 'B') =>
    database.db.unitOfWork(client, async (uow) => {
      for (const letter of first === 'A' ? ['A', 'B'] : ['B', 'A']) await uow.query(`select '${letter}' as letter`);
      const rows = await uow.query<{ name: string }>(`select name from pg_prepared_statements where statement = $1`, [
        `select 'A' as letter`,
      ]);
      return rows[0]!.name;
    });
  const names = await Promise.all([nameOfA('A'), nameOfA('B')]);
  expect(new Set(names).size).toBe(1);
});

test('where prepared statements get lost, as behind a pooler that does not keep them, the database is not ready and says why', async () => {
  await far.ping();
  const working = far.unitOfWork(client, async (uow) => {
    await uow.query('select 1 as n');
    await uow.query('deallocate all');
    await uow.query('select 1 as n');
  });
  await expect(working).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  await expect(far.ping()).rejects.toMatchObject({
    cause: { message: expect.stringContaining('LAUREL_PREPARED_STATEMENTS=false') },
  });
});

import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { distribute } from '../../src/persistence/distributed/distribute.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';
import { createDatabase, dropDatabase } from '../support/databases.ts';
import { laurel } from '../support/laurel.ts';

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

test('every table of clients is spread by client, each client whole on one node', async () => {
  const { rows } = await owner.query<{ table: string; distributed: boolean; colocation: number | null }>(
    `select c.relname as table, d.logicalrelid is not null as distributed, d.colocationid as colocation
       from pg_class c left join pg_dist_partition d on d.logicalrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  );
  const local = rows.filter(({ distributed }) => !distributed).map(({ table }) => table);
  expect(local.toSorted()).toEqual(['migration', 'whole_dump']);
  expect(new Set(rows.flatMap(({ colocation }) => colocation ?? [])).size).toBe(1);
});

test('a repeat changes nothing', async () => {
  expect(await distribute(database.url)).toEqual({ tables: [], nodes: inject('cluster')!.nodeUrls.length });
});

test('doctor and verify find nothing wrong with it, so that it can be served', async () => {
  await newClient(database.db);
  for (const command of ['doctor', 'verify']) {
    const { code, words } = await laurel([command], { DATABASE_URL: database.url });
    expect(words).toMatch(/All is well|No difference/);
    expect(code).toBe(0);
  }
  expect(await laurel(['serve'], { DATABASE_URL: database.url })).toMatchObject({ served: true });
});

test('the journal gets its days on the nodes as well', async () => {
  const changed = await database.db.systemUnitOfWork((uow) =>
    uow.query<{ changed: number }>('select public.keep_journal_partitions(7, 9) as changed'),
  );
  expect(changed[0]!.changed).toBe(2);
  const { rows } = await owner.query<{ local: number }>(
    `select count(*)::int as local from pg_inherits i
      where i.inhparent = 'public.journal_batch'::regclass
        and not exists (select from pg_dist_partition d where d.logicalrelid = i.inhrelid)`,
  );
  expect(rows).toEqual([{ local: 0 }]);
});

test('the search of the journal has no lists on the nodes, which nobody would empty', async () => {
  const tidy = () => database.db.systemUnitOfWork((uow) => uow.query('select public.tidy_journal_search(8192)'));
  await tidy();
  await tidy();
  const { rows } = await owner.query<{ options: string[] }>(
    `select distinct c.reloptions as options from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'public.journal_batch_search'::regclass`,
  );
  expect(rows.map(({ options }) => options.filter((option) => option.startsWith('fastupdate')))).toEqual(
    rows.map(() => ['fastupdate=off']),
  );
});

test('a unit of work sees and writes rows of its client only, also on the nodes', async () => {
  const [mine, theirs] = [await newClient(database.db), await newClient(database.db)];
  const insert = `insert into audience (client_id, id, name, kind) values ($1, gen_random_uuid(), 'One', 'MANUAL')`;
  await database.db.unitOfWork(theirs, (uow) => uow.query(insert, [theirs]));
  const read = (clientId: string) =>
    database.db.unitOfWork(clientId, (uow) => uow.query('select 1 from audience where client_id = $1', [theirs]));
  expect(await read(theirs)).toHaveLength(1);
  expect(await read(mine)).toHaveLength(0);
  await expect(database.db.unitOfWork(mine, (uow) => uow.query(insert, [theirs]))).rejects.toThrow(
    /row-level security/,
  );
});

test('without the extension it says what is missing', async () => {
  const templateUrl = inject('templateUrl');
  const url = await createDatabase(templateUrl, `laurel_plain_${process.pid}`);
  try {
    await expect(distribute(url)).rejects.toThrow(/migrations are pending/);
  } finally {
    await dropDatabase(templateUrl, url);
  }
});

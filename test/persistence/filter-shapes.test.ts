import { fromJson } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FilterSchema } from '../../gen/laurel/v1/filter_pb.ts';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { pagedList } from '../../src/persistence/lists/list-page.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;
let clientId: string;

beforeAll(async () => {
  database = await testDatabase();
  clientId = await newClient(database.db);
  db = await openDatabase({ url: database.url, entities, poolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Thirteen optional conditions: each number is a separate shape. */
const SHAPES = 5_000;
const VALUES = ['a', null, ['a'], ['a', 'b'], [null, 'a']];

function filterOf(shape: number) {
  const conditions = [];
  for (let left = shape, index = 0; left > 0; left = Math.floor(left / 6), index += 1) {
    const value = VALUES[(left % 6) - 1];
    if (left % 6 > 0) conditions.push({ field: index % 2 ? 'email' : 'name', value });
  }
  return fromJson(FilterSchema, { filters: conditions } as never);
}

test('5,000 shapes of filters leave no statement prepared, and what every request sends still is', async () => {
  const list = pagedList<{ id: string }>({
    from: 'account',
    columns: 'id',
    orderBy: ['created_at', 'id'],
    fields: { name: { kind: 'text', column: 'name' }, email: { kind: 'text', column: 'email' } },
  });
  const prepared = () =>
    db.unitOfWork(clientId, async (uow) => {
      const [row] = await uow.query<{ count: number; like: number }>(
        `select count(*)::int as count, count(*) filter (where statement like '%from account%where%')::int as like
           from pg_prepared_statements`,
      );
      return row!;
    });
  await db.unitOfWork(clientId, (uow) => list(uow, { page: 1, limit: 10, filters: undefined }));
  const before = await prepared();
  for (let first = 1; first <= SHAPES; first += 100) {
    await db.unitOfWork(clientId, async (uow) => {
      for (let shape = first; shape < first + 100; shape += 1)
        await list(uow, { page: 1, limit: 10, filters: filterOf(shape) });
    });
  }
  const after = await prepared();
  // The additional one is for the way that PostgreSQL plans a filtered list.
  expect(after.count - before.count).toBeLessThanOrEqual(1);
  const own = 'select 12345 as own from account where client_id = $1';
  for (let time = 0; time < 2; time += 1) await db.unitOfWork(clientId, (uow) => uow.query(own, [clientId]));
  expect((await prepared()).like).toBe(after.like + 1);
}, 120_000);

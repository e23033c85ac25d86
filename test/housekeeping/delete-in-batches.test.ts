import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOldOperations } from '../../src/idempotency/delete-old-operations.ts';
import { deleteOperationsBefore } from '../../src/idempotency/operations.queries.ts';
import type { UnitOfWork } from '../../src/persistence/database.ts';
import { deleteInBatches } from '../../src/persistence/delete-in-batches.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('each batch begins where the last one ended, and the first that is not full is the last', async () => {
  const clientId = await newClient(database.db);
  const rows = ['a', 'b', 'c', 'd', 'e'];
  const begun: (string | undefined)[] = [];
  const deleted = await deleteInBatches<string>(database.db, clientId, {
    batch: 2,
    deleteBatch(_uow, from) {
      begun.push(from);
      const some = rows.splice(0, 2);
      return Promise.resolve({ count: some.length, last: some.at(-1) });
    },
  });
  expect(deleted).toBe(5);
  expect(begun).toEqual([undefined, 'b', 'd']);
});

test('operations of one instant, more than a batch of them, are all forgotten, and younger ones stay', async () => {
  const clientId = await newClient(database.db);
  await storeOperations(clientId, { count: 25, secondsApart: 0 });
  await storeOperations(clientId, { count: 25, secondsApart: 1 });
  expect(await deleteOldOperations(database.db, clientId, at(10), { batch: 7 })).toBe(35);
  expect(await deleteOldOperations(database.db, clientId, at(10), { batch: 7 })).toBe(0);
  expect(await deleteOldOperations(database.db, clientId, at(100), { batch: 15 })).toBe(15);
});

test('a later batch reads no more of the index than the first: it does not pass over what was deleted before it', async () => {
  const clientId = await newClient(database.db);
  await storeOperations(clientId, { count: 20_000, secondsApart: 1 });
  const [first, later] = [
    { from: at(0), before: at(100) },
    { from: at(19_000), before: at(19_100) },
  ];
  const fresh = await blocksOf(clientId, first);
  expect(await deleteOldOperations(database.db, clientId, at(19_000))).toBe(18_900);
  expect(await blocksOf(clientId, later)).toBeLessThan(1.5 * fresh);
});

const BEGUN = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number) => new Date(BEGUN + seconds * 1_000);

/** Operations from the beginning. */
async function storeOperations(clientId: string, { count, secondsApart }: { count: number; secondsApart: number }) {
  await database.db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into operation (client_id, id, scope, fingerprint, created_at)
       select $1, gen_random_uuid()::text, 'trigger/LOGIN', sha256('a'), $2::timestamptz + n * $3 * interval '1 second'
         from generate_series(0, $4::int - 1) as n`,
      [clientId, at(0), secondsApart, count],
    ),
  );
}

/** Deletes operations by one statement. Returns the pages that it reads of the index. */
async function blocksOf(clientId: string, range: { readonly from: Date; readonly before: Date }): Promise<number> {
  return database.db.unitOfWork(clientId, async (uow) => {
    let blocks = 0;
    const explaining: UnitOfWork = {
      ...uow,
      async query<Row extends object>(sql: string, values?: readonly unknown[]) {
        const rows = await uow.queryOnce<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `explain (analyze, buffers, format json) ${sql}`,
          values,
        );
        blocks = blocksOfSearch(rows[0]!['QUERY PLAN'][0].Plan)!;
        return [] as Row[];
      },
    };
    await deleteOperationsBefore(explaining, { ...range, batch: 100 });
    return blocks;
  });
}

type PlanNode = {
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};

/** Undefined if the index scan is not below this node. */
function blocksOfSearch(node: PlanNode): number | undefined {
  if (node['Index Name'] === 'operation_created') return node['Shared Hit Blocks'] + node['Shared Read Blocks'];
  for (const child of node.Plans ?? []) {
    const blocks = blocksOfSearch(child);
    if (blocks !== undefined) return blocks;
  }
  return undefined;
}

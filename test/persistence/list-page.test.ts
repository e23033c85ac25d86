import { create } from '@bufbuild/protobuf';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FilterSchema } from '../../gen/laurel/v1/filter_pb.ts';
import { sqlStateOf } from '../../src/persistence/connections/failures.ts';
import { type Page, pagedList, type PageRequest } from '../../src/persistence/lists/list-page.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

type Row = { id: string; created_at: Date };

const list = {
  from: 'account_search',
  columns: 'id, created_at',
  orderBy: ['created_at', 'id'],
  deletable: true,
  fields: { name: { kind: 'text', column: 'name' } },
} as const;

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const read = pagedList<Row>(list);

function pageOf(clientId: string, request: PageRequest, from = read): Promise<Page<Row>> {
  return database.db.unitOfWork(clientId, (uow) => from(uow, request));
}

/** Updates the planner's statistics, and moves new rows from the pending list into the search index. */
async function vacuum(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('vacuum analyze account');
  await client.end();
}

/** A client whose accounts were created one per millisecond, ten of them at once. */
async function clientWith(accounts: number): Promise<string> {
  const clientId = await newClient(database.db);
  await database.db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into account (client_id, id, name, created_at)
       select $1, gen_random_uuid(), 'Account ' || i, timestamptz '2026-01-01' + (i / 10) * interval '1 ms'
         from generate_series(1, $2::int) i`,
      [clientId, accounts],
    ),
  );
  return clientId;
}

async function remove(clientId: string, rows: readonly Row[]): Promise<void> {
  await database.db.unitOfWork(clientId, (uow) =>
    uow.query('update account set deleted_at = now() where client_id = $1 and id = any($2::uuid[])', [
      clientId,
      rows.map((row) => row.id),
    ]),
  );
}

async function walk(clientId: string, limit: number, onPage?: (page: Page<Row>) => Promise<void>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1, next = true; next; page += 1) {
    const answer = await pageOf(clientId, { page, limit });
    expect(answer).toMatchObject({ page, perPage: limit, previous: page > 1 });
    rows.push(...answer.rows);
    next = answer.next;
    await onPage?.(answer);
  }
  return rows;
}

describe('the envelope', () => {
  test.each([
    [0, 1, 3, { next: false, previous: false, totalPages: 0, totalRows: 0 }, 0],
    [3, 1, 3, { next: false, previous: false, totalPages: 1, totalRows: 3 }, 3],
    [4, 1, 3, { next: true, previous: false, totalPages: 2, totalRows: 4 }, 3],
    [4, 2, 3, { next: false, previous: true, totalPages: 2, totalRows: 4 }, 1],
    [4, 3, 3, { next: false, previous: true, totalPages: 2, totalRows: 4 }, 0],
    [4, 2_147_483_647, 1_000, { next: false, previous: true, totalPages: 1, totalRows: 4 }, 0],
  ])('%i rows, page %i of %i', async (accounts, page, limit, envelope, shown) => {
    const answer = await pageOf(await clientWith(accounts), { page, limit });
    expect(answer).toMatchObject({ ...envelope, page, perPage: limit });
    expect(answer.rows).toHaveLength(shown);
  });

  test.each([{}, { page: 1 }, { limit: 1 }])('without page or limit it is a 400: %j', async (request) => {
    await expect(pageOf(await clientWith(0), request)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

test('a walk gives every row once, in order, also where many were created in one millisecond', async () => {
  const clientId = await clientWith(100);
  const rows = await walk(clientId, 7);
  expect(new Set(rows.map((row) => row.id)).size).toBe(100);
  const inOrder = rows.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1));
  expect(rows).toEqual(inOrder);
  const backwards = await pageOf(clientId, { page: 1, limit: 100 }, pagedList<Row>({ ...list, descending: true }));
  expect(backwards.rows).toEqual(rows.toReversed());
});

describe('a long list', () => {
  test('is walked without a gap or a repetition', async () => {
    const clientId = await clientWith(12_345);
    const rows = await walk(clientId, 500);
    expect(new Set(rows.map((row) => row.id)).size).toBe(12_345);
    // A page in the middle, requested from a process that has not read the earlier pages.
    const page = await pageOf(clientId, { page: 24, limit: 500 }, pagedList<Row>(list));
    expect(page.rows).toEqual(rows.slice(23 * 500, 24 * 500));
    expect(page).toMatchObject({ next: true, totalRows: 12_345, totalPages: 25 });
  });

  test('loses no row to removals on pages that were walked already', async () => {
    const clientId = await clientWith(12_000);
    const seen = await walk(clientId, 1_000, async ({ page, rows }) => {
      if (page === 11) await remove(clientId, rows.slice(0, 500));
    });
    expect(seen).toHaveLength(12_000);
  });

  test('shows rows that came after it was counted', async () => {
    const clientId = await clientWith(10_999);
    expect(await pageOf(clientId, { page: 1, limit: 1_000 })).toMatchObject({ totalRows: 10_999, totalPages: 11 });
    await database.db.unitOfWork(clientId, (uow) =>
      uow.query(`insert into account (client_id, id, created_at)
                 select '${clientId}', gen_random_uuid(), now() from generate_series(1, 2)`),
    );
    const last = await walk(clientId, 1_000);
    expect(last).toHaveLength(11_001);
  });
});

describe('searching accounts', () => {
  const search = (text: string) => ({
    page: 1,
    limit: 10,
    filters: create(FilterSchema, {
      filters: [{ field: 'name', value: { kind: { case: 'stringValue', value: text } } }],
    }),
  });

  test('finds part of a name without its case', async () => {
    const clientId = await clientWith(30);
    expect((await pageOf(clientId, search('ACCOUNT 2'))).totalRows).toBe(11);
  });

  test('uses the search index, which the table itself may not', async () => {
    const clientId = await clientWith(20_000);
    await vacuum();
    const planOf = (from: string) =>
      database.db.unitOfWork(clientId, async (uow) => {
        const rows = await uow.query<{ 'QUERY PLAN': string }>(
          `explain select id from ${from} where client_id = '${clientId}' and folded(name) like folded('%count 1999%')`,
        );
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
    expect(await planOf('account_search')).toMatch(/account_name_search[^]*Index Cond:.*~~/);
    expect(await planOf('account')).not.toMatch(/Index Cond:.*~~/);
  });

  test.each([
    ['name', 'account_name_order'],
    ['name desc', 'account_name_order'],
    ['email', 'account_email_order'],
    ['external_id', 'account_external_id_unique'],
  ])('stands in the order of %s by an index, without sorting all of it', async (order, index) => {
    const clientId = await clientWith(20_000);
    const column = order.replace(' desc', '');
    await database.db.unitOfWork(clientId, (uow) =>
      uow.query(
        `update account set email = md5(name) || '@example.com', external_id = md5(id::text) where client_id = $1`,
        [clientId],
      ),
    );
    await vacuum();
    const plan = await database.db.unitOfWork(clientId, async (uow) => {
      const rows = await uow.query<{ 'QUERY PLAN': string }>(
        `explain select id from account_search where client_id = '${clientId}' and deleted_at is null and ${column} is not null
          order by ${order}, id${order.endsWith('desc') ? ' desc' : ''} limit 101 offset 9900`,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/->  Sort/);
  });

  test('the view shows the own client only, also to a statement that names none or another, and nothing outside of a unit of work', async () => {
    const [own, other] = [await clientWith(2), await clientWith(3)];
    const counts = await database.db.unitOfWork(own, (uow) =>
      uow.query(
        `select count(*)::int as rows, count(*) filter (where client_id = $1)::int as theirs from account_search`,
        [other],
      ),
    );
    expect(counts).toEqual([{ rows: 2, theirs: 0 }]);
    const nobody = await database.db.systemUnitOfWork((uow) => uow.query('select 1 from account_search'));
    expect(nobody).toEqual([]);
  });

  test.each([
    "update account_search set name = 'x'",
    'delete from account_search',
    'insert into account_search (id) select null',
  ])('the view is for reading: %s', async (sql) => {
    const refused = database.db.unitOfWork(await clientWith(1), (uow) => uow.query(sql));
    await expect(refused.catch(sqlStateOf)).resolves.toBe('42501');
  });
});

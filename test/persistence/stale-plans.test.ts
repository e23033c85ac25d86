import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const CONNECTIONS = 10;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  db = await openDatabase({ url: database.url, entities, poolMax: CONNECTIONS });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a changed column type fails no call, however many connections have the statement prepared', async () => {
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query('create table changing (value int); grant select on changing to laurel_system');
  await owner.query('insert into changing values (1)');
  const read = () =>
    db.systemUnitOfWork(async (uow) => {
      const rows = await uow.query('select * from changing');
      // Long enough that each of the calls has a separate connection.
      await uow.query('select pg_sleep(0.05)');
      return rows.length;
    });
  for (const type of ['bigint', 'numeric', 'text']) {
    await Promise.all(Array.from({ length: 3 * CONNECTIONS }, read));
    await owner.query(`alter table changing alter column value type ${type}`);
    // A single call uses one idle connection after the other.
    expect(await read()).toBe(1);
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, read));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  }
  await owner.end();
});

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { claimOf } from '../../../src/idempotency/claim.ts';
import type { UnitOfWork } from '../../../src/persistence/database.ts';
import { knownTriggers } from '../../../src/triggers/inbox/inbox.queries.ts';
import { newClient, type TestDatabase, testDatabase } from '../../support/database.ts';

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

const WAITING = 2_000;

const fill = (uow: UnitOfWork) =>
  uow.query(
    `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, operation_id, occurred_at, accepted_at)
     select $1, gen_random_uuid(), 'LOGIN', 'somebody', 'EXTERNAL', 'waiting-' || number, now(), now()
       from generate_series(1, $2::int) number`,
    [uow.clientId, WAITING],
  );

const lookUp = (uow: UnitOfWork, prefix: string) =>
  knownTriggers(
    uow,
    Array.from({ length: 50 }, (_, index) => claimOf(`${prefix}-${index}`, 'trigger/LOGIN', [newId()])),
  );

/** The rows of the inbox that this transaction has read by an index. */
async function rowsRead(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ read: string }>(
    `select idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'trigger_inbox'`,
  );
  return Number(row!.read);
}

test.each([
  ['has no statistics', []],
  ['was empty when it was analysed', ['vacuum analyze trigger_inbox']],
])(
  'a look for operation ids that was planned while the inbox %s reads no event that waits under another id',
  async (_, before) => {
    for (const statement of before) await owner.query(statement);
    await database.db.unitOfWork(await newClient(database.db), async (uow) => {
      // PostgreSQL plans the statement five times, and then keeps one plan for all keys.
      for (let time = 0; time < 8; time += 1) await lookUp(uow, 'unknown');
      await fill(uow);
      const readBefore = await rowsRead(uow);
      expect(await lookUp(uow, 'unknown')).toEqual([]);
      expect((await rowsRead(uow)) - readBefore).toBeLessThan(50);
      expect(await lookUp(uow, 'waiting')).toHaveLength(49);
      await uow.query('delete from trigger_inbox where client_id = $1', [uow.clientId]);
    });
  },
);

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountEntity } from '../../src/accounts/account.entity.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { UnitOfWork } from '../../src/persistence/database.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
let clients: string[];

beforeAll(async () => {
  // Fewer connections than units of work, so that every connection serves every client in turn.
  database = await testDatabase({ poolMax: 3 });
  clients = await Promise.all([newClient(database.db), newClient(database.db), newClient(database.db)]);
});
afterAll(() => database.drop());

const insert = (uow: UnitOfWork) =>
  uow.query('insert into account (client_id, id) values ($1, $2)', [uow.clientId, newId()]);

/** Good and bad uses of a unit of work. Statements without an await must affect only their own unit. */
const WAYS = {
  works: async (uow) => void (await insert(uow)),
  usesEntities: async ({ em, clientId }) => void em.create(AccountEntity, { clientId, id: newId() }),
  throws: async (uow) => {
    await insert(uow);
    throw new Error('on purpose');
  },
  fails: async (uow) => void (await uow.query('select 1 / 0')),
  failsAmongOthers: async (uow) => void (await Promise.all([insert(uow), uow.query('select 1 / 0'), insert(uow)])),
  swallows: async (uow) => void (await uow.query('select $1::int', ['no number']).catch(() => {})),
  leaves: async (uow) => void insert(uow).catch(() => {}),
  leavesAndThrows: async (uow) => {
    insert(uow).catch(() => {});
    throw new Error('on purpose');
  },
  failsLater: async (uow) => {
    await insert(uow);
    uow.query('select 1 / 0').catch(() => {});
  },
  writesAbroad: async (uow) =>
    void (await uow.query('insert into account (client_id, id) values ($1, $2)', [newId(), newId()])),
} satisfies Record<string, (uow: UnitOfWork) => Promise<void>>;

test('however the units of work beside it end, each sees its own client and is stored or not as it says', async () => {
  const way = fc.constantFrom(...(Object.keys(WAYS) as (keyof typeof WAYS)[]));
  const units = fc.array(fc.record({ way, client: fc.nat({ max: 2 }) }), { minLength: 10, maxLength: 40 });
  await fc.assert(fc.asyncProperty(units, runAll), { numRuns: 30 });
});

async function runAll(units: readonly { way: keyof typeof WAYS; client: number }[]): Promise<void> {
  await Promise.all(units.map(({ way, client }) => runOne(way, clients[client]!)));
}

async function runOne(way: keyof typeof WAYS, client: string): Promise<void> {
  const ended = await database.db
    .unitOfWork(client, async (uow) => {
      await seesOnly(uow, client);
      await WAYS[way](uow);
    })
    .then(
      () => 'stored',
      () => 'nothing',
    );
  const good = ['works', 'usesEntities', 'leaves'].includes(way);
  expect({ way, ended }).toEqual({ way, ended: good ? 'stored' : 'nothing' });
}

async function seesOnly(uow: UnitOfWork, client: string): Promise<void> {
  const rows = await uow.query<{ client_id: string; setting: string }>(
    `select client_id, current_setting('laurel.client_id') as setting from account`,
  );
  expect(new Set(rows.flatMap((row) => [row.client_id, row.setting])).difference(new Set([client])).size).toBe(0);
}

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { batchedLookUp } from '../../src/persistence/batching/batched-look-up.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: string;
const statements: (readonly string[])[] = [];

/** Names of accounts by external id, in one statement. */
const nameOf = batchedLookUp(async (uow, externalIds: readonly string[]) => {
  statements.push(externalIds);
  const rows = await uow.query<{ external_id: string; name: string }>(
    'select external_id, name from account where client_id = $1 and external_id = any($2::text[])',
    [uow.clientId, externalIds],
  );
  return new Map(rows.map((row) => [row.external_id, row.name]));
});

const add = (externalId: string, name: string) =>
  database.db.unitOfWork(client, (uow) =>
    uow.query('insert into account (client_id, id, external_id, name) values ($1, $2, $3, $4)', [
      client,
      newId(),
      externalId,
      name,
    ]),
  );

beforeAll(async () => {
  database = await testDatabase();
  client = await newClient(database.db);
  for (const name of ['Ada', 'Bert', 'Cora']) await add(name.toLowerCase(), name);
});
beforeEach(() => void statements.splice(0));
afterAll(() => database.drop());

test('what is asked for in one moment is one statement, and everyone gets his own', async () => {
  const names = await database.db.unitOfWork(client, (uow) =>
    Promise.all(['cora', 'nobody', 'ada', 'cora'].map((externalId) => nameOf(uow, externalId))),
  );
  expect(names).toEqual(['Cora', undefined, 'Ada', 'Cora']);
  expect(statements).toHaveLength(1);
});

test('a later look-up sees what was written in between', async () => {
  const [before, after] = await database.db.unitOfWork(client, async (uow) => {
    const first = await nameOf(uow, 'bert');
    await uow.query(`update account set name = 'Albert' where client_id = $1 and external_id = 'bert'`, [client]);
    return [first, await nameOf(uow, 'bert')];
  });
  expect([before, after]).toEqual(['Bert', 'Albert']);
});

test('two transactions never share a statement, also those of two clients', async () => {
  const other = await newClient(database.db);
  const ask = (clientId: string) => database.db.unitOfWork(clientId, (uow) => nameOf(uow, 'ada'));
  expect(await Promise.all([ask(client), ask(other), ask(client)])).toEqual(['Ada', undefined, 'Ada']);
  expect(statements).toHaveLength(3);
});

test('a look-up that fails, fails for all who asked for it', async () => {
  const broken = batchedLookUp((uow, ids: readonly string[]) =>
    uow.query(`select no_such_column`, [...ids]).then(() => new Map()),
  );
  const asked = database.db.unitOfWork(client, (uow) => Promise.allSettled(['a', 'b'].map((id) => broken(uow, id))));
  await expect(asked).rejects.toThrow();
});

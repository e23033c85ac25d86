import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { migrate } from '../../../src/persistence/migrate.ts';
import { newClient, type TestDatabase, testDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('a session that began before the upgrade ends with it, because its cookie has another name', async () => {
  const clientId = await newClient(database.db);
  const [userId, sessionId] = [newId(), newId()];
  await database.db.unitOfWork(clientId, async (uow) => {
    await uow.query(
      `insert into console_user (client_id, id, email, name, role, password_hash) values ($1, $2, 'a@b.c', '', 'CLIENT_ADMIN', '')`,
      [clientId, userId],
    );
    await uow.query(
      `insert into console_session (client_id, id, user_id, expires_at) values ($1, $2, $3, now() + interval '1 day')`,
      [clientId, sessionId, userId],
    );
  });
  // The schema of the previous release: without the column, and without the migration that adds it.
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query('alter table console_token drop column successor');
  await owner.query(`delete from migration where name like '%session-chain%'`);
  await owner.end();
  expect(await migrate(database.url)).toEqual([expect.stringContaining('session-chain')]);
  const [session] = await database.db.unitOfWork(clientId, (uow) =>
    uow.query<{ ended_at: Date | null }>('select ended_at from console_session where id = $1', [sessionId]),
  );
  expect(session!.ended_at).toBeInstanceOf(Date);
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const TIMEOUT = { timeout: 90_000 };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function laurel(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, NODE_ENV: 'production' },
  });
  return stdout.trim();
}

test('on a new database an operator makes a client, its key and its first administrator', TIMEOUT, async () => {
  const clientId = await laurel('clients', 'create', '--name', 'My game', '--time-zone', 'Europe/Madrid');
  const rows = await database.db.systemUnitOfWork((uow) => uow.query('select id, name, time_zone from client'));
  expect(rows).toEqual([{ id: clientId, name: 'My game', time_zone: 'Europe/Madrid' }]);
  expect(await laurel('keys', 'create', '--client', clientId, '--name', 'Shop')).not.toBe('');
  expect(await laurel('users', 'create', '--client', clientId, '--email', 'ana@example.com')).not.toBe('');
});

test('a client without a name, and a time zone that nobody knows, are refused in words', TIMEOUT, async () => {
  await expect(laurel('clients', 'create')).rejects.toThrow('Send --name');
  await expect(laurel('clients', 'create', '--name', 'a', '--time-zone', 'Mars/Base')).rejects.toThrow('Mars/Base');
});

// The example in the help of every command, run as a person types it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../src/commands/commands.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { laurel, SECRET_KEY } from '../support/laurel.ts';
import { startService, type TestService } from '../support/service.ts';
import { newPerson, type Person } from './support/people.ts';

/** The time limit: each command starts a process. */
const TIMEOUT = { timeout: 120_000 };

let service: TestService;
let database: TestDatabase;
let person: Person;

beforeAll(async () => {
  [service, database] = await Promise.all([startService(), testDatabase()]);
  await newGame(service, { missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 100 }] });
  // The token of an administrator may do all of it.
  person = await newPerson({ LAUREL_URL: service.baseUrl, LAUREL_KEY: service.adminToken });
  const event = { programmaticCode: 'PURCHASE', accountId: 'pia', metadata: { amount: 1 } };
  await writeFile(join(person.folder, 'events.ndjson'), `${JSON.stringify(event)}\n`);
}, 120_000);
afterAll(async () => {
  await Promise.all([service.close(), database.drop(), person.close()]);
});

const env = async () => ({
  DATABASE_URL: database.url,
  LAUREL_DATA: person.folder,
  LAUREL_SECRET_KEYS: SECRET_KEY,
  LAUREL_WEBHOOK_SECRET: 'whsec_dGVzdA==',
  HOST: '127.0.0.1',
  PORT: '0',
  CLIENT: await newClient(database.db),
});

/** Lines that prepare an example, and exit codes other than 0 with their reasons. */
const BEFORE: Readonly<Record<string, string>> = {
  'users reset-second-factor': 'laurel users create --client "$CLIENT" --email ana@example.com',
  'audit-verify':
    'laurel keys create --client "$CLIENT" --name A; laurel audit-export --client "$CLIENT" > audit.ndjson',
  'accounts show': 'laurel events emit PURCHASE pia --amount 1',
  'accounts timeline': 'laurel events emit PURCHASE pia --amount 1',
};
const CODES: Readonly<Record<string, number>> = {
  // The test's PostgreSQL has no Citus, the new client no checkpoint yet, and the new user no second factor.
  distribute: 1,
  'audit-verify': 1,
  'users reset-second-factor': 1,
};
/** Examples that run until they are stopped. */
const RUNNING = ['serve', 'webhooks listen'];

test.each(commands.filter(({ name }) => !RUNNING.includes(name)))(
  'the example in the help of $name works',
  TIMEOUT,
  async ({ name, example }) => {
    const settings = await env();
    if (BEFORE[name]) await person.sh(BEFORE[name], settings);
    const { code, out, errors } = await person.sh(example, settings);
    expect({ code, out, errors }).toEqual({
      code: CODES[name] ?? 0,
      out: expect.any(String),
      errors: expect.any(String),
    });
    expect((await person.sh(`laurel help ${name}`)).out).toContain(example);
  },
);

test('the examples that run until they are stopped begin to serve', TIMEOUT, async () => {
  const settings = await env();
  const serve = commands.find(({ name }) => name === 'serve')!.example;
  expect(await laurel(serve.split(' ').slice(1), settings)).toMatchObject({ served: true });
  const listen = commands.find(({ name }) => name === 'webhooks listen')!.example.replace('4318', '0');
  expect((await person.sh(`timeout 1 ${listen}`, settings)).errors).toMatch(/^Listening on http:/);
});

import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authenticator } from '../../src/clients/credentials/authenticate.ts';
import { type CredentialThrottle, credentialThrottle } from '../../src/clients/credentials/credential-throttle.ts';
import { newToken } from '../../src/clients/credentials/token.ts';
import { systemClock } from '../../src/kernel/time/clock.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Tenant } from '../support/service.ts';

/** The number of wrong guesses per address. */
const ALLOWED = 5;

const REFUSED = { kind: 'RATE_LIMITED', code: 'RATE_LIMITED', retryAfter: expect.any(Number) };

let database: TestDatabase;
let tenant: Tenant;
let throttle: CredentialThrottle;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
});
afterAll(() => database.drop());
beforeEach(() => {
  throttle = credentialThrottle(ALLOWED);
});

/** A new authenticator each time, without cached credentials; the throttle is the same. */
async function enter(token: string, address = '198.51.100.1'): Promise<unknown> {
  const subject = authenticator(database.db, systemClock, pino({ level: 'silent' }), { throttle });
  const result = await subject
    .authenticate({ authorization: `Bearer ${token}`, actFor: undefined, callerAddress: () => address })
    .catch((error: unknown) => error);
  await subject.close();
  return result;
}

async function guess(times: number, address?: string): Promise<unknown[]> {
  const answers = [];
  for (let guessed = 0; guessed < times; guessed += 1) {
    answers.push(await enter(newToken('API_KEY', tenant.clientId), address));
  }
  return answers;
}

test('an address that guesses is refused after some guesses, and the database is not asked any more', async () => {
  const answers = await guess(ALLOWED + 2);
  expect(answers.slice(0, ALLOWED).every((answer) => (answer as Error).message.includes('not known'))).toBe(true);
  expect(answers.slice(ALLOWED)).toMatchObject([REFUSED, REFUSED]);
  const asked = await throttle
    .lookUp('198.51.100.1', 'another', async () => expect.unreachable('it was looked up'))
    .catch((error: unknown) => error);
  expect(asked).toMatchObject(REFUSED);
});

test('a credential that was let in before goes on, from the same address', async () => {
  await enter(tenant.apiKey);
  await guess(ALLOWED + 1);
  expect(await enter(tenant.apiKey)).toMatchObject({ role: 'INTEGRATOR' });
  expect(await enter(tenant.adminToken)).toMatchObject(REFUSED);
});

test('other addresses are not affected', async () => {
  await guess(ALLOWED + 1);
  expect(await enter(tenant.apiKey, '198.51.100.2')).toMatchObject({ role: 'INTEGRATOR' });
});

test('the addresses of one IPv6 network count together, those of another do not', async () => {
  for (const end of [':1', ':2', ':ffff:1', '8000::9', '0:0:0:3']) await guess(1, `2001:470:1:2:${end}`);
  expect(await enter(tenant.apiKey, '2001:470:1:2:0:0:0:77')).toMatchObject(REFUSED);
  expect(await enter(tenant.apiKey, '2001:470:1:3::1')).toMatchObject({ role: 'INTEGRATOR' });
});

test('the loopback is one address in all its spellings of IPv6, and mapped IPv4 addresses are many', async () => {
  await guess(ALLOWED, '::1');
  expect(await enter(tenant.apiKey, '0:0:0:0:0:0:0:1')).toMatchObject(REFUSED);
  await guess(ALLOWED, '::ffff:198.51.100.9');
  expect(await enter(tenant.adminToken, '::FFFF:c633:6409')).toMatchObject(REFUSED);
  expect(await enter(tenant.apiKey, '::FFFF:c633:640b')).toMatchObject({ role: 'INTEGRATOR' });
  expect(await enter(tenant.adminToken, '::ffff:198.51.100.10')).toMatchObject({ role: 'CLIENT_ADMIN' });
});

test('what is no credential at all is no guess', async () => {
  for (let sent = 0; sent < ALLOWED + 1; sent += 1) await enter('hello');
  expect(await enter(tenant.apiKey)).toMatchObject({ role: 'INTEGRATOR' });
});

import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp } from '../../src/app/app.ts';
import { systemClock } from '../../src/kernel/time/clock.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { secretKeysFromText } from '../../src/kernel/secrets/secret-keys.ts';
import { type Received, type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, '../../src/main.ts');
const VALUE = 'Bearer the-receivers-own-token';

const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

let database: TestDatabase;
let tenant: Tenant;
let receiver: Receiver;
let signingSecret: string;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

/** Runs the service with `keys`, like a restart by the operator with another setting. */
async function underKeys<T>(keys: string, work: (rest: Rest) => Promise<T>): Promise<T> {
  const app = await startApp({
    db: database.db,
    secrets: createSecretBox(secretKeysFromText(keys)),
    logger: pino({ level: 'silent' }),
    clock: systemClock,
    server: { host: '127.0.0.1', port: 0 },
    events: { triggerConcurrency: 1 },
    webhooks: { allowPrivate: true },
  });
  const result = await work(restAs(`http://127.0.0.1:${app.port}`, tenant));
  await app.close();
  return result;
}

/** `laurel secrets seal` with `keys`. */
async function seal(keys: string): Promise<{ code: number; words: string }> {
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, LAUREL_DATA: tmpdir(), LAUREL_SECRET_KEYS: keys };
  return run(process.execPath, [MAIN, 'secrets', 'seal'], { env }).then(
    ({ stdout }) => ({ code: 0, words: stdout.trim() }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, words: stdout.trim() }),
  );
}

/** Sends a test event; returns the received request, if there is one. */
async function testCall(rest: Rest): Promise<{ success: boolean; got: Received | undefined }> {
  const before = receiver.received.length;
  const { body } = await rest('POST', '/webhooks/rewards/test');
  return { success: body.success, got: receiver.received[before] };
}

/** Whether the receiver can verify the call, by both documented ways. */
function expectAuthenticated({ success, got }: Awaited<ReturnType<typeof testCall>>): void {
  expect(success).toBe(true);
  expect(got?.headers['authorization']).toBe(VALUE);
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = got?.headers ?? {};
  const key = Buffer.from(signingSecret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(at)}.${got?.body}`)
    .digest('base64');
  expect(signature).toBe(`v1,${expected}`);
}

test('under the first key a webhook is configured, and authenticates', async () => {
  await underKeys(old, async (rest) => {
    const { body } = await rest('PUT', '/webhooks/rewards', {
      endpoint: receiver.url,
      signed: true,
      authenticationMethodType: 'HEADER',
      authenticationMethodKey: 'Authorization',
      authenticationValue: VALUE,
    });
    signingSecret = body.signingSecret;
    expectAuthenticated(await testCall(rest));
  });
});

test('with the new key in front and the old one behind it, it goes on', async () => {
  await underKeys(`${next},${old}`, async (rest) => expectAuthenticated(await testCall(rest)));
});

test('taking the old key out too early sends nothing in the open, and sealing says that a secret is lost', async () => {
  await underKeys(next, async (rest) => {
    expect(await testCall(rest)).toEqual({ success: false, got: undefined });
    const { body } = await rest('GET', '/webhooks/rewards');
    expect(body.authenticationValue).toBe('••••');
  });
  expect(await seal(next)).toEqual({ code: 1, words: '0 sealed again, 1 that no configured key opens.' });
});

test('sealed again, it needs the new key only, and goes on with the same secrets', async () => {
  expect(await seal(`${next},${old}`)).toEqual({ code: 0, words: '1 sealed again, 0 that no configured key opens.' });
  const entries = await database.db.systemUnitOfWork((uow) =>
    uow.query(`select client_id, note from audit_entry where operation = 'CommandLine.SealSecrets'`),
  );
  expect(entries).toEqual([{ client_id: tenant.clientId, note: '1 sealed again.' }]);
  await underKeys(next, async (rest) => expectAuthenticated(await testCall(rest)));
});

test('the old key opens nothing any more', async () => {
  await underKeys(old, async (rest) => {
    expect(await testCall(rest)).toEqual({ success: false, got: undefined });
  });
  expect(await seal(next)).toEqual({ code: 0, words: '0 sealed again, 0 that no configured key opens.' });
});

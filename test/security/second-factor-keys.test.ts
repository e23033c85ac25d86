import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Secret, TOTP } from 'otpauth';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp } from '../../src/app/app.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { secretKeysFromText } from '../../src/kernel/secrets/secret-keys.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, '../../src/main.ts');
const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const EMAIL = 'grace@example.com';
const PASSWORD = 'seven plain words nobody would guess';

let database: TestDatabase;
let tenant: Tenant;
/** The clock of every process, equal to the database's. */
let now = new Date();
let secret: string;
let recoveryCodes: string[];

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
});
afterAll(() => database.drop());

/** Runs the service with `keys`, like a restart by the operator with another setting. */
async function underKeys<T>(keys: string, work: (rest: Rest) => Promise<T>): Promise<T> {
  const app = await startApp({
    db: database.db,
    secrets: createSecretBox(secretKeysFromText(keys)),
    logger: pino({ level: 'silent' }),
    clock: () => now,
    server: { host: '127.0.0.1', port: 0 },
    events: { triggerConcurrency: 1 },
    webhooks: { allowPrivate: true },
  });
  try {
    return await work(restAs(`http://127.0.0.1:${app.port}`, tenant));
  } finally {
    await app.close();
  }
}

/** A command with `keys`. */
async function laurel(keys: string, ...command: string[]): Promise<{ code: number; words: string }> {
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, LAUREL_DATA: tmpdir(), LAUREL_SECRET_KEYS: keys };
  return run(process.execPath, [MAIN, ...command], { env }).then(
    ({ stdout }) => ({ code: 0, words: stdout.trim() }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      words: (stdout + stderr).trim(),
    }),
  );
}

const signIn = (rest: Rest, secondFactor?: string) =>
  rest('POST', '/admin/session/sign-in', { email: EMAIL, password: PASSWORD, secondFactor }, '');

/** The next code that the app shows. */
function nextCode(): string {
  now = new Date(now.getTime() + 60_000);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
}

test('a second factor is switched on under the first key', async () => {
  await underKeys(old, async (rest) => {
    const { body: made } = await rest('POST', '/admin/users', { email: EMAIL, name: '' }, tenant.adminToken);
    const first = { email: EMAIL, password: made.password };
    const { body: begun } = await rest('POST', '/admin/session/sign-in', first, '');
    const token = begun.accessToken;
    const change = { currentPassword: made.password, newPassword: PASSWORD };
    await rest('POST', '/admin/session/change-password', change, token);
    const factor = (action: string, body: object) =>
      rest('POST', `/admin/session/second-factor/${action}`, body, token);
    secret = (await factor('begin', { currentPassword: PASSWORD })).body.secret;
    recoveryCodes = (await factor('confirm', { code: nextCode() })).body.recoveryCodes;
    expect(recoveryCodes).toHaveLength(10);
  });
});

test('neither the secret nor a recovery code stands in the database', async () => {
  const rows = await database.db.systemUnitOfWork((uow) =>
    uow.query<{ row: string }>(
      'select to_jsonb(x)::text as row from console_user x union all select to_jsonb(y)::text from audit_entry y',
    ),
  );
  const dump = rows.map(({ row }) => row).join('\n');
  expect(dump).toContain(EMAIL);
  for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
    expect(dump).not.toContain(hidden);
  }
});

test('of two processes to which the same code is sent at once, one lets in', async () => {
  await underKeys(old, async (one) =>
    underKeys(old, async (other) => {
      const code = nextCode();
      const answers = await Promise.all([one, other, one, other].map((rest) => signIn(rest, code)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === 'SECOND_FACTOR_REFUSED')).toHaveLength(3);
    }),
  );
});

test('with the new key in front it goes on, and without the old one a recovery code still gets in', async () => {
  await underKeys(`${next},${old}`, async (rest) => expect((await signIn(rest, nextCode())).status).toBe(200));
  await underKeys(next, async (rest) => {
    expect(await signIn(rest, nextCode())).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_REFUSED' } });
    expect((await signIn(rest, recoveryCodes[0])).status).toBe(200);
  });
});

test('sealing again says that the key is missing where it is, and with it makes the old one needless', async () => {
  expect(await laurel(next, 'secrets', 'seal')).toEqual({
    code: 1,
    words: '0 sealed again, 1 that no configured key opens.',
  });
  const sealed = await laurel(`${next},${old}`, 'secrets', 'seal');
  expect(sealed).toEqual({ code: 0, words: '1 sealed again, 0 that no configured key opens.' });
  await underKeys(next, async (rest) => expect((await signIn(rest, nextCode())).status).toBe(200));
}, 90_000);

test('a database that was restored from before a code was used takes the next codes as ever', async () => {
  const [{ step } = { step: 0 }] = await database.db.systemUnitOfWork((uow) =>
    uow.query<{ step: number }>('select second_factor_step as step from console_user where email = $1', [EMAIL]),
  );
  await underKeys(next, async (rest) => expect((await signIn(rest, nextCode())).status).toBe(200));
  await database.db.unitOfWork(tenant.clientId, (uow) =>
    uow.query('update console_user set second_factor_step = $2 where email = $1', [EMAIL, step]),
  );
  await underKeys(next, async (rest) => expect((await signIn(rest, nextCode())).status).toBe(200));
});

test('the command line switches it off for the last administrator, once', async () => {
  const command = ['users', 'reset-second-factor', '--client', tenant.clientId, '--email', EMAIL.toUpperCase()];
  expect(await laurel(next, ...command)).toMatchObject({ code: 0 });
  await underKeys(next, async (rest) => expect((await signIn(rest)).status).toBe(200));
  const again = await laurel(next, ...command);
  expect(again.code).toBe(1);
  expect(again.words).toContain('There is no second factor');
}, 90_000);

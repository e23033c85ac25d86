import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../../src/app/app.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { attack, cookiesOf, elsewhere, type NewUser, newUser, settledUser, signIn } from './console.ts';

let service: TestService;
/** A clock that only tests change. */
let now: Date;

beforeAll(async () => {
  service = await startService({ clock: () => now, trustForwarded: true });
});
beforeEach(() => {
  now = new Date();
});
afterAll(() => service.close());

const later = (ms: number) => (now = new Date(now.getTime() + ms));
const MINUTE = 60_000;
const ok = { status: 200, body: { accessToken: expect.any(String) } };
const refused = { status: 401, body: { code: 'SIGN_IN_REFUSED' } };
const mustWait = { status: 429, body: { code: 'USER_LOCKED' } };
const wrong = (user: Omit<NewUser, 'id'>) => ({ ...user, password: 'wrong' });

/** A user of another client with the same e-mail and a chosen password. */
async function namesakeOf({ email }: NewUser) {
  const other = await service.newTenant();
  const made = await service.rest('POST', '/admin/users', { email, name: 'Namesake' }, other.adminToken);
  const first = { id: made.body.user.id as string, email, password: made.body.password as string };
  const { clientId } = other;
  const begun = await signIn(service, first, { clientId, from: elsewhere() });
  return { ...other, ...first, token: begun.body.accessToken as string };
}

/** The parts of an answer that a caller can see. */
const seen = ({ status, headers, body }: RestAnswer) => [
  status,
  body.code,
  headers.get('retry-after'),
  body.message.replaceAll(/\S*\d{4}-\d\d-\d\dT\S*/g, '<time>'),
];

describe('a namesake in another client', () => {
  test('who signs in with the right password takes no attempt from the other, and tells nothing of failures', async () => {
    const user = await settledUser(service);
    const namesake = await namesakeOf(user);
    for (let time = 1; time <= 25; time += 1) {
      expect(await signIn(service, namesake, { from: '192.0.2.7' })).toMatchObject(ok);
    }
    const answer = await signIn(service, user, { from: '192.0.2.7' });
    expect(answer).toMatchObject(ok);
    expect(answer.body.session.user.failedSignIns).toBe(0);
  });

  test('does not give attempts back by signing in between guesses', async () => {
    const user = await settledUser(service);
    const namesake = await namesakeOf(user);
    const from = elsewhere();
    const answers = [];
    for (let time = 1; time <= 10; time += 1) {
      answers.push(await signIn(service, wrong(user), { from }));
      await signIn(service, namesake, { from });
    }
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('does not give attempts back by a reset of its own password', async () => {
    const user = await settledUser(service);
    const namesake = await namesakeOf(user);
    const from = elsewhere();
    for (let time = 1; time <= 5; time += 1) await signIn(service, wrong(user), { from });
    await service.rest('POST', `/admin/users/${namesake.id}/reset-password`, undefined, namesake.adminToken);
    expect(await signIn(service, wrong(user), { from })).toMatchObject(mustWait);
  });

  test('has a known browser for itself only: for the other it is a stranger', async () => {
    const user = await settledUser(service);
    const namesake = await namesakeOf(user);
    const from = elsewhere();
    const cookie = cookiesOf(await signIn(service, namesake, { from }));
    for (let time = 1; time <= 5; time += 1) await signIn(service, wrong(user), { from, cookie });
    expect(await signIn(service, user, { from, cookie, clientId: service.clientId })).toMatchObject(ok);
    later(60 * MINUTE);
    // The browser's counter and the attackers' counter are both at their limit: the other user's password is not checked.
    for (let time = 1; time <= 5; time += 1) await signIn(service, wrong(user), { from, cookie });
    expect(await signIn(service, user, { from, cookie })).toMatchObject({ status: 429 });
  });

  test('finds no password out by giving itself one guess after the other', async () => {
    const user = await settledUser(service);
    const namesake = await namesakeOf(user);
    let { password } = namesake;
    const statuses: number[] = [];
    for (let guess = 1; guess <= 8; guess += 1) {
      const newPassword = `a guess of many ${guess}`;
      const change = { currentPassword: password, newPassword };
      const { status } = await service.rest('POST', '/admin/session/change-password', change, namesake.token);
      statuses.push(status);
      if (status === 200) password = newPassword;
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    const reset = `/admin/users/${namesake.id}/reset-password`;
    const { body } = await service.rest('POST', reset, undefined, namesake.adminToken);
    const begun = await signIn(service, { ...namesake, ...body }, { clientId: namesake.clientId, from: elsewhere() });
    const change = { currentPassword: body.password, newPassword: 'one more guess of many' };
    const { accessToken } = begun.body;
    expect((await service.rest('POST', '/admin/session/change-password', change, accessToken)).status).toBe(429);
  });
});

describe('an e-mail that nobody has', () => {
  test.each([
    ['without a client', () => undefined],
    ['for a client that there is', () => service.clientId],
    ['for a client that there is not', newId],
  ])('cannot be distinguished from one that somebody has, %s', async (_words, clientIdOf) => {
    const user = await settledUser(service);
    const clientId = clientIdOf();
    const one = elsewhere();
    for (const froms of [() => one, elsewhere]) {
      const unknown = { email: `nobody-${newId()}@example.com`, password: 'wrong' };
      for (let time = 1; time <= 26; time += 1) {
        const more = { from: froms(), ...(clientId !== undefined && { clientId }) };
        const answers = [
          await signIn(service, wrong(user), { ...more, from: `${more.from} of known` }),
          await signIn(service, unknown, { ...more, from: `${more.from} of unknown` }),
        ];
        expect(seen(answers[0]!), `attempt ${time}`).toEqual(seen(answers[1]!));
      }
      later(24 * 60 * MINUTE);
    }
  });

  test('has its password hashed like one that somebody has, also for a client that there is not', async () => {
    const user = await settledUser(service);
    const unknown = { email: `nobody-${newId()}@example.com`, password: 'wrong' };
    const sent = [
      [wrong(user), undefined],
      [unknown, undefined],
      [unknown, newId()],
      [wrong(user), newId()],
    ] as const;
    const fastest = sent.map(() => Infinity);
    // In turns, so that other load of the machine slows all of them equally.
    for (let round = 1; round <= 8; round += 1) {
      for (const [each, [who, clientId]] of sent.entries()) {
        const begun = performance.now();
        await signIn(service, who, { from: elsewhere(), ...(clientId && { clientId }) });
        fastest[each] = Math.min(fastest[each]!, performance.now() - begun);
      }
    }
    // Without the hash of a dummy password, the answer would take a tenth of the time.
    for (const each of fastest) expect(each).toBeGreaterThan(Math.max(...fastest) / 3);
  });
});

describe('guessing', () => {
  test('is slowed down after five wrong passwords from one address, by waits that double up to five minutes', async () => {
    const user = await settledUser(service);
    const from = elsewhere();
    for (let time = 1; time <= 5; time += 1)
      expect(await signIn(service, wrong(user), { from })).toMatchObject(refused);
    const waits: number[] = [];
    for (let time = 1; time <= 7; time += 1) {
      const answer = await signIn(service, user, { from });
      expect(answer).toMatchObject(mustWait);
      const seconds = Number(answer.headers.get('retry-after'));
      waits.push(seconds);
      expect(answer.body.message).toContain(new Date(now.getTime() + seconds * 1_000).toISOString());
      later(seconds * 1_000 - 1);
      expect((await signIn(service, user, { from })).status).toBe(429);
      later(1);
      expect(await signIn(service, wrong(user), { from })).toMatchObject(refused);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300]);
    later(300_000);
    expect(await signIn(service, user, { from })).toMatchObject(ok);
  });

  test('from ever new addresses gets few guesses in an hour, in all processes together', async () => {
    const user = await settledUser(service);
    const second = await startApp({
      db: service.db,
      secrets: createSecretBox([randomBytes(32)]),
      logger: pino({ level: 'silent' }),
      clock: () => now,
      server: { host: '127.0.0.1', port: 0, trustForwarded: true },
      events: { triggerConcurrency: 1 },
      webhooks: { allowPrivate: true },
    });
    const processes = [service, { ...service, baseUrl: `http://127.0.0.1:${second.port}` }];
    let looked = 0;
    let longest = 0;
    const end = now.getTime() + 60 * MINUTE;
    for (let turn = 0; now.getTime() < end; turn += 1) {
      const answer = await signIn(processes[turn % 2]!, wrong(user), { from: elsewhere() });
      if (answer.status === 401) {
        looked += 1;
        continue;
      }
      expect(answer).toMatchObject(mustWait);
      longest = Math.max(longest, Number(answer.headers.get('retry-after')));
      later(Number(answer.headers.get('retry-after')) * 1_000);
    }
    await second.close();
    expect(looked).toBeGreaterThan(20);
    expect(looked).toBeLessThan(60);
    // The lock is short: later sign-ins succeed.
    expect(longest).toBeLessThanOrEqual(120);
    later(120_000);
    expect(await signIn(service, user, { from: elsewhere() })).toMatchObject(ok);
  }, 60_000);

  test('of an e-mail in other letters, which the database takes for the same, has no counter of its own', async () => {
    const user = await settledUser(service);
    const from = elsewhere();
    const spellings = [user.email, user.email.toUpperCase(), user.email.toLowerCase()];
    for (let time = 0; time < 5; time += 1)
      await signIn(service, wrong({ ...user, email: spellings[time % 3]! }), { from });
    for (const email of spellings) expect(await signIn(service, { ...user, email }, { from })).toMatchObject(mustWait);
  });

  test('with a stolen token slows the token down, and not the sign-in of the owner', async () => {
    const user = await settledUser(service);
    const change = (currentPassword: string) =>
      service.rest(
        'POST',
        '/admin/session/change-password',
        { currentPassword, newPassword: 'correct horse battery' },
        user.answer.body.accessToken,
      );
    for (let time = 1; time <= 5; time += 1) expect((await change('wrong')).status).toBe(403);
    expect(await change(user.password)).toMatchObject(mustWait);
    expect(await signIn(service, user, { from: elsewhere() })).toMatchObject(ok);
  });
});

test('a person whose password an administrator made is a user like any other to a stranger', async () => {
  const user = await newUser(service);
  expect((await attack(service, user)).at(-1)).toMatchObject(mustWait);
});

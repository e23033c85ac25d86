import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashPassword } from '../../../src/clients/users/password.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { recorded } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { attack, cookiesOf, elsewhere, type NewUser, settledUser, signIn } from './console.ts';

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

describe('an attack by a stranger', () => {
  test('does not keep the owner out, who comes with a browser that has signed in before', async () => {
    const user = await settledUser(service);
    const home = elsewhere();
    const cookie = cookiesOf(await signIn(service, user, { from: home }));
    for (let hour = 1; hour <= 3; hour += 1) {
      expect((await attack(service, user)).at(-1)).toMatchObject(mustWait);
      // The known browser may sign in from any address, also from the attacker's.
      for (const from of [home, elsewhere()]) {
        expect(await signIn(service, user, { from, cookie })).toMatchObject(ok);
      }
      later(60 * MINUTE);
    }
  }, 60_000);

  test('nor by thirty failures from the very address of the owner', async () => {
    const user = await settledUser(service);
    const from = elsewhere();
    const cookie = cookiesOf(await signIn(service, user, { from }));
    for (let time = 1; time <= 30; time += 1) {
      await signIn(service, { email: `guess-${time}-${from}@example.com`, password: 'wrong' }, { from });
    }
    expect(await signIn(service, user, { from })).toMatchObject({ status: 429, body: { code: 'TOO_MANY_SIGN_INS' } });
    expect(await signIn(service, user, { from, cookie })).toMatchObject(ok);
  });

  test('is reported to the owner at the next sign-in, and to the audit log', async () => {
    const user = await settledUser(service);
    const before = now.toISOString();
    later(MINUTE);
    await attack(service, user, 7);
    const cookie = cookiesOf(user.answer);
    const answer = await signIn(service, user, { cookie });
    const notice = { failedSignIns: 7, lastSignedInAt: before };
    expect(answer.body.session.user).toMatchObject(notice);
    const token = answer.body.accessToken;
    expect((await service.rest('GET', '/admin/session', undefined, token)).body.user).toMatchObject(notice);
    const notes = (await recorded(service, user.id)).map(({ note }) => note);
    expect(notes.at(-1)).toContain('7 sign-ins with a wrong password came before this one');
    later(MINUTE);
    const next = (await signIn(service, user, { cookie })).body.session.user;
    expect(next).toMatchObject({
      failedSignIns: 0,
      lastSignedInAt: new Date(now.getTime() - MINUTE).toISOString(),
    });
  });

  test('ends for everybody when an administrator makes a new password', async () => {
    const user = await settledUser(service);
    await attack(service, user);
    const { body } = await service.rest('POST', `/admin/users/${user.id}/reset-password`);
    expect(await signIn(service, { ...user, password: body.password }, { from: elsewhere() })).toMatchObject(ok);
  });
});

describe('a known browser', () => {
  test('has a cookie that no script reads and no other site sends, of which the database knows the digest', async () => {
    const { answer } = await settledUser(service);
    const device = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('laurel_device='))!;
    expect(device).toMatch(/^laurel_device=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict$/);
    const [, secret] = /=([\w-]{43})/.exec(device)!;
    const rows = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ text: string }>('select d::text as text from console_device d'),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => text.includes(secret!))).toEqual([]);
  });

  test('has a counter of its own, which slows it down too', async () => {
    const user = await settledUser(service);
    const cookie = cookiesOf(user.answer);
    for (let time = 1; time <= 5; time += 1) {
      expect(await signIn(service, wrong(user), { cookie, from: elsewhere() })).toMatchObject(refused);
    }
    expect(await signIn(service, user, { cookie, from: elsewhere() })).toMatchObject(mustWait);
    later(10_000);
    expect(await signIn(service, user, { cookie, from: elsewhere() })).toMatchObject(ok);
  });

  test('is known for each of the people who use it, and stays so when they sign in again', async () => {
    const [ana, eva] = [await settledUser(service), await settledUser(service)];
    const first = cookiesOf(await signIn(service, ana, { from: elsewhere() }));
    const both = cookiesOf(await signIn(service, eva, { from: elsewhere(), cookie: first }));
    await attack(service, ana);
    await attack(service, eva);
    for (const user of [ana, eva, ana]) {
      expect(await signIn(service, user, { from: elsewhere(), cookie: both })).toMatchObject(ok);
    }
  }, 40_000);

  test('is one of the latest twenty of its user', async () => {
    const user = await settledUser(service);
    const first = cookiesOf(user.answer);
    for (let time = 1; time <= 20; time += 1) await signIn(service, user, { from: elsewhere() });
    const [row] = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ count: number }>('select count(*)::int as count from console_device where user_id = $1', [user.id]),
    );
    expect(row!.count).toBe(20);
    await attack(service, user);
    expect(await signIn(service, user, { from: elsewhere(), cookie: first })).toMatchObject(mustWait);
  }, 40_000);

  test('that was made up is none', async () => {
    const user = await settledUser(service);
    await attack(service, user);
    for (const value of ['x', randomBytes(32).toString('base64url'), '.'.repeat(200)]) {
      const cookie = `laurel_device=${value}`;
      expect(await signIn(service, user, { from: elsewhere(), cookie })).toMatchObject(mustWait);
    }
  });
});

describe('while too many passwords are hashed', () => {
  /** Keeps the maximum number of hashes running and waiting, until the returned function is called. */
  function fill(): () => Promise<unknown> {
    const over = new AbortController();
    const worker = async () => {
      while (!over.signal.aborted) await hashPassword('x');
    };
    const workers = Array.from({ length: 62 }, worker);
    return () => {
      over.abort();
      return Promise.all(workers);
    };
  }

  test('a sign-in is answered 503 and takes no attempt', async () => {
    const user = await settledUser(service);
    const from = elsewhere();
    const unknown = { email: `nobody-${newId()}@example.com`, password: 'wrong' };
    const drain = fill();
    const codes = new Set<string>();
    for (let time = 1; time <= 12; time += 1) {
      for (const who of [user, unknown]) codes.add((await signIn(service, who, { from })).body.code);
    }
    await drain();
    expect([...codes]).toEqual(['BUSY']);
    for (let time = 1; time <= 5; time += 1) expect(await signIn(service, unknown, { from })).toMatchObject(refused);
    expect(await signIn(service, user, { from })).toMatchObject(ok);
  });

  test('a change of the password is answered 503 and takes no attempt', async () => {
    const user = await settledUser(service);
    const change = { currentPassword: user.password, newPassword: 'correct horse battery' };
    const send = () => service.rest('POST', '/admin/session/change-password', change, user.answer.body.accessToken);
    const drain = fill();
    const codes = new Set<string>();
    for (let time = 1; time <= 8; time += 1) codes.add((await send()).body.code);
    await drain();
    expect([...codes]).toEqual(['BUSY']);
    expect((await send()).status).toBe(200);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { cookieOf, settledUser, signIn } from './console.ts';

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
const audiences = (token: string) => service.rest('GET', '/admin/audiences/paginated?page=1&limit=1', undefined, token);
const session = (token: string) => service.rest('GET', '/admin/session', undefined, token);
const refused = { status: 401, body: { code: 'SIGN_IN_REFUSED' } };

describe('signing in', () => {
  test('gives a token that works, for an hour', async () => {
    const { answer, email } = await settledUser(service);
    expect(answer.status).toBe(200);
    const { accessToken, expiresAt } = answer.body;
    expect(accessToken).toMatch(/^lrl_ses_/);
    expect(Date.parse(expiresAt) - now.getTime()).toBe(60 * MINUTE);
    expect((await audiences(accessToken)).status).toBe(200);
    expect((await session(accessToken)).body).toMatchObject({
      user: { email, name: 'Ana', passwordChangeRequired: false },
      role: 'CLIENT_ADMIN',
      client: { id: service.clientId },
      ownClientId: service.clientId,
    });
    later(60 * MINUTE);
    expect(await audiences(accessToken)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });

  test('sets a cookie that no script reads and no other site sends, and no cache keeps', async () => {
    const { answer } = await settledUser(service);
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^laurel_session=lrl_ref_\w+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('takes the e-mail in any case', async () => {
    const user = await settledUser(service);
    expect((await signIn(service, { ...user, email: user.email.toUpperCase() })).status).toBe(200);
  });

  test('stores neither token nor password', async () => {
    const { answer, password } = await settledUser(service);
    const secrets = [password, answer.body.accessToken.slice(8), cookieOf(answer).split('lrl_ref_')[1]!];
    const rows = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ text: string }>(
        'select console_token::text as text from console_token union all select console_user::text from console_user union all select audit_entry::text from audit_entry',
      ),
    );
    const stored = rows.map(({ text }) => text).join('\n') + service.log.join('\n');
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
  });

  test('is refused in the same words for a wrong password and an unknown e-mail, and takes as long', async () => {
    const user = await settledUser(service);
    const wrong = await signIn(service, { ...user, password: 'wrong' });
    const unknown = await signIn(service, { email: 'nobody@example.com', password: 'wrong' });
    expect([wrong, unknown]).toMatchObject([refused, refused]);
    expect(wrong.body.message).toBe(unknown.body.message);
    const seconds = async (email: string) => {
      const begun = performance.now();
      await signIn(service, { email, password: 'wrong' });
      return performance.now() - begun;
    };
    const [known, dummyHash] = [
      [0, 0],
      [0, 0],
    ];
    for (const round of [0, 1]) {
      known[round] = await seconds(user.email);
      dummyHash[round] = await seconds('nobody@example.com');
    }
    // Without the hash of a dummy password, the answer for an unknown user would take a tenth of the time.
    expect(Math.min(...dummyHash)).toBeGreaterThan(Math.min(...known) / 3);
  });

  test('asks for the client where the same e-mail and password belong to users of several', async () => {
    const other = await service.newTenant();
    const user = await settledUser(service);
    await service.rest('POST', '/admin/users', { email: user.email }, other.adminToken);
    await service.db.systemUnitOfWork((uow) =>
      uow.query(
        `update console_user set password_hash = (select password_hash from console_user where id = $1), password_temporary = false
          where client_id = $2`,
        [user.id, other.clientId],
      ),
    );
    const asked = await signIn(service, user);
    expect(asked.body).toEqual({
      choices: [service.clientId, other.clientId].map((clientId) => ({ clientId, clientName: `client ${clientId}` })),
    });
    expect(asked.headers.get('set-cookie')).toBeNull();
    expect(await signIn(service, { ...user, password: 'wrong' })).toMatchObject(refused);
    const chosen = await signIn(service, user, { clientId: other.clientId });
    expect(chosen.body.session.client.id).toBe(other.clientId);
  });

  test('is refused for a client that the user is not of', async () => {
    const user = await settledUser(service);
    const { clientId } = await service.newTenant();
    expect(await signIn(service, user, { clientId })).toMatchObject(refused);
  });

  test.each([
    {},
    { email: 'a' },
    { password: 'a' },
    { email: '', password: 'a' },
    { email: 'a', password: 'a'.repeat(129) },
  ])('%j is a 400', async (body) => {
    expect(await service.rest('POST', '/admin/session/sign-in', body)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    });
  });
});

describe('guessing', () => {
  test('of twenty guesses sent at once, five are looked at', async () => {
    const user = await settledUser(service);
    const guesses = Array.from({ length: 20 }, () => signIn(service, { ...user, password: 'wrong' }));
    const codes = (await Promise.all(guesses)).map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'SIGN_IN_REFUSED')).toHaveLength(5);
    expect(codes.filter((code) => code === 'USER_LOCKED')).toHaveLength(15);
  });

  test('the right password gives all attempts back', async () => {
    const user = await settledUser(service);
    for (let round = 1; round <= 2; round += 1) {
      for (let attempt = 1; attempt <= 4; attempt += 1) await signIn(service, { ...user, password: 'wrong' });
      expect((await signIn(service, user)).status).toBe(200);
    }
  });

  test('an unknown e-mail is slowed down in the same way', async () => {
    const nobody = { email: 'locked@example.com', password: 'wrong' };
    for (let attempt = 1; attempt <= 5; attempt += 1) expect(await signIn(service, nobody)).toMatchObject(refused);
    expect(await signIn(service, nobody)).toMatchObject({ status: 429, body: { code: 'USER_LOCKED' } });
  });

  test('an administrator ends the wait by a new password', async () => {
    const user = await settledUser(service);
    for (let attempt = 1; attempt <= 5; attempt += 1) await signIn(service, { ...user, password: 'wrong' });
    const { body } = await service.rest('POST', `/admin/users/${user.id}/reset-password`);
    expect((await signIn(service, { ...user, password: body.password })).status).toBe(200);
  });
});

test('an address from which thirty sign-ins have failed has to wait, no matter which user it tries', async () => {
  const user = await settledUser(service);
  const from = '2001:db8::1';
  for (let guess = 1; guess <= 30; guess += 1) {
    const guessed = await signIn(service, { email: `guess-${guess}@example.com`, password: 'wrong' }, { from });
    expect(guessed).toMatchObject(refused);
  }
  // A whole /64 counts as one caller.
  const braked = await signIn(service, user, { from: '2001:db8::2' });
  expect(braked).toMatchObject({ status: 429, body: { code: 'TOO_MANY_SIGN_INS' } });
  expect(Number(braked.headers.get('retry-after'))).toBeGreaterThan(500);
  expect((await signIn(service, user)).status).toBe(200);
});

test('there is always the way by password', async () => {
  const response = await fetch(`${service.baseUrl}/admin/session/methods`);
  expect(await response.json()).toEqual({ methods: [{ kind: 'PASSWORD', choices: [] }] });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { cookieOf, newUser, settledUser, signIn, withCookie } from './console.ts';

let service: TestService;
/** Stands still unless a test moves it. */
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
const refresh = (cookie: string) => withCookie(service, '/admin/session/refresh', cookie);
const refused = { status: 401, body: { code: 'SIGN_IN_REFUSED' } };
const ended = { status: 401, body: { code: 'SESSION_ENDED' } };

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
    const { answer, ...user } = await settledUser(service);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^laurel_session=lrl_ref_\w+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const secure = await signIn(service, user, { forwardedProto: 'https' });
    expect(secure.headers.get('set-cookie')).toMatch(/; Secure$/);
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
    const [known, nobodys] = [
      [0, 0],
      [0, 0],
    ];
    for (const round of [0, 1]) {
      known[round] = await seconds(user.email);
      nobodys[round] = await seconds('nobody@example.com');
    }
    // Without a hash of nobody's password the answer would come after a tenth of the time.
    expect(Math.min(...nobodys)).toBeGreaterThan(Math.min(...known) / 3);
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
  test('five wrong passwords lock a user for 15 minutes, for the right one too, and say until when', async () => {
    const user = await settledUser(service);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await signIn(service, { ...user, password: 'wrong' })).toMatchObject(refused);
    }
    const locked = await signIn(service, user);
    const until = new Date(now.getTime() + 15 * MINUTE).toISOString();
    expect(locked).toMatchObject({
      status: 429,
      body: { code: 'USER_LOCKED', message: expect.stringContaining(until) },
    });
    expect(locked.headers.get('retry-after')).toBe('900');
    later(15 * MINUTE - 1);
    expect((await signIn(service, user)).status).toBe(429);
    later(1);
    expect((await signIn(service, user)).status).toBe(200);
  });

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

  test('an unknown e-mail is locked in the same way', async () => {
    const nobody = { email: 'locked@example.com', password: 'wrong' };
    for (let attempt = 1; attempt <= 5; attempt += 1) expect(await signIn(service, nobody)).toMatchObject(refused);
    expect(await signIn(service, nobody)).toMatchObject({ status: 429, body: { code: 'USER_LOCKED' } });
  });

  test('an administrator lifts a lock by a new password', async () => {
    const user = await settledUser(service);
    for (let attempt = 1; attempt <= 5; attempt += 1) await signIn(service, { ...user, password: 'wrong' });
    const { body } = await service.rest('POST', `/admin/users/${user.id}/reset-password`);
    expect((await signIn(service, { ...user, password: body.password })).status).toBe(200);
  });
});

test('an address from which thirty sign-ins have failed has to wait, whoever it tries', async () => {
  const user = await settledUser(service);
  const from = '2001:db8::1';
  for (let guess = 1; guess <= 30; guess += 1) {
    const guessed = await signIn(service, { email: `guess-${guess}@example.com`, password: 'wrong' }, { from });
    expect(guessed).toMatchObject(refused);
  }
  // A whole /64 is one caller's.
  const braked = await signIn(service, user, { from: '2001:db8::2' });
  expect(braked).toMatchObject({ status: 429, body: { code: 'TOO_MANY_SIGN_INS' } });
  expect(Number(braked.headers.get('retry-after'))).toBeGreaterThan(500);
  expect((await signIn(service, user)).status).toBe(200);
});

describe('renewing', () => {
  test('gives another token and another cookie; earlier tokens stay valid', async () => {
    const { answer } = await settledUser(service);
    const renewed = await refresh(cookieOf(answer));
    expect(renewed.status).toBe(200);
    expect(cookieOf(renewed)).not.toBe(cookieOf(answer));
    expect(renewed.body.session).toEqual(answer.body.session);
    for (const { body } of [answer, renewed]) expect((await audiences(body.accessToken)).status).toBe(200);
  });

  test('two tabs that open together are both let in', async () => {
    const { answer } = await settledUser(service);
    const tabs = await Promise.all([refresh(cookieOf(answer)), refresh(cookieOf(answer))]);
    expect(tabs).toMatchObject([{ status: 200 }, { status: 200 }]);
    for (const tab of tabs) expect((await refresh(cookieOf(tab))).status).toBe(200);
  });

  test('a cookie that was replaced a while ago ends the session for everybody who has it', async () => {
    const { answer } = await settledUser(service);
    const renewed = await refresh(cookieOf(answer));
    later(10_001);
    expect(await refresh(cookieOf(answer))).toMatchObject(ended);
    expect(await refresh(cookieOf(renewed))).toMatchObject(ended);
    await expect.poll(async () => (await audiences(renewed.body.accessToken)).status, { timeout: 1_500 }).toBe(401);
  });

  test('is over after twelve hours without, and after seven days in any case', async () => {
    const { answer } = await settledUser(service);
    const begun = now.getTime();
    later(12 * 60 * MINUTE);
    expect(await refresh(cookieOf(answer))).toMatchObject(ended);
    now = new Date(begun);
    let { answer: latest } = await settledUser(service);
    for (let half = 1; half <= 15; half += 1) {
      later(11 * 60 * MINUTE);
      latest = await refresh(cookieOf(latest));
      expect(latest.status).toBe(200);
    }
    expect(latest.headers.get('set-cookie')).toContain('Max-Age=10800;');
    later(3 * 60 * MINUTE);
    expect(await refresh(cookieOf(latest))).toMatchObject(ended);
  });

  test.each(['', 'laurel_session=', 'laurel_session=abc', 'other=1; laurel_session=lrl_ref_x'])(
    'is refused for %j',
    async (cookie) => {
      expect(await refresh(cookie)).toMatchObject(ended);
    },
  );

  test('a cookie is no bearer token, and a bearer token no cookie', async () => {
    const { answer } = await settledUser(service);
    const token = cookieOf(answer).split('=')[1]!;
    expect((await audiences(token)).status).toBe(401);
    expect(await refresh(`laurel_session=${answer.body.accessToken}`)).toMatchObject(ended);
  });
});

describe('signing out', () => {
  test('ends the session within a second, clears the cookie, and may be repeated', async () => {
    const { answer } = await settledUser(service);
    expect((await audiences(answer.body.accessToken)).status).toBe(200);
    for (let round = 1; round <= 2; round += 1) {
      const out = await withCookie(service, '/admin/session/sign-out', cookieOf(answer));
      expect(out.status).toBe(200);
      expect(out.headers.get('set-cookie')).toContain('laurel_session=; Path=/; Max-Age=0;');
    }
    expect(await refresh(cookieOf(answer))).toMatchObject(ended);
    await expect.poll(async () => (await audiences(answer.body.accessToken)).status, { timeout: 1_000 }).toBe(401);
  });

  test('works by the access token alone, and leaves other sessions of the user', async () => {
    const user = await settledUser(service);
    const other = await signIn(service, user);
    await service.rest('POST', '/admin/session/sign-out', undefined, user.answer.body.accessToken);
    await expect.poll(async () => (await audiences(user.answer.body.accessToken)).status, { timeout: 1_000 }).toBe(401);
    expect((await audiences(other.body.accessToken)).status).toBe(200);
  });

  test('without a session does nothing', async () => {
    expect((await withCookie(service, '/admin/session/sign-out', '')).status).toBe(200);
    expect((await service.rest('POST', '/admin/session/sign-out')).status).toBe(200);
    expect((await audiences(service.adminToken)).status).toBe(200);
  });
});

describe('a password', () => {
  const change = (token: string, currentPassword: string, newPassword = 'correct horse battery') =>
    service.rest('POST', '/admin/session/change-password', { currentPassword, newPassword }, token);

  test('that an administrator made opens nothing but its replacement', async () => {
    const user = await newUser(service);
    const { accessToken, session: begun } = (await signIn(service, user)).body;
    expect(begun.user.passwordChangeRequired).toBe(true);
    expect((await session(accessToken)).status).toBe(200);
    expect(await audiences(accessToken)).toMatchObject({ status: 403, body: { code: 'PASSWORD_CHANGE_REQUIRED' } });
    expect((await change(accessToken, user.password)).body.session.user.passwordChangeRequired).toBe(false);
    expect((await audiences(accessToken)).status).toBe(200);
    expect(await signIn(service, user)).toMatchObject(refused);
  });

  test('is changed by whoever knows it, and ends the other sessions', async () => {
    const user = await settledUser(service);
    const { accessToken } = user.answer.body;
    const other = await signIn(service, user);
    expect(await change(accessToken, 'wrong')).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } });
    expect(await change(accessToken, user.password, 'short')).toMatchObject({ status: 400 });
    expect(await change(accessToken, user.password, user.password)).toMatchObject({ status: 400 });
    expect((await change(accessToken, user.password)).status).toBe(200);
    expect((await audiences(accessToken)).status).toBe(200);
    await expect.poll(async () => (await audiences(other.body.accessToken)).status, { timeout: 1_000 }).toBe(401);
    expect(await refresh(cookieOf(other))).toMatchObject(ended);
  });

  test('cannot be guessed by a stolen token either', async () => {
    const user = await settledUser(service);
    for (let attempt = 1; attempt <= 5; attempt += 1) await change(user.answer.body.accessToken, 'wrong');
    expect(await change(user.answer.body.accessToken, user.password)).toMatchObject({
      status: 429,
      body: { code: 'USER_LOCKED' },
    });
  });

  test('is nothing that an access token of the API has', async () => {
    expect(await change(service.adminToken, 'a')).toMatchObject({ status: 403, body: { code: 'SESSION_REQUIRED' } });
    expect((await session(service.adminToken)).body.user).toBeUndefined();
    expect((await session(service.apiKey)).status).toBe(403);
  });
});

describe('the user behind a session', () => {
  test('is refused within a second of being disabled, and comes back only by a new sign-in', async () => {
    const user = await settledUser(service);
    const { accessToken } = user.answer.body;
    const set = async (disabled: boolean) => {
      const { version } = (await service.rest('GET', `/admin/users/${user.id}`)).body;
      return service.rest('PATCH', `/admin/users/${user.id}`, { disabled, version });
    };
    expect((await set(true)).body.disabled).toBe(true);
    await expect.poll(async () => (await audiences(accessToken)).status, { timeout: 1_000 }).toBe(401);
    expect(await signIn(service, user)).toMatchObject({ status: 403, body: { code: 'USER_DISABLED' } });
    expect(await signIn(service, { ...user, password: 'wrong' })).toMatchObject(refused);
    await set(false);
    expect((await audiences(accessToken)).status).toBe(401);
    expect(await refresh(cookieOf(user.answer))).toMatchObject(ended);
    expect((await signIn(service, user)).status).toBe(200);
  });

  test('acts for another client only as a service administrator, and stays itself', async () => {
    const other = await service.newTenant();
    const asOther = async (token: string) => {
      const headers = { authorization: `Bearer ${token}`, 'laurel-client-id': other.clientId };
      const response = await fetch(`${service.baseUrl}/admin/session`, { headers });
      return { status: response.status, body: await response.json() };
    };
    const admin = await settledUser(service);
    expect((await asOther(admin.answer.body.accessToken)).status).toBe(403);
    const root = await settledUser(service, service.serviceToken, 'SERVICE_ADMIN');
    expect((await asOther(root.answer.body.accessToken)).body).toMatchObject({
      user: { id: root.id },
      client: { id: other.clientId },
      ownClientId: service.clientId,
      role: 'SERVICE_ADMIN',
    });
  });
});

test('there is always the way by password', async () => {
  const response = await fetch(`${service.baseUrl}/admin/session/methods`);
  expect(await response.json()).toEqual({ methods: [{ kind: 'PASSWORD' }] });
});

test('the log says who signed in and out', async () => {
  const tenant = await service.newTenant();
  const { answer, email, id } = await settledUser(service, tenant.adminToken);
  await withCookie(service, '/admin/session/sign-out', cookieOf(answer));
  const { body } = await service.rest('GET', '/admin/audit/paginated?page=1&limit=10', undefined, tenant.adminToken);
  const entries = body.rows.map((row: Record<string, string>) => [
    row['operation'],
    row['actorName'],
    row['resourceId'],
  ]);
  expect(entries).toEqual([
    ['SessionService.SignOut', email, id],
    ['SessionService.SignIn', email, id],
    ['SessionService.ChangePassword', email, id],
    ['SessionService.SignIn', email, id],
    ['ConsoleUserAdminService.CreateConsoleUser', 'test CLIENT_ADMIN', id],
  ]);
});

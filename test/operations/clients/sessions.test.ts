import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recorded } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { cookieOf, newUser, settledUser, signIn, withCookie } from './console.ts';

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
const refresh = (cookie: string) => withCookie(service, '/admin/session/refresh', cookie);
const refused = { status: 401, body: { code: 'SIGN_IN_REFUSED' } };
const ended = { status: 401, body: { code: 'SESSION_ENDED' } };

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

  test('of two parties with one cookie, however they race, only one goes on', async () => {
    const { answer, id } = await settledUser(service);
    let [owner, thief] = await Promise.all([refresh(cookieOf(answer)), refresh(cookieOf(answer))]);
    const statuses: number[][] = [];
    for (let hour = 1; hour <= 3; hour += 1) {
      later(60 * MINUTE);
      owner = owner.status === 200 ? await refresh(cookieOf(owner)) : owner;
      later(10_001);
      thief = thief.status === 200 ? await refresh(cookieOf(thief)) : thief;
      statuses.push([owner.status, thief.status]);
    }
    expect(statuses).toEqual([
      [200, 401],
      [401, 401],
      [401, 401],
    ]);
    const entries = (await recorded(service, id)).filter(({ note }) => note?.includes('replaced was sent again'));
    expect(entries).toHaveLength(1);
  });

  test('a cookie that ten callers send at once gives all of them the same next one', async () => {
    const { answer } = await settledUser(service);
    const renewed = await Promise.all(Array.from({ length: 10 }, () => refresh(cookieOf(answer))));
    expect(new Set(renewed.map(cookieOf)).size).toBe(1);
    expect(new Set(renewed.map(({ body }) => body.accessToken)).size).toBe(10);
  });

  test('a request that was late gives the cookie that is the latest by then, so that the browser keeps that one', async () => {
    const { answer } = await settledUser(service);
    const latest = await refresh(cookieOf(await refresh(cookieOf(answer))));
    expect(cookieOf(await refresh(cookieOf(answer)))).toBe(cookieOf(latest));
    later(60 * MINUTE);
    expect((await refresh(cookieOf(latest))).status).toBe(200);
  });

  test('the next cookie is kept where only a holder of the former one can read it, and only while it is needed', async () => {
    const { answer } = await settledUser(service);
    const renewed = await refresh(cookieOf(answer));
    later(10_001);
    await refresh(cookieOf(renewed));
    const rows = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ text: string }>('select t::text as text from console_token t'),
    );
    const [, secret = ''] = cookieOf(renewed).split('lrl_ref_');
    expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
    const kept = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(
        `select from console_token t join console_session s on s.client_id = t.client_id and s.id = t.session_id
          where s.user_id = $1 and t.successor is not null`,
        [answer.body.session.user.id],
      ),
    );
    // Only the token that was just replaced is kept; the one before is deleted.
    expect(kept).toHaveLength(1);
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

  test('is changed by anyone who knows it, and ends the other sessions', async () => {
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

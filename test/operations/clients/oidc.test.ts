import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { newUser, settledUser, signIn, withCookie } from './console.ts';
import { startProvider, type TestProvider } from './oidc-provider.ts';
import { goThere, OIDC_CLIENT } from './oidc-way.ts';

/** The port registered at the provider; the service has another port, which only matters to a real browser. */
const redirectUri = new URL('http://127.0.0.1:1/admin/session/oidc/callback');

/** The milliseconds by which the service's clock is ahead. */
let ahead = 0;

/** A service with a separate provider. */
async function start(emailInIdToken: boolean, signsWithAnotherKey = false) {
  const provider = await startProvider({ redirectUri, emailInIdToken, signsWithAnotherKey });
  const service = await startService({
    oidc: { issuer: provider.issuer, redirectUri, ...OIDC_CLIENT },
    trustForwarded: true,
    clock: () => new Date(Date.now() + ahead),
  });
  return { provider, service };
}

let service: TestService;
let provider: TestProvider;

beforeAll(async () => {
  ({ service, provider } = await start(false));
});
afterEach(() => {
  ahead = 0;
  provider.people.clear();
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

/** Signs in as the person with a login name at the provider; returns the final address. */
async function comeBy(login: string, at = service, next = '', clientId?: string) {
  const { callback, visit, cookiesOf } = await goThere(at.baseUrl, redirectUri, { login, next, clientId });
  const { response } = await visit(callback);
  return { location: response.headers.get('location'), session: cookiesOf(callback).get('laurel_session') };
}

/** Returns from the provider with a chosen ticket; returns the final address. */
async function comeBack(callback: URL, ticket: string, from = '') {
  const headers = { cookie: `laurel_oidc=${ticket}`, 'x-forwarded-for': from };
  const response = await fetch(callback, { redirect: 'manual', headers });
  expect(response.headers.getSetCookie().join()).not.toContain('laurel_session');
  return response.headers.get('location');
}

const failed = (code: string) => `/console/sign-in?signInError=${code}`;

/** A user of the service, and a person at the provider with the same e-mail. */
async function known(login: string) {
  const user = await settledUser(service);
  provider.people.set(login, { email: user.email.toLowerCase(), email_verified: true });
  return user;
}

/** Users of two clients with the same e-mail. */
async function knownTwice(login: string) {
  const user = await known(login);
  const other = await service.newTenant();
  const { body } = await service.rest('POST', '/admin/users', { email: user.email, name: 'Ana' }, other.adminToken);
  return { user, other, another: body.user as { id: string } };
}

const chooseAs = (login: string, clientId: string) => comeBy(login, service, '', clientId);

async function choicesOf(response: Response): Promise<Array<{ clientId: string; clientName: string }>> {
  const { methods } = (await response.json()) as { methods: Array<{ choices?: [] }> };
  return methods[1]?.choices ?? [];
}

const audit = async () =>
  (await service.rest('GET', '/admin/audit/paginated?page=1&limit=1')).body.rows[0] as Record<string, string>;

test('it is offered beside the password', async () => {
  const { body } = await service.rest('GET', '/admin/session/methods');
  expect(body.methods).toEqual([
    { kind: 'PASSWORD', choices: [] },
    { kind: 'OIDC', startPath: '/admin/session/oidc/start', provider: provider.issuer.host, choices: [] },
  ]);
});

test('the browser is sent to the provider with PKCE, state and nonce, none of which a script could read', async () => {
  const response = await fetch(`${service.baseUrl}/admin/session/oidc/start`, { redirect: 'manual' });
  expect(response.status).toBe(303);
  const { searchParams, host } = new URL(response.headers.get('location')!);
  expect(host).toBe(provider.issuer.host);
  expect(Object.fromEntries(searchParams)).toMatchObject({ scope: 'openid email', code_challenge_method: 'S256' });
  const cookie = response.headers.get('set-cookie')!;
  expect(cookie).toMatch(/^laurel_oidc=v1\.\S+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  for (const secret of ['state', 'nonce']) expect(cookie).not.toContain(searchParams.get(secret));
});

test('a provider that does not answer leads back to the password', async () => {
  const issuer = new URL('http://127.0.0.1:1');
  const alone = await startService({ oidc: { issuer, redirectUri, ...OIDC_CLIENT } });
  const response = await fetch(`${alone.baseUrl}/admin/session/oidc/start`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, failed('OIDC_FAILED')]);
  await alone.close();
});

describe('a person whom the provider knows', () => {
  test('gets the session of the user with the same e-mail', async () => {
    const user = await known('ana');
    const { location, session } = await comeBy('ana');
    expect(location).toBe('/console');
    const renewed = await withCookie(service, '/admin/session/refresh', `laurel_session=${session}`);
    expect(renewed.body.session.user).toMatchObject({ id: user.id, email: user.email });
    const note = `By ${provider.issuer.host}.`;
    expect(await audit()).toMatchObject({ operation: 'SessionService.SignIn', note });
  });

  test('gets it from a provider that puts the e-mail into the ID token', async () => {
    const own = await start(true);
    const user = await settledUser(own.service);
    own.provider.people.set('ana', { email: user.email, email_verified: true });
    expect((await comeBy('ana', own.service)).location).toBe('/console');
    await Promise.all([own.service.close(), own.provider.close()]);
  });

  test('does not get it by an ID token that another key has signed than the provider publishes', async () => {
    const own = await start(true, true);
    const user = await settledUser(own.service);
    own.provider.people.set('ana', { email: user.email, email_verified: true });
    expect(await comeBy('ana', own.service)).toEqual({ location: failed('OIDC_FAILED'), session: undefined });
    await Promise.all([own.service.close(), own.provider.close()]);
  });

  test('needs no password, and loses the one that an administrator made', async () => {
    const user = await newUser(service);
    provider.people.set('eva', { email: user.email, email_verified: true });
    const { session } = await comeBy('eva');
    const renewed = await withCookie(service, '/admin/session/refresh', `laurel_session=${session}`);
    expect(renewed.body.session.user.passwordChangeRequired).toBe(false);
    expect((await signIn(service, user)).status).toBe(401);
  });

  test.each([
    ['/accounts?page=2', '/console/accounts?page=2'],
    ['//evil.example', '/console//evil.example'],
    ['/../admin/users', '/console'],
    ['/%2e%2e/%2e%2e/x', '/console'],
    ['\\..\\..\\evil', '/console'],
    ['.evil.example', '/console'],
    ['https://evil.example/', '/console'],
  ])('who wanted to go to %s lands at %s', async (next, location) => {
    await known('ana');
    expect((await comeBy('ana', service, next)).location).toBe(location);
  });

  test('who wanted to go farther than a cookie can hold lands at the beginning', async () => {
    await known('ana');
    expect((await comeBy('ana', service, `/${'a'.repeat(1_000)}`)).location).toBe('/console');
  });
});

describe('a person who has users of two clients', () => {
  test('learns of which, and gets the session of the one that is chosen', async () => {
    const { user, other, another } = await knownTwice('ana');
    const { callback, visit } = await goThere(service.baseUrl, redirectUri, { login: 'ana' });
    expect((await visit(callback)).response.headers.get('location')).toBe('/console/sign-in?choose=1');
    const methods = await visit(new URL('/admin/session/methods', service.baseUrl));
    const names = Object.fromEntries(
      (await choicesOf(methods.response)).map((each) => [each.clientId, each.clientName]),
    );
    expect(names).toEqual({ [service.clientId]: expect.any(String), [other.clientId]: expect.any(String) });
    for (const [clientId, id] of [
      [service.clientId, user.id],
      [other.clientId, another.id],
    ] as const) {
      const { location, session } = await chooseAs('ana', clientId);
      expect(location).toBe('/console');
      const renewed = await withCookie(service, '/admin/session/refresh', `laurel_session=${session}`);
      expect(renewed.body.session.user.id).toBe(id);
    }
  });

  test('keeps that from others: no script reads it, no other site has it sent, and it ends', async () => {
    await knownTwice('ana');
    const { callback, visit } = await goThere(service.baseUrl, redirectUri, { login: 'ana' });
    const cookie = (await visit(callback)).response.headers
      .getSetCookie()
      .find((each) => each.startsWith('laurel_choices'))!;
    expect(cookie).toMatch(/^laurel_choices=v1\.\S+; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/);
    const [pair = ''] = cookie.split(';');
    const ask = async (sent: string) =>
      choicesOf(await fetch(`${service.baseUrl}/admin/session/methods`, { headers: { cookie: sent } }));
    expect(await ask(pair)).toHaveLength(2);
    expect(await ask('laurel_choices=v1.made.up')).toEqual([]);
    ahead = 601_000;
    expect(await ask(pair)).toEqual([]);
  });
});

describe('no session begins', () => {
  test('for an e-mail that is not verified', async () => {
    const { email } = await settledUser(service);
    provider.people.set('eve', { email, email_verified: false });
    expect(await comeBy('eve')).toEqual({ location: failed('EMAIL_NOT_VERIFIED'), session: undefined });
  });

  test.each([
    ['nobody has', 'nobody@example.com'],
    ['PostgreSQL takes for that of a user, whose k is no Kelvin sign', '\u212Aim@example.com'],
  ])('for an e-mail that %s', async (_words, email) => {
    await service.rest('POST', '/admin/users', { email: 'kim@example.com', name: 'Kim' });
    provider.people.set('eve', { email, email_verified: true });
    expect((await comeBy('eve')).location).toBe(failed('UNKNOWN_USER'));
  });

  test('for a user who is disabled', async () => {
    const user = await known('dan');
    const { version } = (await service.rest('GET', `/admin/users/${user.id}`)).body;
    await service.rest('PATCH', `/admin/users/${user.id}`, { disabled: true, version });
    expect((await comeBy('dan')).location).toBe(failed('UNKNOWN_USER'));
  });

  test('for a user of two clients who has not chosen one of them, nor for a client that has no such user', async () => {
    const { user, other } = await knownTwice('ana');
    const { location, session } = await comeBy('ana', service, '/accounts?page=2');
    expect([location, session]).toEqual(['/console/sign-in?choose=1&next=%2Faccounts%3Fpage%3D2', undefined]);
    const stranger = await service.newTenant();
    expect((await chooseAs('ana', stranger.clientId)).location).toBe(failed('UNKNOWN_USER'));
    const { version } = (await service.rest('GET', `/admin/users/${user.id}`)).body;
    await service.rest('PATCH', `/admin/users/${user.id}`, { disabled: true, version });
    expect((await comeBy('ana')).location).toBe('/console');
    expect((await chooseAs('ana', service.clientId)).location).toBe(failed('UNKNOWN_USER'));
    expect((await chooseAs('ana', other.clientId)).location).toBe('/console');
  });

  test('for a person who calls it off at the provider', async () => {
    const { callback, ticket } = await goThere(service.baseUrl, redirectUri, { login: undefined });
    expect(await comeBack(callback, ticket)).toBe(failed('OIDC_DENIED'));
  });

  test('for who comes back a second time, with everything that was good the first time', async () => {
    await known('ana');
    const { callback, ticket, visit } = await goThere(service.baseUrl, redirectUri, { login: 'ana' });
    expect((await visit(callback)).response.headers.get('location')).toBe('/console');
    expect(await comeBack(callback, ticket)).toBe(failed('OIDC_FAILED'));
  });

  test('in the browser of another, who has been sent the way back, or who has begun a sign-in too', async () => {
    await known('eve');
    const { callback } = await goThere(service.baseUrl, redirectUri, { login: 'eve' });
    const { ticket: victims } = await goThere(service.baseUrl, redirectUri, { login: 'eve' });
    expect(await comeBack(callback, '')).toBe(failed('SIGN_IN_EXPIRED'));
    expect(await comeBack(callback, 'v1.made.up')).toBe(failed('OIDC_FAILED'));
    expect(await comeBack(callback, victims)).toBe(failed('OIDC_FAILED'));
  });

  test.each([
    ['another provider gave', 'iss', 'https://another.example'],
    ['was not asked for', 'state', 'made up'],
    ['was made up', 'code', 'made up'],
  ])('with an answer that %s', async (_words, name, value) => {
    await known('ana');
    const { callback, ticket } = await goThere(service.baseUrl, redirectUri, { login: 'ana' });
    callback.searchParams.set(name, value);
    expect(await comeBack(callback, ticket)).toBe(failed('OIDC_FAILED'));
  });

  test('after more than ten minutes, whatever the browser has kept', async () => {
    await known('ana');
    const { callback, ticket } = await goThere(service.baseUrl, redirectUri, { login: 'ana' });
    ahead = 601_000;
    expect(await comeBack(callback, ticket)).toBe(failed('SIGN_IN_EXPIRED'));
  });

  test('from an address from which thirty have failed, and the provider is not asked any more', async () => {
    await known('ana');
    const { callback, ticket } = await goThere(service.baseUrl, redirectUri, { login: 'ana' });
    for (let time = 0; time < 30; time += 1) await comeBack(callback, 'v1.made.up', '192.0.2.1');
    expect(await comeBack(callback, ticket, '192.0.2.1')).toBe(failed('TOO_MANY_SIGN_INS'));
    expect((await comeBy('ana')).location).toBe('/console');
  });

  test('by anything but GET', async () => {
    const answer = await service.rest('POST', '/admin/session/oidc/callback');
    expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
  });
});

test('what was sent by the browser, and the secret, are not in the log', async () => {
  provider.people.set('eve', { email: 'nobody@example.com', email_verified: true });
  const { callback, ticket } = await goThere(service.baseUrl, redirectUri, { login: 'eve' });
  for (const cookie of [ticket, ticket]) await comeBack(callback, cookie);
  const log = service.log.join('\n');
  expect(log).toContain('sign-in at the provider failed');
  const secrets = [...['code', 'state'].map((name) => callback.searchParams.get(name)!), ticket];
  for (const secret of [...secrets, OIDC_CLIENT.clientSecret]) expect(log).not.toContain(secret);
});

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { cookieOf, newUser, settledUser, signIn, withCookie } from './console.ts';
import { browser, OIDC_CLIENT, startProvider, type TestProvider } from './oidc-provider.ts';

/** Registered at the provider; the service's own port is another, which only a real browser would mind. */
const redirectUri = new URL('http://127.0.0.1:1/admin/session/oidc/callback');

/** A service that signs in at a provider of its own. */
async function start(emailInIdToken: boolean) {
  const provider = await startProvider(redirectUri, emailInIdToken);
  const service = await startService({
    oidc: { issuer: provider.issuer, redirectUri, ...OIDC_CLIENT },
    trustForwarded: true,
  });
  return { provider, service };
}

let service: TestService;
let provider: TestProvider;

beforeAll(async () => {
  ({ service, provider } = await start(false));
});
afterEach(() => provider.people.clear());
afterAll(async () => {
  await service.close();
  await provider.close();
});

/** Goes the whole way as the person with a login name at the provider; gives where it ends, and the way back before that. */
async function comeBy(login: string, at = service) {
  const { visit, cookiesOf } = browser();
  let { response, url } = await visit(new URL(`${at.baseUrl}/admin/session/oidc/start`));
  let callback: URL | undefined;
  for (let step = 0; step < 12; step += 1) {
    const location = response.headers.get('location');
    if (location?.startsWith('/console')) return { location, callback, session: cookiesOf(url).get('laurel_session') };
    if (location === null) {
      const prompt = /name="prompt" value="(\w+)"/.exec(await response.text())?.[1] ?? '';
      ({ response, url } = await visit(url, { prompt, ...(prompt === 'login' && { login, password: 'any' }) }));
      continue;
    }
    const next = new URL(location, url);
    const isBack = next.href.startsWith(redirectUri.href);
    if (isBack) callback = new URL(next.pathname + next.search, at.baseUrl);
    ({ response, url } = await visit(isBack ? callback! : next));
  }
  throw new Error(`The way did not end: ${url}`);
}

const audit = async () =>
  (await service.rest('GET', '/admin/audit/paginated?page=1&limit=1')).body.rows[0] as Record<string, string>;

test('it is offered beside the password', async () => {
  const { body } = await service.rest('GET', '/admin/session/methods');
  expect(body.methods).toEqual([
    { kind: 'PASSWORD' },
    { kind: 'OIDC', startPath: '/admin/session/oidc/start', provider: provider.issuer.host },
  ]);
});

test('the browser is sent to the provider with PKCE, state and nonce, none of which a script could read', async () => {
  const response = await fetch(`${service.baseUrl}/admin/session/oidc/start`, { redirect: 'manual' });
  expect(response.status).toBe(303);
  const { searchParams, host } = new URL(response.headers.get('location')!);
  expect(host).toBe(provider.issuer.host);
  expect(Object.fromEntries(searchParams)).toMatchObject({ scope: 'openid email', code_challenge_method: 'S256' });
  const cookie = response.headers.get('set-cookie')!;
  expect(cookie).toMatch(/^laurel_oidc=v1\.\S+; Path=\/admin\/session\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/);
  for (const secret of ['state', 'nonce']) expect(cookie).not.toContain(searchParams.get(secret));
});

describe('a person whom the provider knows', () => {
  test.each([false, true])(
    'gets the session of the user with the same e-mail (in the ID token: %j)',
    async (inIdToken) => {
      const own = inIdToken ? await start(true) : { service, provider };
      const user = await settledUser(own.service);
      own.provider.people.set('ana', { email: user.email.toLowerCase(), email_verified: true });
      const { location, session } = await comeBy('ana', own.service);
      expect(location).toBe('/console');
      const renewed = await withCookie(own.service, '/admin/session/refresh', `laurel_session=${session}`);
      expect(renewed.body.session.user).toMatchObject({ id: user.id, email: user.email });
      if (!inIdToken)
        expect(await audit()).toMatchObject({
          operation: 'SessionService.SignIn',
          note: `By ${provider.issuer.host}.`,
        });
      if (inIdToken) await Promise.all([own.service.close(), own.provider.close()]);
    },
  );

  test('needs no password, and loses the one that an administrator made', async () => {
    const user = await newUser(service);
    provider.people.set('eva', { email: user.email, email_verified: true });
    const { session } = await comeBy('eva');
    const renewed = await withCookie(service, '/admin/session/refresh', `laurel_session=${session}`);
    expect(renewed.body.session.user.passwordChangeRequired).toBe(false);
    expect((await signIn(service, user)).status).toBe(401);
  });

  test.each([
    ['an e-mail that is not verified', false, 'EMAIL_NOT_VERIFIED'],
    ['an e-mail that no user has', true, 'UNKNOWN_USER'],
  ])('is sent back with words for %s', async (_words, email_verified, code) => {
    const { email } = email_verified ? { email: `${randomUUID()}@example.com` } : await settledUser(service);
    provider.people.set('eve', { email, email_verified });
    expect(await comeBy('eve')).toMatchObject({ location: `/console?signInError=${code}`, session: undefined });
  });

  test('is sent back where the user is disabled', async () => {
    const user = await settledUser(service);
    const { version } = (await service.rest('GET', `/admin/users/${user.id}`)).body;
    await service.rest('PATCH', `/admin/users/${user.id}`, { disabled: true, version });
    provider.people.set('dan', { email: user.email, email_verified: true });
    expect((await comeBy('dan')).location).toBe('/console?signInError=UNKNOWN_USER');
  });
});

describe('whoever comes back otherwise', () => {
  test('by a code that was used, or without having been sent, gets no session', async () => {
    const user = await settledUser(service);
    provider.people.set('ana', { email: user.email, email_verified: true });
    const { callback } = await comeBy('ana');
    const other = await fetch(`${service.baseUrl}/admin/session/oidc/start`, { redirect: 'manual' });
    for (const cookie of ['', cookieOf({ ...(await asAnswer(other)) }), 'laurel_oidc=v1.made.up']) {
      const back = await fetch(callback!, { redirect: 'manual', headers: { cookie } });
      expect(back.headers.get('location')).toBe('/console?signInError=OIDC_FAILED');
      expect(back.headers.getSetCookie().join()).not.toContain('laurel_session');
    }
  });

  test('by anything but GET is told so', async () => {
    const answer = await service.rest('POST', '/admin/session/oidc/callback');
    expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
  });
});

async function asAnswer({ status, headers }: Response) {
  return { status, headers, body: undefined };
}

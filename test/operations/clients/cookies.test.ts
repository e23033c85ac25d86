import http from 'node:http';
import http2 from 'node:http2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { cookieOf, type NewUser, newUser, settledUser, signIn, withCookie } from './console.ts';
import { OIDC_CLIENT } from './oidc-way.ts';

let service: TestService;
/** A setting for plain http in a private network. */
let insecure: TestService;
let user: NewUser;

/** An unused port: the flow begins, and fails at the provider. */
const oidc = {
  issuer: new URL('http://127.0.0.1:1'),
  redirectUri: new URL('http://127.0.0.1:1/admin/session/oidc/callback'),
  ...OIDC_CLIENT,
};

beforeAll(async () => {
  service = await startService({ trustForwarded: true, oidc });
  insecure = await startService({ trustForwarded: true, insecureCookies: true });
  user = await settledUser(service);
});
afterAll(async () => {
  await service.close();
  await insecure.close();
});

type Answer = Pick<RestAnswer, 'status' | 'body'> & { readonly cookies: string[]; readonly location?: string };

/** A request with a chosen `Host`, which `fetch` does not allow. */
function request(
  { baseUrl }: TestService,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = http.request(baseUrl + path, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          cookies: response.headers['set-cookie'] ?? [],
          ...(response.headers.location !== undefined && { location: response.headers.location }),
          body: text === '' ? undefined : JSON.parse(text),
        }),
      );
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const json = { 'content-type': 'application/json' };
const signInAt = (at: TestService, who: NewUser, headers: Record<string, string>) =>
  request(at, '/admin/session/sign-in', { ...json, ...headers }, { email: who.email, password: who.password });
const sessionOf = ({ cookies }: Answer) => cookies.find((cookie) => cookie.includes('session='));

describe('the cookie of a session', () => {
  test('on this machine has a plain name, because a browser keeps no secure one of a page without TLS', async () => {
    for (const host of ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080', 'laurel.localhost', '127.0.0.2']) {
      expect(sessionOf(await signInAt(service, user, { host })), host).toMatch(
        /^laurel_session=lrl_ref_\w+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
      );
    }
  });

  test('behind TLS is secure and bound to the host, whatever the host', async () => {
    for (const host of ['console.example.com', '127.0.0.1:8080']) {
      expect(sessionOf(await signInAt(service, user, { host, 'x-forwarded-proto': 'https' })), host).toMatch(
        /^__Host-laurel_session=lrl_ref_\w+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
      );
    }
  });

  test.each([
    ['from another machine without TLS', { host: 'laurel.internal:8080' }],
    ['by a name that only begins like this machine', { host: 'localhost.example.com' }],
    ['through a proxy that tells neither the host nor TLS', { origin: 'https://console.example.com' }],
    ['through a proxy that says http', { host: 'console.example.com', 'x-forwarded-proto': 'http' }],
  ])('is not set %s: the sign-in is refused and says what to do', async (_words, headers) => {
    const { status, cookies, body } = await signInAt(service, user, headers);
    expect({ status, cookies }).toEqual({ status: 403, cookies: [] });
    expect(body).toMatchObject({
      code: 'HTTPS_REQUIRED',
      message: expect.stringContaining('X-Forwarded-Proto: https'),
    });
    expect(body.message).toContain('LAUREL_INSECURE_COOKIES=true');
  });

  test('of a plain network has the plain name where the operator allows it, and the secure one behind TLS', async () => {
    const other = await newUser(insecure);
    const host = 'laurel.internal:8080';
    expect(sessionOf(await signInAt(insecure, other, { host }))).toMatch(/^laurel_session=\w+;(?!.*Secure)/);
    const secured = await signInAt(insecure, other, { host, 'x-forwarded-proto': 'https' });
    expect(sessionOf(secured)).toMatch(/^__Host-laurel_session=\w+;.*; Secure$/);
  });

  test('behind TLS is read under its own name only, which no other host and no page without TLS can set', async () => {
    const { body, cookies } = await signInAt(service, user, { 'x-forwarded-proto': 'https' });
    expect(body.accessToken).toBeTruthy();
    const value = /lrl_ref_\w+/.exec(cookies.join())![0];
    const refresh = async (cookie: string, headers: Record<string, string> = {}) =>
      (await request(service, '/admin/session/refresh', { ...headers, cookie }, {})).status;
    const tls = { 'x-forwarded-proto': 'https' };
    expect(await refresh(`laurel_session=${value}`, tls)).toBe(401);
    expect(await refresh(`x__Host-laurel_session=${value}`, tls)).toBe(401);
    expect(await refresh(`__Host-laurel_session=${value}`)).toBe(401);
    expect(await refresh(`__Host-laurel_session=${value}`, tls)).toBe(200);
  });

  test('is cleared under the name that it was set under', async () => {
    const tls = { 'x-forwarded-proto': 'https' };
    const { cookies } = await request(service, '/admin/session/sign-out', tls, {});
    expect(cookies).toEqual(['__Host-laurel_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure']);
  });

  test('over HTTP/2 follows the authority of the request', async () => {
    const ask = (authority: string) =>
      new Promise<Record<string, unknown>>((resolve, reject) => {
        const session = http2.connect(service.baseUrl);
        const stream = session.request({
          ':method': 'POST',
          ':path': '/admin/session/sign-in',
          ':authority': authority,
          ...json,
        });
        stream.on('response', (headers) => resolve(headers)).on('error', reject);
        stream.on('end', () => session.close()).resume();
        stream.end(JSON.stringify({ email: user.email, password: user.password }));
      });
    expect(await ask('laurel.internal')).toMatchObject({ ':status': 403 });
    expect(await ask('localhost:8080')).toMatchObject({ ':status': 200 });
  });
});

test.each([
  ['REST', '/admin/session/sign-in'],
  ['Connect, which the console speaks', '/laurel.admin.v1.SessionService/SignIn'],
])('both cookies of a sign-in reach the browser over %s', async (_protocol, path) => {
  const { cookies } = await request(service, path, json, { email: user.email, password: user.password });
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['laurel_session', 'laurel_device']);
});

test('a browser that is refused for want of TLS loses no attempt', async () => {
  const other = await settledUser(service);
  for (let time = 1; time <= 12; time += 1) {
    await signInAt(service, { ...other, password: 'wrong' }, { host: 'laurel.internal' });
  }
  expect((await signIn(service, other)).status).toBe(200);
});

test('a cookie of the former release is not taken behind TLS', async () => {
  const answer = await signIn(service, user);
  expect((await withCookie(service, '/admin/session/refresh', cookieOf(answer))).status).toBe(200);
  const sent = { cookie: cookieOf(answer), 'x-forwarded-proto': 'https' };
  expect((await request(service, '/admin/session/refresh', sent, {})).status).toBe(401);
});

describe('the way by a provider', () => {
  test('is refused where no cookie could be kept, before anybody leaves', async () => {
    const { status, location, cookies } = await request(service, '/admin/session/oidc/start', {
      host: 'laurel.internal:8080',
    });
    expect({ status, location }).toEqual({ status: 303, location: '/console/sign-in?signInError=HTTPS_REQUIRED' });
    expect(cookies).toEqual([]);
  });

  test('forgets its ticket under the name that it has behind TLS', async () => {
    const { cookies } = await request(service, '/admin/session/oidc/callback', { 'x-forwarded-proto': 'https' });
    expect(cookies).toEqual(['__Host-laurel_oidc=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure']);
  });
});

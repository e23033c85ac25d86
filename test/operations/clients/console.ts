import type { RestAnswer, TestService } from '../../support/service.ts';

/** A user of the console, with the shown password. */
export type NewUser = { readonly id: string; readonly email: string; readonly password: string };

let count = 0;
let addresses = 0;

/** Creates a user through the API; the password must still be replaced. */
export async function newUser(service: TestService, token = service.adminToken, role?: string): Promise<NewUser> {
  const email = `Ana.${(count += 1)}@example.com`;
  const { body } = await service.rest('POST', '/admin/users', { email, name: 'Ana', role }, token);
  return { id: body.user.id, email, password: body.password };
}

/** Signs in over REST from the user's separate address, so that the users of a test do not throttle each other. */
export function signIn(
  service: TestService,
  { email, password }: Omit<NewUser, 'id'>,
  more: { clientId?: string; from?: string; cookie?: string; secondFactor?: string | undefined } = {},
): Promise<RestAnswer> {
  const { clientId, from = `of ${email.toLowerCase()}`, cookie, secondFactor } = more;
  return post(service, '/admin/session/sign-in', {
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': from,
      ...(cookie !== undefined && { cookie }),
    },
    body: JSON.stringify({ email, password, clientId, secondFactor }),
  });
}

/** A user with a replaced first password, and the answer of the last sign-in. */
export async function settledUser(service: TestService, token = service.adminToken, role?: string) {
  const user = await newUser(service, token, role);
  const first = await signIn(service, user);
  const password = `a longer password ${user.id}`;
  const change = { currentPassword: user.password, newPassword: password };
  await service.rest('POST', '/admin/session/change-password', change, first.body.accessToken);
  const settled = { ...user, password };
  return { ...settled, answer: await signIn(service, settled) };
}

/** The cookie of an answer, in the form in which a browser sends it. */
export function cookieOf({ headers }: RestAnswer): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** All cookies of an answer, in the form in which a browser sends them. */
export function cookiesOf({ headers }: RestAnswer): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** A new address. */
export function elsewhere(): string {
  addresses += 1;
  return `198.51.${addresses >> 8}.${addresses & 255}`;
}

/** Sends wrong passwords, each from a new address, like an attacker with many machines. */
export async function attack(service: TestService, user: Omit<NewUser, 'id'>, times = 30): Promise<RestAnswer[]> {
  const answers = [];
  for (let time = 1; time <= times; time += 1) {
    answers.push(await signIn(service, { ...user, password: 'wrong' }, { from: elsewhere() }));
  }
  return answers;
}

/** A POST with a cookie and no credential, as the console sends it. */
export function withCookie(service: TestService, path: string, cookie: string): Promise<RestAnswer> {
  return post(service, path, { headers: { cookie } });
}

async function post({ baseUrl }: TestService, path: string, init: RequestInit): Promise<RestAnswer> {
  const response = await fetch(baseUrl + path, { method: 'POST', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

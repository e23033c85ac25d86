import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok, recorded } from '../../support/administration.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { restAs, startService, type Tenant, type TestService } from '../../support/service.ts';
import { newUser, type NewUser, settledUser, signIn, withCookie } from './console.ts';
import { startProvider, type TestProvider } from './oidc-provider.ts';
import { goThere, OIDC_CLIENT } from './oidc-way.ts';

/** The port registered at the provider; the service has another port, which only matters to a real browser. */
const redirectUri = new URL('http://127.0.0.1:1/admin/session/oidc/callback');

let database: TestDatabase;
let provider: TestProvider;
let service: TestService;
/** Another process on the same database. */
let beside: TestService;

beforeAll(async () => {
  [database, provider] = await Promise.all([testDatabase(), startProvider({ redirectUri, emailInIdToken: true })]);
  const shared = {
    database: { ...database, drop: async () => {} },
    secretKeys: [randomBytes(32)],
    trustForwarded: true,
    oidc: { issuer: provider.issuer, redirectUri, ...OIDC_CLIENT },
  };
  [service, beside] = [await startService(shared), await startService(shared)];
}, 60_000);
afterAll(async () => {
  for (const each of [service, beside]) await each?.app.close();
  await provider?.close();
  await database?.drop();
});

const heldUp = { status: 403, body: { code: 'SECOND_FACTOR_SETUP_REQUIRED' } };
const noneOfOnesOwn = { status: 409, body: { code: 'SECOND_FACTOR_NOT_ENABLED' } };

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
const post = (path: string, body: object, token: string) => service.rest('POST', path, body, token);
const read = (path: string, token: string, at = service) => at.rest('GET', path, undefined, token);
/** A read of the client that every role may do. */
const audiences = (token: string, at = service) => read('/admin/audiences/paginated?page=1&limit=1', token, at);
const sessionOf = async (token: string) => await ok(read('/admin/session', token));

type Person = NewUser & { readonly session: string };

/** A person who has signed in by password. */
async function person(tenant: Tenant, role = 'CLIENT_ADMIN'): Promise<Person> {
  const token = role === 'SERVICE_ADMIN' ? service.serviceToken : tenant.adminToken;
  const user = await settledUser(service, token, role);
  return { ...user, session: user.answer.body.accessToken as string };
}

/** Sets up a second factor. @returns its recovery codes */
async function enrol({ session, password }: Person): Promise<string[]> {
  const { secret } = await ok(post('/admin/session/second-factor/begin', { currentPassword: password }, session));
  const { recoveryCodes } = await ok(post('/admin/session/second-factor/confirm', { code: codeOf(secret) }, session));
  return recoveryCodes as string[];
}

/** Sets whether a client requires a second factor; undefined leaves the field out. */
async function require(tenant: Tenant, token: string, requireSecondFactor?: boolean) {
  const { name, timeZone, version } = await ok(read(`/admin/clients/${tenant.clientId}`, tenant.adminToken));
  const body = { name, timeZone, version, requireSecondFactor };
  return service.rest('PUT', `/admin/clients/${tenant.clientId}`, body, token);
}

/** A client that requires a second factor, which none of its users has yet. */
async function strictTenant(): Promise<Tenant> {
  const tenant = await service.newTenant();
  await ok(require(tenant, tenant.adminToken, true));
  return tenant;
}

/** Waits until a call has this answer; processes cache a session for up to a second. */
async function soon(call: () => Promise<{ status: number; body: unknown }>, answer: object): Promise<void> {
  await expect.poll(call, { timeout: 5_000, interval: 50 }).toMatchObject(answer);
}

describe('switching it on', () => {
  test('is for an administrator who has one: else 409 that says to set it up first, and nothing changes', async () => {
    const tenant = await service.newTenant();
    const ana = await person(tenant);
    const client = () => ok(read(`/admin/clients/${tenant.clientId}`, tenant.adminToken));
    expect(await client()).toMatchObject({ requireSecondFactor: false, version: 1 });
    const refused = await require(tenant, ana.session, true);
    expect(refused).toMatchObject(noneOfOnesOwn);
    expect(refused.body.message).toContain('BeginSecondFactor');
    expect(await client()).toMatchObject({ requireSecondFactor: false, version: 1 });
    await enrol(ana);
    expect(await ok(require(tenant, ana.session, true))).toMatchObject({ requireSecondFactor: true, version: 2 });
    expect((await recorded({ ...service, clientId: tenant.clientId }, tenant.clientId)).at(-1)).toMatchObject({
      operation: 'ClientAdminService.UpdateClient',
      before: { requireSecondFactor: false },
      after: { requireSecondFactor: true },
    });
    expect((await audiences(ana.session)).status).toBe(200);
  });

  test('stays where it is left out, as by callers of the release before, and repeats; then it is switched off', async () => {
    const tenant = await strictTenant();
    expect(await ok(require(tenant, tenant.adminToken))).toMatchObject({ requireSecondFactor: true, version: 3 });
    expect(await ok(require(tenant, tenant.adminToken, true))).toMatchObject({ requireSecondFactor: true });
    const ana = await person(tenant);
    await soon(() => audiences(ana.session), heldUp);
    expect(await ok(require(tenant, tenant.adminToken, false))).toMatchObject({ requireSecondFactor: false });
    expect((await audiences(ana.session)).status).toBe(200);
  });

  test.each(['VIEWER', 'SUPPORT', 'MARKETER'])('is nothing for %s', async (role) => {
    const tenant = await service.newTenant();
    const { session } = await person(tenant, role);
    expect(await require(tenant, session, true)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  test('of another client is a 404, and that client asks nobody', async () => {
    const [tenant, other] = [await service.newTenant(), await service.newTenant()];
    expect(await require(other, tenant.adminToken, true)).toMatchObject({ status: 404 });
    await ok(require(tenant, tenant.adminToken, true));
    const neighbour = await person(other);
    expect((await audiences(neighbour.session)).status).toBe(200);
    expect(await sessionOf(neighbour.session)).toMatchObject({ secondFactorSetupRequired: false });
  });

  test('is possible when a client is created, by somebody who has one or by a token', async () => {
    const create = (token: string) => post('/admin/clients', { name: 'Strict', requireSecondFactor: true }, token);
    const root = await person(service, 'SERVICE_ADMIN');
    expect(await create(root.session)).toMatchObject(noneOfOnesOwn);
    expect(await ok(create(service.serviceToken))).toMatchObject({ requireSecondFactor: true });
    await enrol(root);
    expect(await ok(create(root.session))).toMatchObject({ requireSecondFactor: true });
  });
});

describe('a person without a second factor', () => {
  test('is held up in every process, also in a session from before, and goes on with a confirmed code at once', async () => {
    const tenant = await service.newTenant();
    const ana = await person(tenant);
    const everywhere = [service, beside];
    for (const at of everywhere) expect((await audiences(ana.session, at)).status).toBe(200);
    await ok(require(tenant, tenant.adminToken, true));
    for (const at of everywhere) await soon(() => audiences(ana.session, at), heldUp);
    expect((await audiences(ana.session)).body.message).toContain('BeginSecondFactor');
    expect(await sessionOf(ana.session)).toMatchObject({ secondFactorSetupRequired: true });
    await ok(read('/admin/session/sessions', ana.session));
    const { secret } = await ok(
      post('/admin/session/second-factor/begin', { currentPassword: ana.password }, ana.session),
    );
    // An unconfirmed factor does not count.
    for (const at of everywhere) expect(await audiences(ana.session, at)).toMatchObject(heldUp);
    const confirmed = await ok(post('/admin/session/second-factor/confirm', { code: codeOf(secret) }, ana.session));
    expect(confirmed.session).toMatchObject({ secondFactorSetupRequired: false });
    for (const at of everywhere) expect((await audiences(ana.session, at)).status).toBe(200);
  });

  test('learns it at the sign-in and at each renewal', async () => {
    const tenant = await strictTenant();
    const ana = await newUser(service, tenant.adminToken);
    const first = await signIn(service, ana);
    expect(first.body.session).toMatchObject({
      secondFactorSetupRequired: true,
      client: { requireSecondFactor: true },
    });
    const settled = await settledUser(service, tenant.adminToken, 'VIEWER');
    const cookie = settled.answer.headers.getSetCookie().map((each) => each.split(';')[0]);
    const renewed = await withCookie(service, '/admin/session/refresh', cookie.join('; '));
    expect(renewed.body.session).toMatchObject({ secondFactorSetupRequired: true });
  });

  test('is held up again who switches it off, and who had it reset', async () => {
    const tenant = await service.newTenant();
    const ana = await person(tenant);
    const [code = ''] = await enrol(ana);
    await ok(require(tenant, ana.session, true));
    const off = { currentPassword: ana.password, code };
    const { session } = await ok(post('/admin/session/second-factor/disable', off, ana.session));
    expect(session).toMatchObject({ secondFactorSetupRequired: true });
    await soon(() => audiences(ana.session), heldUp);
    await enrol(ana);
    expect((await audiences(ana.session)).status).toBe(200);
    await ok(post(`/admin/users/${ana.id}/reset-second-factor`, {}, tenant.adminToken));
    const again = await signIn(service, ana);
    expect(again.body.session).toMatchObject({ secondFactorSetupRequired: true });
    expect(await audiences(again.body.accessToken)).toMatchObject(heldUp);
  });

  test('cannot have it required no longer', async () => {
    const tenant = await strictTenant();
    const { session } = await person(tenant);
    expect(await require(tenant, session, false)).toMatchObject(heldUp);
  });
});

describe('who runs the service and has no second factor', () => {
  /** Reads as a person who acts for another client. */
  async function actingFor({ clientId }: Tenant, token: string) {
    const response = await fetch(`${service.baseUrl}/admin/audiences/paginated?page=1&limit=1`, {
      headers: { authorization: `Bearer ${token}`, 'laurel-client-id': clientId },
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }

  test('is held up at a client that requires one and nowhere else, also where the path alone names it', async () => {
    const [strict, easy] = [await strictTenant(), await service.newTenant()];
    const root = await person(service, 'SERVICE_ADMIN');
    expect(await actingFor(strict, root.session)).toMatchObject(heldUp);
    expect((await actingFor(easy, root.session)).status).toBe(200);
    expect((await audiences(root.session)).status).toBe(200);
    expect(await require(strict, root.session, false)).toMatchObject(heldUp);
    const own = { authorization: `Bearer ${root.session}`, 'laurel-client-id': strict.clientId };
    const session = await fetch(`${service.baseUrl}/admin/session`, { headers: own });
    expect(await session.json()).toMatchObject({ secondFactorSetupRequired: true, client: { id: strict.clientId } });
    await enrol(root);
    expect((await actingFor(strict, root.session)).status).toBe(200);
    expect((await require(strict, root.session, false)).status).toBe(200);
  });

  test('is held up at every client where the own one requires it', async () => {
    const [own, other] = [await service.newTenant(), await service.newTenant()];
    const made = await service.rest(
      'POST',
      '/admin/users',
      { email: `r-${own.clientId}@example.com`, name: 'R' },
      own.adminToken,
    );
    await service.db.unitOfWork(own.clientId, (uow) =>
      uow.query(`update console_user set role = 'SERVICE_ADMIN' where client_id = $1 and id = $2`, [
        own.clientId,
        made.body.user.id,
      ]),
    );
    const first = await signIn(service, { email: made.body.user.email, password: made.body.password });
    const token = first.body.accessToken as string;
    const change = { currentPassword: made.body.password, newPassword: 'a longer password of the root' };
    await ok(post('/admin/session/change-password', change, token));
    expect((await actingFor(other, token)).status).toBe(200);
    await ok(require(own, own.adminToken, true));
    await soon(() => actingFor(other, token), heldUp);
  });
});

describe('not asked', () => {
  test('are keys, access tokens and people whom a provider vouches for', async () => {
    const tenant = await strictTenant();
    expect((await audiences(tenant.adminToken)).status).toBe(200);
    const rest = restAs(service.baseUrl, tenant);
    expect((await rest('GET', '/accounts/paginated?page=1&limit=1')).status).toBe(200);
    const ana = await person(tenant);
    await soon(() => audiences(ana.session), heldUp);
    provider.people.set('ana', { email: ana.email.toLowerCase(), email_verified: true });
    const { callback, visit, cookiesOf } = await goThere(service.baseUrl, redirectUri, { login: 'ana' });
    await visit(callback);
    const cookie = `laurel_session=${cookiesOf(callback).get('laurel_session')}`;
    const { body } = await withCookie(service, '/admin/session/refresh', cookie);
    expect(body.session).toMatchObject({ user: { id: ana.id }, secondFactorSetupRequired: false });
    for (const at of [service, beside]) expect((await audiences(body.accessToken, at)).status).toBe(200);
    // The session by password stays restricted: the kind of sign-in decides.
    expect(await audiences(ana.session)).toMatchObject(heldUp);
    const other = await strictTenant();
    expect(await require(other, body.accessToken, true)).toMatchObject({ status: 404 });
    expect((await require(tenant, body.accessToken, true)).status).toBe(200);
  });
});

import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteTokenKeys, insertTokenKey } from '../../../src/clients/account-tokens/token-keys.queries.ts';
import { newTokenKey, rotateTokenKeys, resealTokenKeys } from '../../../src/clients/account-tokens/token-keys.ts';
import { createTokenWatch } from '../../../src/clients/account-tokens/token-watch.ts';
import { newId, NIL_UUID } from '../../../src/kernel/ids.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import { DAY } from '../../../src/kernel/time/timestamp.ts';
import type { UnitOfWork } from '../../../src/persistence/database.ts';
import { ok } from '../../support/administration.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { settledUser } from './console.ts';

const secretKeys = [randomBytes(32)];
const secrets = createSecretBox(secretKeys);
const SHOP = 'https://shop.example.com';

let service: TestService;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;
const now = () => new Date(Date.now() + ahead);

beforeAll(async () => {
  service = await startService({ secretKeys, clock: now, trustForwarded: true });
  await service.rest('POST', '/admin/event-definitions', { programmaticCode: 'SHARE', type: 'SINGLE' });
  expect((await setOrigins([SHOP, 'https://other.example.com'])).status).toBe(200);
}, 60_000);
afterAll(() => service.close());
beforeEach(() => {
  ahead = 0;
});

let made = 0;
const newAccount = async () =>
  (await ok(service.rest('POST', '/accounts', { externalId: `person-${(made += 1)}` }))) as {
    id: string;
    externalId: string;
  };
const issue = async (accountId: string, more: object = {}, by?: string): Promise<string> =>
  (await ok(service.rest('POST', '/v1/account-tokens', { accountId, permissions: ['READ'], ...more }, by))).token;
const points = (token: string, id = 'me') => service.rest('GET', `/loyalty/accounts/${id}/points`, undefined, token);
/** A call that reads no account. */
const offers = (token: string) =>
  service.rest('GET', '/v1/redeemable-products/paginated?page=1&limit=10', undefined, token);
const from = (token: string, origin: string | undefined, path = '/loyalty/accounts/me/points', method = 'GET') =>
  fetch(service.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(origin !== undefined && { origin }) },
  });
const refusal = ({ status, body }: RestAnswer) => ({ status, code: body.code });
const UNAUTHENTICATED = { status: 401, code: 'UNAUTHENTICATED' };
const FORBIDDEN = { status: 403, code: 'FORBIDDEN' };

/** Configures the origins of the client. */
async function setOrigins(origins: readonly string[]): Promise<RestAnswer> {
  const path = `/admin/clients/${service.clientId}`;
  const answer = await ok(service.rest('GET', path));
  const { version, name, timeZone } = answer.client ?? answer;
  return service.rest('PUT', path, { version, name, timeZone, accountTokens: { origins } });
}

/** Waits until the token is refused; at most five seconds. */
async function refusedInTime(token: string): Promise<void> {
  await expect.poll(async () => (await offers(token)).status, { timeout: 5_000, interval: 100 }).toBe(401);
  expect(refusal(await points(token))).toEqual(UNAUTHENTICATED);
}

describe('a token', () => {
  test('reads its own account as `me`, by its id and over gRPC without one, and no other', async () => {
    const [own, other] = [await newAccount(), await newAccount()];
    const token = await issue(own.externalId, { idType: 'EXTERNAL' });
    for (const id of ['me', own.id, own.id.toUpperCase()]) expect((await points(token, id)).status).toBe(200);
    const another = { status: 403, code: 'TOKEN_OF_ANOTHER_ACCOUNT' };
    for (const id of [other.id, newId(), 'nobody', own.externalId])
      expect(refusal(await points(token, id)), id).toEqual(another);
    const byExternalId = `/loyalty/accounts/${own.externalId}/points?idType=EXTERNAL`;
    expect(refusal(await service.rest('GET', byExternalId, undefined, token))).toEqual(another);
    expect((await service.rest('GET', '/accounts/me', undefined, token)).body).toMatchObject({ id: own.id });
    expect(refusal(await service.rest('PATCH', '/accounts/me', { name: 'X' }, token))).toEqual(FORBIDDEN);
  });

  test('sends the events that it names for its account, and none in a batch', async () => {
    const { id } = await newAccount();
    const token = await issue(id, { permissions: ['EMIT'], eventCodes: ['SHARE', 'WALK'] });
    const emit = (event: object, path = '') => service.rest('POST', `/gamification/triggers${path}`, event, token);
    expect((await emit({ programmaticCode: 'SHARE' })).status).toBe(200);
    expect((await emit({ programmaticCode: 'SHARE', accountId: 'me' }, '/async')).status).toBe(200);
    expect(refusal(await emit({ programmaticCode: 'BUY' }))).toEqual(FORBIDDEN);
    expect(refusal(await emit({ programmaticCode: 'SHARE', accountId: 'new', idType: 'EXTERNAL' }))).toEqual({
      status: 403,
      code: 'TOKEN_OF_ANOTHER_ACCOUNT',
    });
    expect(refusal(await emit({}))).toMatchObject({ status: 400 });
    expect(refusal(await emit({ triggers: [{ programmaticCode: 'SHARE', accountId: id }] }, '/batch'))).toEqual(
      FORBIDDEN,
    );
    expect(refusal(await points(token))).toEqual(FORBIDDEN);
  });

  test('is issued only as it can be used', async () => {
    const { id } = await newAccount();
    const create = (more: object) => service.rest('POST', '/v1/account-tokens', { accountId: id, ...more });
    for (const more of [
      { permissions: [] },
      { permissions: ['PERMISSION_UNSPECIFIED'] },
      { permissions: ['EMIT'] },
      { permissions: ['READ'], eventCodes: ['SHARE'] },
      { permissions: ['READ'], lifetimeMinutes: 1_441 },
      { permissions: ['READ'], origins: ['https://unknown.example.com'] },
    ])
      expect(refusal(await create(more)), JSON.stringify(more)).toEqual({ status: 400, code: 'BAD_REQUEST' });
    expect(refusal(await create({ accountId: newId(), permissions: ['READ'] }))).toMatchObject({ status: 404 });
    for (const origin of ['shop.example.com', `${SHOP}/`, 'https://Shop.example.com', '*', 'null'])
      expect((await setOrigins([origin])).status, origin).toBe(400);
  });

  test('is refused altered, unsigned, signed with another key or for another use, and in an address', async () => {
    const { id } = await newAccount();
    const token = await issue(id);
    expect((await points(token)).status).toBe(200);
    const [head = '', body = '', signature = ''] = token.split('.');
    const header = decodeProtectedHeader(token);
    const claims = decodeJwt(token);
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { keys } = (await (await fetch(`${service.baseUrl}/.well-known/jwks.json`)).json()) as {
      keys: { x: string }[];
    };
    const hmac = `${encoded({ ...header, alg: 'HS256' })}.${body}`;
    const stranger = generateKeyPairSync('ed25519').privateKey;
    const signed = (payload: JWTPayload, more: object) =>
      new SignJWT(payload).setProtectedHeader({ ...header, alg: 'EdDSA', ...more }).sign(stranger);
    const forged = {
      altered: `${head}.${encoded({ ...claims, sub: newId() })}.${signature}`,
      'with another client': `${head}.${encoded({ ...claims, aud: newId() })}.${signature}`,
      'without signature': `${head}.${body}.`,
      'alg none': `${encoded({ ...header, alg: 'none' })}.${body}.`,
      'alg none, signed': `${encoded({ ...header, alg: 'none' })}.${body}.${signature}`,
      hmac: `${hmac}.${createHmac('sha256', Buffer.from(keys[0]!.x, 'base64url')).update(hmac).digest('base64url')}`,
      'a strange key': await signed(claims, {}),
      'an unknown key': await signed(claims, { kid: newId() }),
      'a key in the header': await signed(claims, { jwk: keys[0] }),
      'another type': await signed(claims, { typ: 'JWT' }),
      short: token.slice(0, -1),
      long: `${token}.${signature}`,
    };
    for (const [what, text] of Object.entries(forged))
      expect(refusal(await points(text)), what).toEqual(UNAUTHENTICATED);
    for (const name of ['access_token', 'token', 'authorization'])
      expect((await fetch(`${service.baseUrl}/loyalty/accounts/me/points?${name}=${token}`)).status).toBe(401);
    const actingFor = await fetch(`${service.baseUrl}/loyalty/accounts/me/points`, {
      headers: { authorization: `Bearer ${token}`, 'laurel-client-id': service.clientId },
    });
    expect(actingFor.status).toBe(403);
    // With the right key and wrong content.
    const own = await ownKey();
    const issuedNow = { ...claims, iat: now().getTime() / 1_000 };
    const ofDays = { ...issuedNow, exp: now().getTime() / 1_000 + 25 * 3_600 };
    for (const [what, payload, typ] of [
      ['another issuer', { ...claims, iss: 'other' }, header.typ],
      ['longer than a day', ofDays, header.typ],
      ['no account', { ...claims, sub: undefined }, header.typ],
      ['another type', claims, 'JWT'],
    ] as const) {
      const text = await new SignJWT(payload)
        .setProtectedHeader({ alg: 'EdDSA', kid: own.kid, typ: typ! })
        .sign(own.key);
      expect(refusal(await points(text)), what).toEqual(UNAUTHENTICATED);
    }
  });

  test('ends with its time, and clocks may differ by a minute', async () => {
    const { id } = await newAccount();
    ahead = 50_000;
    const early = await issue(id, { lifetimeMinutes: 5 });
    ahead = 0;
    expect((await points(early)).status).toBe(200);
    ahead = -20_000;
    expect(refusal(await points(early))).toEqual(UNAUTHENTICATED);
    ahead = 50_000 + 5 * 60_000 + 55_000;
    expect((await points(early)).status).toBe(200);
    ahead += 10_000;
    expect(refusal(await points(early))).toEqual(UNAUTHENTICATED);
    const { expiresAt } = await ok(
      service.rest('POST', '/v1/account-tokens', { accountId: id, permissions: ['READ'] }),
    );
    expect(Date.parse(expiresAt) - now().getTime()).toBeCloseTo(3_600_000, -4);
  });
});

describe('within five seconds a token ends', () => {
  test('with its account revoked, which leaves other accounts and later tokens', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const [stolen, kept] = [await issue(one.id), await issue(other.id)];
    expect((await offers(stolen)).status).toBe(200);
    await ok(service.rest('POST', '/v1/account-tokens/revoke', { accountId: one.externalId, idType: 'EXTERNAL' }));
    const next = await issue(one.id);
    await refusedInTime(stolen);
    for (const token of [kept, next]) expect((await points(token)).status).toBe(200);
    const reason = { reason: 'Lost phone' };
    await ok(service.rest('POST', `/admin/accounts/${one.id}/tokens/revoke`, reason));
    await refusedInTime(next);
    const { rows } = await ok(service.rest('GET', '/admin/audit/paginated?page=1&limit=1'));
    expect(rows[0]).toMatchObject({ operation: 'AccountAdminService.RevokeTokensOfAccount', note: 'Lost phone' });
  }, 20_000);

  test('with its account deleted or erased', async () => {
    const [gone, erased] = [await newAccount(), await newAccount()];
    const tokens = [await issue(gone.id), await issue(erased.id)];
    for (const token of tokens) expect((await offers(token)).status).toBe(200);
    await ok(service.rest('DELETE', `/accounts/${gone.id}`));
    await ok(service.rest('POST', `/accounts/${erased.id}/erase`, {}));
    for (const token of tokens) await refusedInTime(token);
  }, 20_000);

  test('with the key, access token or session that issued it, and before an end of that', async () => {
    const { id } = await newAccount();
    const credential = (more: object) => ok(service.rest('POST', '/admin/credentials', { name: 'App', ...more }));
    const key = await credential({ kind: 'API_KEY' });
    const soon = await credential({ kind: 'API_KEY', expiresAt: new Date(now().getTime() + 600_000).toISOString() });
    const person = await settledUser(service, service.adminToken, 'CLIENT_ADMIN');
    const tokens = [await issue(id, {}, key.secret), await issue(id, {}, person.answer.body.accessToken)];
    for (const token of tokens) expect((await offers(token)).status).toBe(200);
    await ok(service.rest('POST', `/admin/credentials/${key.credential.id}/revoke`));
    await ok(service.rest('POST', `/admin/users/${person.id}/end-sessions`));
    for (const token of tokens) await refusedInTime(token);
    const capped = await ok(
      service.rest('POST', '/v1/account-tokens', { accountId: id, permissions: ['READ'] }, soon.secret),
    );
    expect(capped.expiresAt).toBe(soon.credential.expiresAt);
  }, 20_000);

  test('with its client', async () => {
    const tenant = await service.newTenant();
    const account = await ok(service.rest('POST', '/accounts', { externalId: 'one' }, tenant.apiKey));
    const token = await issue(account.id, {}, tenant.apiKey);
    expect((await offers(token)).status).toBe(200);
    await service.db.systemUnitOfWork((uow) =>
      uow.query('delete from credential where client_id = $1', [tenant.clientId]),
    );
    await refusedInTime(token);
  }, 20_000);
});

test('a token of a merged account is one of the account that stays, and is revoked with it', async () => {
  const [from, into] = [await newAccount(), await newAccount()];
  const token = await issue(from.id);
  await ok(service.rest('POST', `/accounts/${from.id}/merge`, { intoAccountId: into.id, progress: 'MAX' }));
  expect((await service.rest('GET', '/accounts/me', undefined, token)).body).toMatchObject({ id: into.id });
  await ok(service.rest('POST', '/v1/account-tokens/revoke', { accountId: into.id }));
  await refusedInTime(token);
}, 20_000);

test('a token of a suspended account reads, and buys nothing', async () => {
  const { id } = await newAccount();
  const token = await issue(id, { permissions: ['READ', 'REDEEM'] });
  const { id: product } = await ok(
    service.rest('POST', '/admin/products', { name: 'Mug', stockMode: 'UNLIMITED', pointsCost: 1 }),
  );
  await ok(service.rest('POST', `/admin/accounts/${id}/suspend`, { reason: 'Fraud?' }));
  expect((await points(token)).status).toBe(200);
  expect(refusal(await service.rest('POST', `/loyalty/products/${product}/redeem`, {}, token))).toEqual({
    status: 409,
    code: 'ACCOUNT_SUSPENDED',
  });
});

describe('pages', () => {
  test('of configured origins may ask, and only those of the token are answered', async () => {
    const { id } = await newAccount();
    const [ofShop, ofApp] = [await issue(id, { origins: [SHOP] }), await issue(id)];
    const preflight = (origin: string) =>
      fetch(`${service.baseUrl}/loyalty/accounts/me/points`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      });
    for (const origin of [SHOP, 'https://other.example.com']) {
      const answer = await preflight(origin);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    }
    expect((await preflight('https://evil.example.com')).headers.get('access-control-allow-origin')).toBeNull();
    const answered = await from(ofShop, SHOP);
    expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([200, SHOP]);
    expect((await from(ofShop, undefined)).status).toBe(200);
    expect((await from(ofApp, undefined)).status).toBe(200);
    for (const [token, origin] of [
      [ofShop, 'https://other.example.com'],
      [ofShop, 'null'],
      [ofShop, `${SHOP}.evil.example.com`],
      [ofApp, SHOP],
    ] as const) {
      const answer = await from(token, origin);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    }
  });
});

describe('keys', () => {
  test('are known to each process at once, also to one that read a moment ago that there were none', async () => {
    let reads = 0;
    const revocations = () => {
      reads += 1;
      return Promise.resolve([]);
    };
    const watch = createTokenWatch({ db: service.db, secrets, clock: now, revocations });
    const made = await newTokenKey(secrets, now());
    const inNil = (work: (uow: UnitOfWork) => Promise<void>) => service.db.unitOfWork(NIL_UUID, work);
    await watch.jwks();
    await inNil((uow) => insertTokenKey(uow, made, now()));
    expect(await watch.publicKey(made.id)).toBeDefined();
    await inNil((uow) => deleteTokenKeys(uow, [made.id]));
    // An invented key is unknown, and many of them are few reads.
    reads = 0;
    const invented = await Promise.all(Array.from({ length: 100 }, () => watch.publicKey(newId())));
    expect(invented.filter((key) => key !== undefined)).toEqual([]);
    expect(reads).toBeLessThanOrEqual(2);
  });

  test('are published, are sealed at rest, and rotate without an interruption', async () => {
    const { id } = await newAccount();
    const token = await issue(id, { lifetimeMinutes: 1_440 });
    const jwks = createRemoteJWKSet(new URL(`${service.baseUrl}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(token, jwks, { issuer: 'laurel', audience: service.clientId });
    expect(payload.sub).toBe(id);
    const rows = await stored();
    expect(JSON.stringify(rows)).not.toContain('"d":');
    expect(JSON.stringify(rows)).toContain(`v1.${secrets.keyIds[0]}.`);
    const rotate = () => service.db.systemUnitOfWork((uow) => rotateTokenKeys(uow, now(), secrets));
    const kid = (text: string) => decodeProtectedHeader(text).kid;
    expect(await rotate()).toBe(0);
    ahead = 30 * DAY;
    const day30 = await issue(id, { lifetimeMinutes: 1_440 });
    expect(await rotate()).toBe(1);
    expect(await rotate()).toBe(0);
    await later();
    // Announced, and not used for an hour.
    expect(kid(await issue(id))).toBe(kid(day30));
    ahead += 3_600_000 + 1_000;
    const next = await issue(id);
    expect(kid(next)).not.toBe(kid(day30));
    for (const text of [day30, next]) expect((await points(text)).status).toBe(200);
    expect(await rotate()).toBe(0);
    ahead += 24 * 3_600_000;
    expect(await rotate()).toBe(0);
    ahead += 3 * 60_000;
    expect(await rotate()).toBe(1);
    expect((await stored()).map((row) => row.id)).toEqual([kid(next)]);
    await later();
    ahead = 30 * DAY;
    // Its time has not come, its key has gone.
    expect(refusal(await points(day30))).toEqual(UNAUTHENTICATED);
    ahead = 0;
  }, 20_000);

  test('are sealed again with the next secret key; one that cannot be opened is replaced, and still verifies', async () => {
    const [old, next] = [secretKeys[0]!, randomBytes(32)];
    const box = createSecretBox([next, old]);
    expect(await resealTokenKeys(service.db, box)).toEqual({ resealed: 1, unreadable: 0 });
    expect(await resealTokenKeys(service.db, createSecretBox([randomBytes(32)]))).toEqual({
      resealed: 0,
      unreadable: 1,
    });
  });
});

type Stored = { readonly id: string; readonly private_key_sealed: string };

/** The stored keys. */
function stored() {
  return service.db.unitOfWork(NIL_UUID, (uow) =>
    uow.query<Stored>('select * from account_token_key order by signs_from'),
  );
}

/** The key that signs, as a thief of the database and the secret key has it. */
async function ownKey() {
  const [{ id, private_key_sealed: sealed }] = (await stored()) as unknown as readonly [Stored];
  const jwk = JSON.parse(secrets.open(sealed, `${NIL_UUID}/account_token_key/${id}`)) as object;
  return { kid: id, key: await importJWK(jwk, 'EdDSA') };
}

/** Waits until the process has read keys again. */
async function later(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await fetch(`${service.baseUrl}/.well-known/jwks.json`);
  await new Promise((resolve) => setTimeout(resolve, 200));
}

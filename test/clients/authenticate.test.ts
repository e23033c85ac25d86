import { Code } from '@connectrpc/connect';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { type Authenticator, authenticator } from '../../src/clients/credentials/authenticate.ts';
import { hashToken, newToken, type TokenKind } from '../../src/clients/credentials/token.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/persistence/database.ts';
import { callByGrpcJs } from '../server/grpc-js.ts';
import { startTestServer } from '../server/support.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

const logger = pino({ level: 'silent' });

let database: TestDatabase;
let clientId: string;
/** Counts the units of work, which distinguish a look-up from a cached credential. */
let lookUps: number;
let now: Date;
let subject: Authenticator;

beforeAll(async () => {
  database = await testDatabase();
  clientId = await newClient(database.db);
});
afterAll(() => database.drop());
beforeEach(() => {
  lookUps = 0;
  now = new Date();
  subject = authenticator(counting(database.db), () => now, logger);
});

describe('who is let in', () => {
  test.each([
    ['API_KEY', 'INTEGRATOR'],
    ['ACCESS_TOKEN', 'CLIENT_ADMIN'],
    ['ACCESS_TOKEN', 'SERVICE_ADMIN'],
  ] as const)('an %s of role %s is its client', async (kind, role) => {
    const { token, id } = await issue({ kind, role });
    expect(await enter(`Bearer ${token}`)).toEqual({
      clientId,
      credentialId: id,
      role,
      actor: { type: 'CREDENTIAL', id, name: 'test' },
      ownClientId: clientId,
      passwordChangeRequired: false,
    });
  });

  test('the scheme is read in any case, as RFC 9110 asks', async () => {
    const { token } = await issue();
    expect(await enter(`bearer ${token}`)).toMatchObject({ clientId });
  });

  test('one that expires later is let in until then, and not a moment longer', async () => {
    const { token } = await issue({ expiresAt: new Date(now.getTime() + 60_000) });
    await enter(`Bearer ${token}`);
    now = new Date(now.getTime() + 60_000);
    await expect(enter(`Bearer ${token}`)).rejects.toThrow(/expired at/);
    await subject.close();
    // The second one records the use: the refusal came from the cache.
    expect(lookUps).toBe(2);
  });
});

describe('who is refused, each in its own words and without a look-up where none is needed', () => {
  const unknown = () => newToken('API_KEY', clientId);
  const mistyped = () => unknown().replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  test.each<[string, () => string | undefined, RegExp, number]>([
    ['no header', () => undefined, /No credential was sent/, 0],
    ['an empty header', () => '', /No credential was sent/, 0],
    ['another scheme', () => 'Basic dXNlcjpwYXNz', /must read `Bearer/, 0],
    ['two spaces', () => `Bearer  ${unknown()}`, /must read `Bearer/, 0],
    ['a wrong checksum', () => `Bearer ${mistyped()}`, /malformed/, 0],
    ['some other text', () => 'Bearer hello', /malformed/, 0],
    ['a token that was never issued', () => `Bearer ${unknown()}`, /not known/, 1],
    ['a token of a client that does not exist', () => `Bearer ${newToken('API_KEY', newId())}`, /not known/, 1],
  ])('%s', async (_name, header, words, expectedLookUps) => {
    await expect(enter(header())).rejects.toMatchObject({
      kind: 'UNAUTHENTICATED',
      code: 'UNAUTHENTICATED',
      message: expect.stringMatching(words),
    });
    expect(lookUps).toBe(expectedLookUps);
  });

  test('an expired one', async () => {
    const { token } = await issue({ expiresAt: new Date(now.getTime() - 1) });
    await expect(enter(`Bearer ${token}`)).rejects.toThrow(/expired at/);
  });

  test('a revoked one', async () => {
    const { token } = await issue({ revokedAt: now });
    await expect(enter(`Bearer ${token}`)).rejects.toThrow(/revoked/);
  });

  test('one that was let in a moment ago is refused within a second of its revocation', async () => {
    const { token, id } = await issue();
    await enter(`Bearer ${token}`);
    await query('update credential set revoked_at = now() where client_id = $1 and id = $2', [clientId, id]);
    const revokedAt = performance.now();
    const refused = async () =>
      enter(`Bearer ${token}`).then(
        () => false,
        () => true,
      );
    while (!(await refused())) expect(performance.now() - revokedAt).toBeLessThan(1_000);
  });

  test('a database that is down is the service at fault, not the credential', async () => {
    const { token } = await issue();
    const elsewhere = await testDatabase();
    await elsewhere.drop();
    const lost = authenticator(elsewhere.db, () => now, logger);
    const failure = lost.authenticate({ authorization: `Bearer ${token}`, actFor: undefined });
    await expect(failure).rejects.not.toMatchObject({ kind: 'UNAUTHENTICATED' });
  });
});

describe('what is remembered', () => {
  test('a hundred simultaneous calls with one credential look it up once', async () => {
    const { token } = await issue();
    await Promise.all(Array.from({ length: 100 }, () => enter(`Bearer ${token}`)));
    await subject.close();
    // The second one records the use.
    expect(lookUps).toBe(2);
  });

  test('simultaneous calls of many clients are looked up together, each finds its own, and their use is noted together', async () => {
    const owners = await Promise.all(Array.from({ length: 30 }, () => newClient(database.db)));
    const issued = await Promise.all(owners.map((owner) => issue({ owner })));
    const principals = await Promise.all(issued.map(({ token }) => enter(`Bearer ${token}`)));
    expect(principals.map((principal) => [principal.clientId, principal.credentialId])).toEqual(
      issued.map(({ id }, index) => [owners[index], id]),
    );
    await subject.close();
    expect(lookUps).toBeLessThan(15);
    for (const [index, { id }] of issued.entries()) expect(await lastUse(id, owners[index])).toEqual(now);
  });

  test('a failed look-up is not remembered', async () => {
    const { token } = await issue();
    let fail = true;
    const flaky: Database = {
      ...database.db,
      systemUnitOfWork: (work) => (fail ? Promise.reject(new Error('lost')) : database.db.systemUnitOfWork(work)),
    };
    const on = authenticator(flaky, () => now, logger);
    const headers = { authorization: `Bearer ${token}`, actFor: undefined };
    await expect(on.authenticate(headers)).rejects.toThrow('lost');
    fail = false;
    expect(await on.authenticate(headers)).toMatchObject({ clientId });
    await on.close();
  });

  test('the last use is noted, and noted again only after a minute', async () => {
    const { token, id } = await issue();
    await enter(`Bearer ${token}`);
    await subject.close();
    expect(await lastUse(id)).toEqual(now);
    const first = now;
    for (const [seconds, expected] of [
      [59, first],
      [61, new Date(first.getTime() + 61_000)],
    ] as const) {
      now = new Date(first.getTime() + seconds * 1_000);
      const later = authenticator(database.db, () => now, logger);
      await later.authenticate({ authorization: `Bearer ${token}`, actFor: undefined });
      await later.close();
      expect(await lastUse(id)).toEqual(expected);
    }
  });
});

describe('acting for another client', () => {
  test('a service administrator may, in any spelling of the id', async () => {
    const other = await newClient(database.db);
    const { token } = await issue({ kind: 'ACCESS_TOKEN', role: 'SERVICE_ADMIN' });
    expect(await enter(`Bearer ${token}`, other.toUpperCase())).toMatchObject({
      clientId: other,
      role: 'SERVICE_ADMIN',
    });
  });

  test('an unknown client is 404, and what is no id is 400', async () => {
    const { token } = await issue({ kind: 'ACCESS_TOKEN', role: 'SERVICE_ADMIN' });
    await expect(enter(`Bearer ${token}`, newId())).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
    await expect(enter(`Bearer ${token}`, 'acme')).rejects.toMatchObject({ kind: 'INVALID' });
  });

  test.each([
    ['API_KEY', 'INTEGRATOR'],
    ['ACCESS_TOKEN', 'CLIENT_ADMIN'],
  ] as const)('an %s of role %s may name itself only', async (kind, role) => {
    const { token } = await issue({ kind, role });
    expect(await enter(`Bearer ${token}`, clientId)).toMatchObject({ clientId });
    await expect(enter(`Bearer ${token}`, await newClient(database.db))).rejects.toMatchObject({ kind: 'FORBIDDEN' });
  });
});

test('over the wire, REST and gRPC refuse a revoked credential before they read the body', async () => {
  const { token } = await issue({ revokedAt: now });
  const server = await startTestServer({}, { authenticator: subject });
  const headers = { authorization: `Bearer ${token}` };
  const rest = await fetch(`${server.url}/accounts/resolve`, { method: 'POST', headers, body: 'no JSON at all' });
  expect(rest.status).toBe(401);
  expect(await rest.json()).toMatchObject({ code: 'UNAUTHENTICATED', message: expect.stringContaining('revoked') });
  const { resolveAccount } = AccountService.method;
  const grpc = callByGrpcJs(`127.0.0.1:${server.port}`, resolveAccount, { externalId: '' }, token);
  await expect(grpc).rejects.toMatchObject({ code: Code.Unauthenticated, details: expect.stringContaining('revoked') });
  await server.close();
});

function enter(authorization: string | undefined, actFor?: string) {
  return subject.authenticate({ authorization, actFor });
}

type Issue = { kind?: TokenKind; role?: string; expiresAt?: Date; revokedAt?: Date; owner?: string };

async function issue({ kind = 'API_KEY', role = 'INTEGRATOR', expiresAt, revokedAt, owner = clientId }: Issue = {}) {
  const token = newToken(kind, owner);
  const id = newId();
  await query(
    `insert into credential (client_id, id, kind, role, name, hash, last_four, created_at, expires_at, revoked_at)
     values ($1, $2, $3, $4, 'test', $5, $6, now(), $7, $8)`,
    [owner, id, kind, role, hashToken(token), token.slice(-4), expiresAt ?? null, revokedAt ?? null],
    owner,
  );
  return { token, id };
}

async function lastUse(id: string, owner = clientId): Promise<Date | null | undefined> {
  const rows = await query<{ last_used_at: Date | null }>(
    'select last_used_at from credential where client_id = $1 and id = $2',
    [owner, id],
    owner,
  );
  return rows[0]?.last_used_at;
}

function query<Row extends object>(sql: string, values: readonly unknown[], owner = clientId): Promise<Row[]> {
  return database.db.unitOfWork(owner, (uow) => uow.query<Row>(sql, values));
}

function counting(db: Database): Database {
  return {
    ...db,
    unitOfWork(id, work) {
      lookUps += 1;
      return db.unitOfWork(id, work);
    },
    systemUnitOfWork(work) {
      lookUps += 1;
      return db.systemUnitOfWork(work);
    },
  };
}

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let service: TestService;

beforeAll(async () => {
  service = await startContractService();
  await newGame(service);
});
afterAll(() => service.close());

const resolve = (externalId: unknown) => service.rest('POST', '/accounts/resolve', { externalId });
const get = (id: string, idType?: string) =>
  service.rest('GET', `/accounts/${encodeURIComponent(id)}${idType ? `?idType=${idType}` : ''}`);

async function isKnown(externalId: string): Promise<boolean> {
  return (await get(externalId, 'EXTERNAL')).status === 200;
}

describe('identification', () => {
  test('two hundred simultaneous calls with one externalId create one account', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, turn) =>
        turn % 2 === 0
          ? resolve('rushed')
          : service.rest('POST', '/gamification/triggers', {
              programmaticCode: 'LOGIN',
              accountId: 'rushed',
              idType: 'EXTERNAL',
            }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const ids = answers.flatMap((answer) => (answer.body.id ? [answer.body.id] : []));
    expect(new Set(ids).size).toBe(1);
    const filter = encodeURIComponent('{"filters":[{"field":"externalId","value":["rushed"]}]}');
    const list = await service.rest('GET', `/accounts/paginated?page=1&limit=10&filters=${filter}`);
    expect(list.body.totalRows).toBe(1);
  });

  test('an externalId is compared as sent: a space or another case is another account', async () => {
    const spellings = ['spelled', 'spelled ', ' spelled', 'Spelled', 'spe\u0301lled', 'sp\u00e9lled'];
    const ids = await Promise.all(spellings.map(async (spelling) => (await resolve(spelling)).body.id));
    expect(new Set(ids).size).toBe(spellings.length);
    for (const [index, spelling] of spellings.entries()) {
      expect((await get(spelling, 'EXTERNAL')).body).toMatchObject({ id: ids[index], externalId: spelling });
    }
  });

  test('a well-formed unknown INTERNAL id is a 404, and nothing is created', async () => {
    const id = randomUUID();
    expect(await get(id)).toMatchObject({ status: 404, body: errorBody(404, 'ACCOUNT_NOT_FOUND') });
    expect(await get(id, 'INTERNAL')).toMatchObject({ status: 404 });
    const emit = { programmaticCode: 'LOGIN', accountId: id, idType: 'INTERNAL' };
    expect(await service.rest('POST', '/gamification/triggers', emit)).toMatchObject({ status: 404 });
    expect(await service.rest('GET', `/v1/feed/account/${id}`)).toMatchObject({ status: 404 });
  });

  test('a malformed INTERNAL id is a 400', async () => {
    for (const id of ['nobody', '1234', `${randomUUID()}0`, 'g'.repeat(36)]) {
      expect(await get(id)).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST', /idType=EXTERNAL/) });
    }
  });

  test('idType is INTERNAL by default, and a word that is none is a 400', async () => {
    const { body: account } = await resolve('defaulted');
    expect((await get(account.id)).body).toEqual(account);
    expect((await get('defaulted')).status).toBe(400);
    for (const word of ['external', 'OTHER', '1', '']) {
      const answer = await service.rest('GET', `/accounts/defaulted?idType=${word}`);
      expect(answer, word).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST') });
    }
  });

  test('every /accounts/{id} operation takes idType', async () => {
    await resolve('by its own name');
    const path = '/accounts/by%20its%20own%20name?idType=EXTERNAL';
    expect((await service.rest('GET', path)).status).toBe(200);
    expect((await service.rest('PATCH', path, { name: 'Ada' })).body).toMatchObject({ name: 'Ada' });
    expect((await service.rest('GET', path.replace('?', '/nothing?'))).status).toBe(404);
    expect((await service.rest('DELETE', path)).status).toBe(204);
    expect((await service.rest('GET', path)).status).toBe(404);
  });
});

describe('an unknown EXTERNAL id', () => {
  test.each([
    ['POST', '/gamification/triggers'],
    ['POST', '/gamification/triggers/async'],
  ])('is created by %s %s', async (method, path) => {
    const accountId = `new by ${path}`;
    const answer = await service.rest(method, path, { programmaticCode: 'LOGIN', accountId, idType: 'EXTERNAL' });
    expect(answer.status).toBe(200);
    await expect.poll(() => isKnown(accountId)).toBe(true);
  });

  test('is created by GET /v1/feed/account/{accountId}', async () => {
    const feed = await service.rest('GET', '/v1/feed/account/new-by-feed?idType=EXTERNAL');
    expect(feed).toMatchObject({ status: 200, body: [{ status: 'ACTIVE', progress: 0 }] });
    expect(await isKnown('new-by-feed')).toBe(true);
  });

  test('is not created by any other read, which finds nothing', async () => {
    const lists = ['progress', 'completed', 'my-rewards'].map((name) => `/v1/gamification/missions/${name}/stranger`);
    for (const path of [...lists, '/redemptions/stranger', '/loyalty/accounts/stranger/points/history']) {
      expect(await service.rest('GET', `${path}?idType=EXTERNAL`), path).toMatchObject({ status: 200, body: [] });
    }
    const points = await service.rest('GET', '/loyalty/accounts/stranger/points?idType=EXTERNAL');
    expect(points).toMatchObject({ status: 200, body: { available: 0, lifetimeEarned: 0 } });
    expect(await isKnown('stranger')).toBe(false);
  });

  test('is not created by operations on one account, which answer 404', async () => {
    const one = '/accounts/stranger?idType=EXTERNAL';
    expect((await service.rest('GET', one)).status).toBe(404);
    expect((await service.rest('PATCH', one, { name: 'X' })).status).toBe(404);
    expect((await service.rest('DELETE', one)).status).toBe(404);
    expect(await isKnown('stranger')).toBe(false);
  });
});

describe('POST /accounts/resolve', () => {
  test('answers 200 with the account, and a repeat gives the same one', async () => {
    const first = await resolve('resolved');
    expect(first).toMatchObject({ status: 200, body: { id: expect.stringMatching(UUID), externalId: 'resolved' } });
    expect(await resolve('resolved')).toMatchObject({ status: 200, body: first.body });
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['a number', 7],
    ['null', null],
    ['one of 256 characters', 'x'.repeat(256)],
    ['one with a NUL', 'a\0b'],
  ])('with %s as externalId is a 400', async (_what, externalId) => {
    expect(await resolve(externalId)).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST') });
  });
});

describe('POST /accounts', () => {
  test('creates an anonymous account, whose id is the only reference to it', async () => {
    const { status, body: account } = await service.rest('POST', '/accounts', {});
    expect(status).toBe(201);
    expect(account).toEqual({
      id: expect.stringMatching(UUID),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await get(account.id)).body).toEqual(account);
  });

  test('stores externalId, email and name only where they are sent', async () => {
    const sent = { externalId: 'ada', email: 'ada@example.com', name: 'Ada' };
    expect((await service.rest('POST', '/accounts', sent)).body).toMatchObject(sent);
    const nameless = await service.rest('POST', '/accounts', { externalId: 'bob' });
    expect(Object.keys(nameless.body)).toEqual(['id', 'externalId', 'createdAt', 'updatedAt']);
  });

  test('with the externalId of another account is a 409', async () => {
    await resolve('taken');
    const answer = await service.rest('POST', '/accounts', { externalId: 'taken' });
    expect(answer).toMatchObject({ status: 409, body: errorBody(409, 'ACCOUNT_ALREADY_EXISTS') });
  });
});

describe('one account', () => {
  test('PATCH changes what is sent, clears what is null, and leaves the rest', async () => {
    const sent = { externalId: 'patched', email: 'p@example.com', name: 'Pat' };
    const { body: account } = await service.rest('POST', '/accounts', sent);
    const changed = await service.rest('PATCH', `/accounts/${account.id}`, { name: null, email: 'q@example.com' });
    expect(changed).toMatchObject({ status: 200, body: { externalId: 'patched', email: 'q@example.com' } });
    expect(changed.body).not.toHaveProperty('name');
    expect((await get(account.id)).body).toEqual(changed.body);
  });

  test('DELETE answers 204; then the id is unknown and the externalId free', async () => {
    const { body: account } = await resolve('removed');
    expect(await service.rest('DELETE', `/accounts/${account.id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await get(account.id)).toMatchObject({ status: 404, body: errorBody(404, 'ACCOUNT_NOT_FOUND') });
    expect(await service.rest('DELETE', `/accounts/${account.id}`)).toMatchObject({ status: 404 });
    expect((await resolve('removed')).body.id).not.toBe(account.id);
  });
});

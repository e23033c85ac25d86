import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedService, type TestService } from '../../support/service.ts';

const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const resolve = (externalId: unknown, token?: string) =>
  service.rest('POST', '/accounts/resolve', { externalId }, token);
const external = (externalId: string) => `/accounts/${encodeURIComponent(externalId)}?idType=EXTERNAL`;

async function created(body: object = {}): Promise<string> {
  const answer = await service.rest('POST', '/accounts', body);
  expect(answer.status).toBe(201);
  return answer.body.id;
}

describe('POST /accounts/resolve', () => {
  test('creates an account once and then gives the same one', async () => {
    const first = await resolve('resolve-1');
    expect(first).toMatchObject({ status: 200, body: { id: expect.stringMatching(UUID), externalId: 'resolve-1' } });
    expect(await resolve('resolve-1')).toMatchObject({ status: 200, body: first.body });
  });

  test('two hundred simultaneous resolves create one account', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => resolve('crowd')));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  });

  test.each([
    ['a space at the end', 'same', 'same '],
    ['a space at the beginning', 'same', ' same'],
    ['another case', 'same', 'Same'],
    ['composed and decomposed letters', '\u00e9', 'e\u0301'],
    ['a zero-width joiner', 'same', 'same\u200d'],
  ])('external ids that differ in %s are different accounts', async (_difference, one, other) => {
    const [first, second] = [await resolve(one), await resolve(other)];
    expect(first.body.id).not.toBe(second.body.id);
    expect([first.body.externalId, second.body.externalId]).toEqual([one, other]);
  });

  test('an external id may be as long as 255 characters, counted as a reader counts them', async () => {
    expect((await resolve('🦊'.repeat(255))).status).toBe(200);
    expect((await resolve('🦊'.repeat(256))).status).toBe(400);
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['a number', 7],
    ['null', null],
    ['with a NUL', 'a\u0000b'],
    ['with half of a surrogate pair', '\ud83e'],
  ])('an external id that is %s is a 400', async (_fault, externalId) => {
    expect(await resolve(externalId)).toMatchObject({ status: 400, body: { statusCode: 400, code: 'BAD_REQUEST' } });
  });

  test('two clients have each their own account of the same external id', async () => {
    const other = await service.newTenant();
    const [mine, theirs] = [await resolve('shared'), await resolve('shared', other.apiKey)];
    expect(mine.body.id).not.toBe(theirs.body.id);
  });
});

describe('POST /accounts', () => {
  test('creates an anonymous account from nothing, another one each time', async () => {
    const one = await service.rest('POST', '/accounts', {});
    expect(one.status).toBe(201);
    expect(Object.keys(one.body).toSorted()).toEqual(['createdAt', 'id', 'updatedAt']);
    expect((await service.rest('POST', '/accounts', {})).body.id).not.toBe(one.body.id);
  });

  test('stores what is sent, as it is sent', async () => {
    const sent = { externalId: 'full', email: 'Ana@Example.com', name: ' Ana', timeZone: 'Europe/Madrid' };
    const { body } = await service.rest('POST', '/accounts', sent);
    expect(body).toMatchObject(sent);
    expect((await service.rest('GET', `/accounts/${body.id}`)).body).toEqual(body);
  });

  test('a second account with the same external id is a 409', async () => {
    await created({ externalId: 'twice' });
    const second = await service.rest('POST', '/accounts', { externalId: 'twice', name: 'Other' });
    expect(second).toMatchObject({ status: 409, body: { code: 'ACCOUNT_ALREADY_EXISTS' } });
  });

  test('of fifty simultaneous creations with one external id, one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => service.rest('POST', '/accounts', { externalId: 'race' })),
    );
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
  });

  test.each([
    { email: '' },
    { email: 'x'.repeat(321) },
    { name: '' },
    { name: 'x'.repeat(256) },
    { name: 'a\u0000' },
    { email: '\udc00' },
    { externalId: '' },
    { timeZone: 'Mars/Olympus' },
    { timeZone: '+02:00' },
    { timeZone: '2026-01-01T00:00Z' },
    { nickname: 'unknown field' },
    { id: UNKNOWN },
  ])('%j is a 400', async (body) => {
    expect(await service.rest('POST', '/accounts', body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('a time zone is stored in its usual spelling', async () => {
    const { body } = await service.rest('POST', '/accounts', { timeZone: 'europe/madrid' });
    expect(body.timeZone).toBe('Europe/Madrid');
  });
});

describe('GET /accounts/{id}', () => {
  test('finds by internal id, in upper case too, and by external id', async () => {
    const id = await created({ externalId: 'by/either way?' });
    for (const path of [`/accounts/${id}`, `/accounts/${id.toUpperCase()}`, external('by/either way?')]) {
      expect(await service.rest('GET', path)).toMatchObject({ status: 200, body: { id } });
    }
  });

  test('never creates', async () => {
    expect(await service.rest('GET', external('nobody'))).toMatchObject({
      status: 404,
      body: { code: 'ACCOUNT_NOT_FOUND' },
    });
    expect((await service.rest('GET', external('nobody'))).status).toBe(404);
  });

  test.each([
    [UNKNOWN, 404, 'ACCOUNT_NOT_FOUND'],
    ['not-a-uuid', 400, 'BAD_REQUEST'],
    [UNKNOWN.slice(0, -1), 400, 'BAD_REQUEST'],
    [`{${UNKNOWN}}`, 400, 'BAD_REQUEST'],
    [`${UNKNOWN}?idType=OTHER`, 400, 'BAD_REQUEST'],
  ])('%s is a %i', async (id, status, code) => {
    expect(await service.rest('GET', `/accounts/${id}`)).toMatchObject({ status, body: { code } });
  });

  test("another client's account does not exist", async () => {
    const id = await created();
    const { apiKey } = await service.newTenant();
    for (const [method, path, body] of [
      ['GET', `/accounts/${id}`],
      ['PATCH', `/accounts/${id}`, { name: 'Mine now' }],
      ['DELETE', `/accounts/${id}`],
      ['POST', `/accounts/${id}/erase`, {}],
    ] as const) {
      expect(await service.rest(method, path, body, apiKey), method).toMatchObject({
        status: 404,
        body: { code: 'ACCOUNT_NOT_FOUND' },
      });
    }
    expect((await service.rest('GET', `/accounts/${id}`)).status).toBe(200);
  });
});

describe('PATCH /accounts/{id}', () => {
  test('changes the keys that are sent, clears those that are null, leaves the others', async () => {
    const id = await created({ externalId: 'patched', email: 'a@example.com', name: 'Ana' });
    const { status, body } = await service.rest('PATCH', `/accounts/${id}`, { name: 'Bob', email: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, externalId: 'patched', name: 'Bob' });
    expect(body.email ?? null).toBeNull();
    expect((await service.rest('GET', `/accounts/${id}`)).body).toEqual(body);
  });

  test('links an anonymous account to an external id, and gives the old one free', async () => {
    const id = await created();
    await service.rest('PATCH', `/accounts/${id}`, { externalId: 'link-1' });
    expect((await resolve('link-1')).body.id).toBe(id);
    await service.rest('PATCH', external('link-1'), { externalId: 'link-2' });
    expect((await resolve('link-2')).body.id).toBe(id);
    expect((await resolve('link-1')).body.id).not.toBe(id);
  });

  test('an external id of another account is a 409 and changes nothing', async () => {
    await created({ externalId: 'owned' });
    const id = await created({ name: 'Ana' });
    const answer = await service.rest('PATCH', `/accounts/${id}`, { externalId: 'owned', name: 'Bob' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'ACCOUNT_ALREADY_EXISTS' } });
    expect((await service.rest('GET', `/accounts/${id}`)).body).toMatchObject({ name: 'Ana' });
  });

  test('a repeat changes nothing, not even the moment of the last change', async () => {
    const id = await created();
    const first = await service.rest('PATCH', `/accounts/${id}`, { name: 'Ana' });
    expect((await service.rest('PATCH', `/accounts/${id}`, { name: 'Ana' })).body).toEqual(first.body);
    expect((await service.rest('PATCH', `/accounts/${id}`, {})).body).toEqual(first.body);
  });

  test('simultaneous changes of different attributes are all kept', async () => {
    const id = await created();
    const changes = [{ name: 'Ana' }, { email: 'a@example.com' }, { timeZone: 'Asia/Tokyo' }, { externalId: 'kept' }];
    await Promise.all(changes.map((change) => service.rest('PATCH', `/accounts/${id}`, change)));
    expect((await service.rest('GET', `/accounts/${id}`)).body).toMatchObject(Object.assign({}, ...changes));
  });

  test.each([
    { id: UNKNOWN },
    { createdAt: '2026-01-01T00:00:00Z' },
    { name: '' },
    { timeZone: 'Mars/Olympus' },
    [],
    'x',
  ])('%j is a 400', async (body) => {
    const id = await created();
    expect(await service.rest('PATCH', `/accounts/${id}`, body)).toMatchObject({ status: 400 });
  });

  test.each([
    [UNKNOWN, 404],
    ['not-a-uuid', 400],
  ])('%s is a %i', async (id, status) => {
    expect((await service.rest('PATCH', `/accounts/${id}`, { name: 'Ana' })).status).toBe(status);
  });
});

describe('DELETE /accounts/{id}', () => {
  test('afterwards the id is unknown and the external id is free', async () => {
    const id = await created({ externalId: 'gone' });
    expect(await service.rest('DELETE', `/accounts/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect((await service.rest('GET', `/accounts/${id}`)).status).toBe(404);
    expect((await service.rest('GET', external('gone'))).status).toBe(404);
    expect((await service.rest('DELETE', `/accounts/${id}`)).status).toBe(404);
    expect((await resolve('gone')).body.id).not.toBe(id);
  });

  test('of ten simultaneous removals one succeeds', async () => {
    await created({ externalId: 'removed by many' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => service.rest('DELETE', external('removed by many'))),
    );
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 404)).toHaveLength(9);
  });

  test('a malformed id is a 400', async () => {
    expect((await service.rest('DELETE', '/accounts/not-a-uuid')).status).toBe(400);
  });
});

describe('POST /accounts/{id}/erase', () => {
  test('leaves nothing of the person, in no row', async () => {
    const person = { externalId: 'person-77', email: 'person@example.com', name: 'A Person' };
    const id = await created(person);
    const zones = ['Pacific/Kiritimati', 'Asia/Kathmandu'];
    for (const timeZone of zones) await service.rest('PATCH', `/accounts/${id}`, { timeZone });
    expect(await service.rest('POST', `/accounts/${id}/erase`, {})).toMatchObject({ status: 200, body: undefined });
    expect((await service.rest('GET', `/accounts/${id}`)).status).toBe(404);
    const rows = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ text: string }>('select account::text as text from account'),
    );
    for (const trace of [...Object.values(person), ...zones])
      expect(rows.some((row) => row.text.includes(trace))).toBe(false);
  });

  test('reaches an account that was deleted, by its internal id; a repeat is safe', async () => {
    const id = await created({ name: 'Deleted Person' });
    await service.rest('DELETE', `/accounts/${id}`);
    for (let time = 0; time < 2; time += 1) {
      expect((await service.rest('POST', `/accounts/${id}/erase`, {})).status).toBe(200);
    }
    const [row] = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('select name from account where id = $1', [id]),
    );
    expect(row).toEqual({ name: null });
  });

  test.each([
    [UNKNOWN, 404],
    ['not-a-uuid', 400],
  ])('%s is a %i', async (id, status) => {
    expect((await service.rest('POST', `/accounts/${id}/erase`, {})).status).toBe(status);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startContractService();
  await newGame(service, { missions: [{ target: 1_000_000 }] });
});
afterAll(() => service.close());

const emit = (body: unknown) => service.rest('POST', '/gamification/triggers', body);
const login = (more: object) => emit({ programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL', ...more });
const resolved = async (externalId: string): Promise<string> =>
  (await service.rest('POST', '/accounts/resolve', { externalId })).body.id;
const refused = (code: string, words: RegExp) => ({ status: 400, body: errorBody(400, code, words) });
const applied = { status: 200, body: { progressedMissions: [expect.anything()] } };
const isReplayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true';

describe('occurredAt', () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

  test('up to sixty seconds ahead counts as now, further ahead is a 400', async () => {
    expect(await login({ accountId: 'ahead', occurredAt: inSeconds(50) })).toMatchObject(applied);
    expect(await login({ accountId: 'ahead', occurredAt: inSeconds(120) })).toMatchObject(
      refused('BAD_REQUEST', /occurredAt is in the future/),
    );
  });
});

test('the message of an amount at fault names its bounds', async () => {
  for (const amount of [-1, 1e9 + 1]) {
    const purchase = { programmaticCode: 'PURCHASE', accountId: 'ada', idType: 'EXTERNAL', metadata: { amount } };
    const message = /^metadata\.amount must be a number from 0 to 1000000000\.$/;
    expect(await emit(purchase)).toMatchObject(refused('BAD_REQUEST', message));
  }
});

describe('an externalId that is called "paginated"', () => {
  test('is an account like any other, but GET /accounts/paginated is the list: it is read by its internal id', async () => {
    const id = await resolved('paginated');
    expect(await service.rest('GET', '/accounts/paginated?idType=EXTERNAL')).toMatchObject({ status: 400 });
    expect(await service.rest('GET', '/accounts/paginated?page=1&limit=1')).toMatchObject({ body: { page: 1 } });
    expect(await service.rest('GET', `/accounts/${id}`)).toMatchObject({
      status: 200,
      body: { externalId: 'paginated' },
    });
    expect(await service.rest('PATCH', '/accounts/paginated?idType=EXTERNAL', { name: 'P' })).toMatchObject({
      status: 200,
      body: { id, name: 'P' },
    });
    expect(await login({ accountId: 'paginated' })).toMatchObject(applied);
    expect(await service.rest('DELETE', '/accounts/paginated?idType=EXTERNAL')).toMatchObject({ status: 204 });
  });
});

describe('a key that stands twice in a JSON object', () => {
  test('counts as it stands last; both spellings of one field are a 400', async () => {
    const twice = '{"programmaticCode":"NOPE","programmaticCode":"LOGIN","accountId":"twice","idType":"EXTERNAL"}';
    const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
    // A different reader than the contract's own client, which reads the JSON that it sends.
    const answer = await fetch(`${service.baseUrl}/gamification/triggers`, {
      method: 'POST',
      headers,
      body: twice,
    });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject(applied);
    const spellings = '{"programmaticCode":"LOGIN","accountId":"a","account_id":"b","idType":"EXTERNAL"}';
    expect(await emit(JSON.parse(spellings))).toMatchObject(refused('BAD_REQUEST', /cannot both be sent/));
  });
});

describe('a repeat after its account was deleted', () => {
  test('gets the stored answer, and a new operation makes a new account', async () => {
    const operationId = randomUUID();
    const first = await login({ accountId: 'leaver', operationId });
    const id = await resolved('leaver');
    await service.rest('DELETE', '/accounts/leaver?idType=EXTERNAL');
    const again = await login({ accountId: 'leaver', operationId });
    expect([again.status, isReplayed(again), again.body]).toEqual([200, true, first.body]);
    expect(await service.rest('GET', '/accounts/leaver?idType=EXTERNAL')).toMatchObject({ status: 404 });
    expect(await login({ accountId: 'leaver', operationId: randomUUID() })).toMatchObject(applied);
    expect(await resolved('leaver')).not.toBe(id);
  });

  test('a second DELETE is a 404', async () => {
    await resolved('twice deleted');
    const remove = () => service.rest('DELETE', '/accounts/twice%20deleted?idType=EXTERNAL');
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
  });
});

describe('an operationId whose account is named by the other id', () => {
  test('is other content: a 400, and no second effect', async () => {
    const operationId = randomUUID();
    const id = await resolved('both');
    expect(await login({ accountId: 'both', operationId })).toMatchObject(applied);
    expect(await login({ accountId: id, idType: 'INTERNAL', operationId })).toMatchObject(
      refused('OPERATION_ID_REUSED', /./),
    );
  });
});

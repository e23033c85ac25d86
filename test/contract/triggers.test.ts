import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame, newProduct } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startContractService();
  await newGame(service, {
    missions: [{ name: 'Twice', target: 2 }],
    rewards: [{ name: '10 points', type: 'POINTS', amount: 10 }],
  });
  await newGame(service, {
    missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 50, conditions: { minAmount: 5 } }],
  });
});
afterAll(() => service.close());

const SYNC = '/gamification/triggers';
const ASYNC = '/gamification/triggers/async';
const emit = (body: unknown, path = SYNC) => service.rest('POST', path, body);
const login = (accountId: string, more: object = {}, path = SYNC) =>
  emit({ programmaticCode: 'LOGIN', accountId, idType: 'EXTERNAL', ...more }, path);
const purchase = (accountId: string, metadata: unknown, path = SYNC) =>
  emit({ programmaticCode: 'PURCHASE', accountId, idType: 'EXTERNAL', metadata }, path);
const read = async (name: string, accountId: string) =>
  (await service.rest('GET', `/v1/gamification/missions/${name}/${accountId}?idType=EXTERNAL`)).body;

describe('GET /gamification/triggers', () => {
  test('gives code and type of every event definition, and no more', async () => {
    const answer = await service.rest('GET', '/gamification/triggers');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      { programmaticCode: 'LOGIN', type: 'SINGLE' },
      { programmaticCode: 'PURCHASE', type: 'AMOUNT' },
    ]);
  });

  test('does not give those of another client', async () => {
    const other = await service.newTenant();
    expect((await service.rest('GET', '/gamification/triggers', undefined, other.apiKey)).body).toEqual([]);
  });
});

describe('POST /gamification/triggers', () => {
  test('below the target progresses only, and progress is saved when the answer arrives', async () => {
    const answer = await login('half');
    expect(answer).toMatchObject({
      status: 200,
      body: { progressedMissions: [{ name: 'Twice', progress: 1, target: 2, status: 'ACTIVE' }], rewards: [] },
    });
    expect(await read('progress', 'half')).toMatchObject([{ name: 'Twice', progress: 1 }]);
  });

  test('at the target completes the mission, and the reward is delivered when the answer arrives', async () => {
    await login('whole');
    const { body } = await login('whole');
    expect(body).toMatchObject({
      progressedMissions: [{ status: 'COMPLETED', progress: 2, completedAt: expect.any(String) }],
      rewards: [{ rewardType: 'POINTS', amount: 10, status: 'DELIVERED' }],
    });
    expect(await read('my-rewards', 'whole')).toEqual(body.rewards);
    const points = await service.rest('GET', '/loyalty/accounts/whole/points?idType=EXTERNAL');
    expect(points.body).toMatchObject({ available: 10 });
  });

  test('at the target without stock completes, and the reward is read later from the earned rewards', async () => {
    const productId = await newProduct(service, []);
    await newGame(service, {
      codes: { RARE: 'SINGLE' },
      missions: [{ programmaticCode: 'RARE' }],
      rewards: [{ name: 'Coupon', type: 'PRODUCTS', amount: 1, productId }],
    });
    const { body } = await emit({ programmaticCode: 'RARE', accountId: 'waiting', idType: 'EXTERNAL' });
    expect(body.progressedMissions).toMatchObject([{ status: 'COMPLETED' }]);
    expect(body.rewards).toEqual([]);
    expect(body.pendingRewards).toMatchObject([{ status: 'PENDING_STOCK', codes: [] }]);
    expect(await read('my-rewards', 'waiting')).toEqual(body.pendingRewards);
    await service.rest('POST', `/admin/products/${productId}/codes`, { codes: ['LATE-1'] });
    expect(await read('my-rewards', 'waiting')).toMatchObject([{ status: 'DELIVERED', codes: [{ code: 'LATE-1' }] }]);
  });

  test('of no active mission, or failing a condition, answers 200 with two empty lists', async () => {
    const nothing = { status: 200, body: { progressedMissions: [], rewards: [] } };
    await service.rest('POST', '/admin/event-definitions', { programmaticCode: 'UNUSED', type: 'SINGLE' });
    expect(await emit({ programmaticCode: 'UNUSED', accountId: 'half', idType: 'EXTERNAL' })).toMatchObject(nothing);
    expect(await purchase('frugal', { amount: 4.99 })).toMatchObject(nothing);
  });

  test('SINGLE counts one occurrence, AMOUNT sums the amounts exactly', async () => {
    expect((await login('counting', { metadata: {} })).body.progressedMissions).toMatchObject([{ progress: 1 }]);
    await purchase('summing', { amount: 5.1 });
    const { body } = await purchase('summing', { amount: 5.2 });
    expect(body.progressedMissions).toMatchObject([{ previousProgress: 5.1, progress: 10.3 }]);
  });

  test('takes an internal id by default', async () => {
    const { body: account } = await service.rest('POST', '/accounts', {});
    const answer = await emit({ programmaticCode: 'LOGIN', accountId: account.id });
    expect(answer.body.progressedMissions).toMatchObject([{ progress: 1 }]);
  });
});

describe('operationId', () => {
  test('repeated gives the stored answer again, says so, and has no second effect', async () => {
    const operationId = randomUUID();
    const first = await login('once', { operationId });
    const again = await login('once', { operationId });
    expect(again.body).toEqual(first.body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await read('progress', 'once')).toMatchObject([{ progress: 1 }]);
  });

  test('in flight fifty times has one effect; the others get 409 or the same answer', async () => {
    const operationId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => login('parallel', { operationId })));
    const done = answers.find((answer) => answer.status === 200);
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.body).toEqual(done?.body);
      else expect(answer.body).toEqual(errorBody(409, 'OPERATION_IN_PROGRESS'));
    }
    expect(await read('progress', 'parallel')).toMatchObject([{ progress: 1 }]);
  });

  test('with other content is a 400, so that no client retries for ever', async () => {
    const operationId = randomUUID();
    await login('owner', { operationId });
    expect(await login('thief', { operationId })).toMatchObject({ body: errorBody(400, 'OPERATION_ID_REUSED') });
  });

  test('is shared by the synchronous and the asynchronous call', async () => {
    const operationId = randomUUID();
    await login('both', { operationId });
    expect((await login('both', { operationId }, ASYNC)).status).toBe(200);
    await login('both-marker', {}, ASYNC);
    await expect.poll(() => read('progress', 'both-marker'), { timeout: 10_000 }).toMatchObject([{ progress: 1 }]);
    expect(await read('progress', 'both')).toMatchObject([{ progress: 1 }]);
  });
});

describe('POST /gamification/triggers/async', () => {
  test('answers 200 with no body; progress and reward come after it', async () => {
    for (let count = 0; count < 2; count += 1) {
      expect(await login('later', {}, ASYNC)).toMatchObject({ status: 200, body: undefined });
    }
    await expect
      .poll(() => read('completed', 'later'), { timeout: 10_000 })
      .toMatchObject([{ progress: 2, status: 'COMPLETED' }]);
    expect(await read('my-rewards', 'later')).toMatchObject([{ rewardType: 'POINTS', status: 'DELIVERED' }]);
  });
});

describe.each([SYNC, ASYNC])('a badly formed event to %s', (path) => {
  const valid = { programmaticCode: 'LOGIN', accountId: 'careless', idType: 'EXTERNAL' };
  const amount = (metadata: unknown) => ({ ...valid, programmaticCode: 'PURCHASE', metadata });
  test.each<[string, unknown]>([
    ['malformed JSON', '{"programmaticCode": "LOGIN"'],
    ['no programmaticCode', { accountId: 'careless', idType: 'EXTERNAL' }],
    ['no accountId', { programmaticCode: 'LOGIN' }],
    ['an unknown field', { ...valid, colour: 'red' }],
    ['an enum value in lower case', { ...valid, idType: 'external' }],
    ['a NUL character', { ...valid, accountId: 'care\0less' }],
    ['metadata that is no object', { ...valid, metadata: 5 }],
    ['a SINGLE event with metadata', { ...valid, metadata: { amount: 1 } }],
    ['an AMOUNT event without amount', amount({})],
    ['an amount as text', amount({ amount: '7' })],
    ['a negative amount', amount({ amount: -1 })],
    ['a fifth decimal', amount({ amount: 1.00001 })],
    ['a malformed internal id', { ...valid, idType: 'INTERNAL' }],
    ['an operationId that is too long', { ...valid, operationId: 'x'.repeat(129) }],
  ])('is a 400: %s', async (_what, body) => {
    expect(await emit(body, path)).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST') });
    expect((await service.rest('GET', '/accounts/careless?idType=EXTERNAL')).status).toBe(404);
  });

  test('with an unknown code is a 404', async () => {
    const answer = await emit({ ...valid, programmaticCode: 'NOPE' }, path);
    expect(answer).toMatchObject({ status: 404, body: errorBody(404, 'EVENT_DEFINITION_NOT_FOUND') });
  });

  test('with an unknown internal id is a 404', async () => {
    const answer = await emit({ programmaticCode: 'LOGIN', accountId: randomUUID() }, path);
    expect(answer).toMatchObject({ status: 404, body: errorBody(404, 'ACCOUNT_NOT_FOUND') });
  });
});

test('event emission outside the own transaction: a failed event leaves nothing and can be sent again', async () => {
  const operationId = randomUUID();
  expect((await login('retry', { operationId, programmaticCode: 'NOT_YET' })).status).toBe(404);
  await service.rest('POST', '/admin/event-definitions', { programmaticCode: 'NOT_YET', type: 'SINGLE' });
  expect((await login('retry', { operationId, programmaticCode: 'NOT_YET' })).status).toBe(200);
});

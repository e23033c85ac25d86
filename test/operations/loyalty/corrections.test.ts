import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { startService, type TestService } from '../../support/service.ts';
import { deliver, differences, fillBalance, newAccounts, newProduct, reward } from '../rewards/provision.ts';

let service: TestService;
let accountId: string;

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  [accountId = ''] = await newAccounts(service.db, service.clientId, 1);
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

const adjust = (body: Record<string, unknown>) =>
  service.rest('POST', `/admin/accounts/${accountId}/points/adjust`, { reason: 'a mistake', ...body });
const points = async () => (await service.rest('GET', `/loyalty/accounts/${accountId}/points`)).body;

describe('adjusting points', () => {
  test('adds or takes, with the operator’s reason in the ledger', async () => {
    const added = await adjust({ amount: 12.5, reason: 'on the house', expiresInDays: 10 });
    expect(added).toMatchObject({
      status: 200,
      body: { type: 'ADJUST', amount: 12.5, balanceAfter: 12.5, reason: 'on the house', sourceType: 'CREDENTIAL' },
    });
    expect((await adjust({ amount: -2.5 })).body).toMatchObject({ amount: -2.5, balanceAfter: 10 });
    expect(await points()).toMatchObject({
      available: 10,
      lifetimeEarned: 0,
      spent: 0,
      nextExpiration: { amount: 10 },
    });
  });

  test('counts as earned only where the operator says so, and the line tells', async () => {
    const given = await adjust({ amount: 4, earned: false });
    const earned = await adjust({ amount: 6, earned: true, operationId: 'earned-1' });
    expect(given.body).not.toHaveProperty('earned');
    expect(earned.body).toMatchObject({ type: 'ADJUST', amount: 6, earned: true });
    expect(await points()).toMatchObject({ available: 10, lifetimeEarned: 6 });
    const [line] = (await service.rest('GET', `/loyalty/accounts/${accountId}/points/history?limit=1`)).body;
    expect(line).toEqual(earned.body);
    expect((await adjust({ amount: 6, earned: true, operationId: 'earned-1' })).body).toEqual(earned.body);
    const other = await adjust({ amount: 6, operationId: 'earned-1' });
    expect(other).toMatchObject({ status: 400, body: { code: 'OPERATION_ID_REUSED' } });
  });

  test('never takes more than there is, however many take at once', async () => {
    await adjust({ amount: 10 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => adjust({ amount: -3 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({ status: 409, body: { code: 'INSUFFICIENT_POINTS' } });
    expect((await points()).available).toBe(1);
  });

  test('twice with one operation id adjusts once', async () => {
    const first = await adjust({ amount: 5, operationId: 'adjust-1' });
    const second = await adjust({ amount: 5, operationId: 'adjust-1' });
    expect(second.body).toEqual(first.body);
    expect((await points()).available).toBe(5);
  });

  test.each([
    [{ amount: 0 }],
    [{ amount: 0.00001 }],
    [{ amount: 1, reason: '' }],
    [{ amount: -1, expiresInDays: 5 }],
    [{ amount: -1, earned: true }],
  ])('by %j is refused', async (body) => {
    expect(await adjust(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('is not for integrators', async () => {
    const path = `/admin/accounts/${accountId}/points/adjust`;
    const answer = await service.rest('POST', path, { amount: 1, reason: 'free money' }, service.apiKey);
    expect(answer.status).toBe(403);
  });
});

describe('a balance holds at most 900,000,000,000 points', () => {
  const fill = (room: number) => fillBalance(service.db, service.clientId, accountId, room);
  const cup = { name: 'Cup', stockMode: 'COUNTED', stock: 3, pointsCost: 4 };
  const earn = (...amounts: (number | bigint)[]) =>
    deliver(
      service.db,
      service.clientId,
      amounts.map((amount) => ({ accountId, reward: reward('POINTS', amount), now: new Date() })),
    );
  const history = async () => (await service.rest('GET', `/loyalty/accounts/${accountId}/points/history`)).body;

  test('an operator’s amount up to it is added, one beyond is refused and says how many fit', async () => {
    await fill(10);
    expect(await adjust({ amount: 10.0001 })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringMatching(/`amount`.*900000000000.*\b10\b/) },
    });
    expect((await adjust({ amount: 10 })).body).toMatchObject({ balanceAfter: 900_000_000_000 });
    expect((await adjust({ amount: 0.0001 })).status).toBe(400);
    expect((await adjust({ amount: -0.0001 })).body).toMatchObject({ balanceAfter: 899_999_999_999.9999 });
    expect((await points()).available).toBe(899_999_999_999.9999);
  });

  test('a reward pays up to it, the next nothing, and the earned rewards say what was not paid', async () => {
    await fill(10);
    const [whole, part, none] = await earn(4, 75_000n, 5);
    expect([whole, part, none].map((each) => [each?.amount, each?.amountUnpaid])).toEqual([
      [40_000n, undefined],
      [60_000n, 15_000n],
      [0n, 50_000n],
    ]);
    expect(await points()).toMatchObject({ available: 900_000_000_000, lifetimeEarned: 10 });
    const { body } = await service.rest('GET', `/v1/gamification/missions/my-rewards/${accountId}`);
    expect(body).toMatchObject([
      { id: none!.id, status: 'DELIVERED', amount: 0, amountUnpaid: 5 },
      { id: part!.id, status: 'DELIVERED', amount: 6, amountUnpaid: 1.5 },
      { id: whole!.id, status: 'DELIVERED', amount: 4 },
    ]);
    expect(body[2]).not.toHaveProperty('amountUnpaid');
    expect(
      (await history())
        .map(({ sourceId, amount }: { sourceId: string; amount: number }) => [sourceId, amount])
        .slice(0, 2),
    ).toEqual([
      [part!.id, 6],
      [whole!.id, 4],
    ]);
  });

  test('is exact however many earn and add at once', async () => {
    await fill(10);
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => earn(3)),
      ...Array.from({ length: 6 }, () => adjust({ amount: 2 })),
    ]);
    const paid = answers.map((answer) =>
      Array.isArray(answer) ? Number(answer[0]!.amount) / 10_000 : answer.status === 200 ? 2 : 0,
    );
    expect(paid.reduce((sum, each) => sum + each, 0)).toBe(10);
    expect((await points()).available).toBe(900_000_000_000);
  });

  test('a purchase whose points have no room is not taken back until they have', async () => {
    const { body: product } = await service.rest('POST', '/admin/products', cup);
    await adjust({ amount: 4 });
    const { body } = await service.rest('POST', `/loyalty/products/${product.id}/redeem`, { accountId });
    await fill(3);
    const cancel = () => service.rest('POST', `/admin/redemptions/${body.id}/cancel`, { reason: 'broken' });
    expect(await cancel()).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringMatching(/900000000000.*room for 3 /) },
    });
    expect((await service.rest('GET', `/redemptions/${accountId}`)).body).toMatchObject([{ status: 'COMPLETED' }]);
    await adjust({ amount: -1 });
    expect(await cancel()).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
    expect((await points()).available).toBe(900_000_000_000);
  });

  test('what was earned and spent in all is shown up to it, and goes on being counted', async () => {
    const { body: product } = await service.rest('POST', '/admin/products', { ...cup, pointsCost: 900_000_000 });
    const many = 899_999_999_999n * 10_000n;
    await earn(many);
    await service.rest('POST', `/loyalty/products/${product.id}/redeem`, { accountId });
    await earn(20);
    expect(await points()).toMatchObject({ available: 899_100_000_019, lifetimeEarned: 900_000_000_000 });
  });
});

describe('taking a redemption back', () => {
  async function redeemed() {
    const product = { name: 'Mug', stockMode: 'COUNTED', stock: 3, pointsCost: 4 };
    const { body } = await service.rest('POST', '/admin/products', product);
    await adjust({ amount: 10 });
    return (await service.rest('POST', `/loyalty/products/${body.id}/redeem`, { accountId, quantity: 2 })).body;
  }
  const cancel = (id: string, body: Record<string, unknown> = {}) =>
    service.rest('POST', `/admin/redemptions/${id}/cancel`, { reason: 'broken', ...body });

  test('returns its points and leaves the stock as it is', async () => {
    const redemption = await redeemed();
    expect(await points()).toMatchObject({ available: 2, spent: 8 });
    const answer = await cancel(redemption.id, { expiresInDays: 5 });
    expect(answer).toMatchObject({ status: 200, body: { ...redemption, status: 'CANCELLED' } });
    expect(await points()).toMatchObject({ available: 10, spent: 0, nextExpiration: { amount: 8 } });
    expect((await service.rest('GET', `/redemptions/${accountId}`)).body).toEqual([answer.body]);
    const [line] = (await service.rest('GET', `/loyalty/accounts/${accountId}/points/history?limit=1`)).body;
    expect(line).toMatchObject({ type: 'REFUND', amount: 8, reason: 'broken', sourceId: redemption.id });
  });

  test('happens once, however many try at once', async () => {
    const redemption = await redeemed();
    const answers = await Promise.all(Array.from({ length: 6 }, () => cancel(redemption.id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({ status: 409, body: { code: 'REDEMPTION_ALREADY_CANCELLED' } });
    expect((await points()).available).toBe(10);
  });

  test('is only for what was bought for points', async () => {
    const product = await newProduct(service.db, service.clientId, 'UNLIMITED');
    const order = { accountId, reward: reward('PRODUCTS', 1, { product }), now: new Date() };
    const [delivery] = await deliver(service.db, service.clientId, [order]);
    expect(await cancel(delivery!.redemption!.id)).toMatchObject({
      status: 409,
      body: { code: 'REDEMPTION_NOT_CANCELLABLE' },
    });
    expect(await cancel(newId())).toMatchObject({ status: 404, body: { code: 'REDEMPTION_NOT_FOUND' } });
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MarketplaceService } from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { Redemption_Source } from '../../../gen/laurel/v1/redemption_pb.ts';
import { lockAccounts } from '../../../src/accounts/resolving/resolve-accounts.ts';
import { findDifferences } from '../../../src/commands/verify.ts';
import { ONE } from '../../../src/kernel/amount.ts';
import { earnPoints } from '../../../src/loyalty/move-points.ts';
import { callByGrpcJs } from '../../server/grpc-js.ts';
import { startService, type TestService } from '../../support/service.ts';
import { customer, newAgreement, newCustomer, newOffer, post, stateOf } from './shop.ts';
import { whileInProgress } from '../../support/while-in-progress.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect(await findDifferences(service.db)).toEqual([]);
  await service.close();
});

const refusal = (status: number, code: string) => ({ status, body: { statusCode: status, code } });
const pointsOf = async (accountId: string) =>
  (await service.rest('GET', `/loyalty/accounts/${accountId}/points?idType=EXTERNAL`)).body;

/** A customer with points. Each lot expires after a number of days, or never. */
async function richCustomer(externalId: string, lots: readonly { points: number; days?: number }[]) {
  const { id: accountId } = await post(service, '/accounts/resolve', { externalId }, service.apiKey);
  const at = new Date();
  await service.db.unitOfWork(service.clientId, async (uow) => {
    await lockAccounts(uow, [accountId]);
    await earnPoints(
      uow,
      lots.map(({ points, days }) => ({
        accountId,
        amount: BigInt(points) * ONE,
        at,
        expiresAt: days === undefined ? undefined : new Date(at.getTime() + days * 86_400_000),
        sourceType: 'TEST',
      })),
    );
  });
  return customer(service, externalId);
}

describe('a purchase', () => {
  test("takes units and codes, gives a receipt, and is in the account's redemptions", async () => {
    const id = await newOffer(service);
    const ada = await newCustomer(service, 'ada');
    const answer = await ada.redeem(id, { quantity: 2 });
    const { body: account } = await service.rest('GET', '/accounts/ada?idType=EXTERNAL');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.any(String),
      account: { id: account.id },
      product: { id: (await stateOf(service, id)).productId, name: 'Coupon' },
      source: 'MARKETPLACE',
      quantity: 2,
      pointsSpent: 0,
      status: 'COMPLETED',
      redeemables: ['CODE-1', 'CODE-2'].map((code) => ({ id: expect.any(String), code, itemId: expect.any(String) })),
      createdAt: expect.any(String),
    });
    expect((await service.rest('GET', '/redemptions/ada?idType=EXTERNAL')).body).toEqual([answer.body]);
    expect(await stateOf(service, id)).toMatchObject({
      stock: 8,
      availableStock: 8,
      status: 'PUBLISHED_ON_MARKETPLACE',
    });
  });

  test('of one unit is what no quantity means without a reservation', async () => {
    const id = await newOffer(service);
    expect((await (await newCustomer(service, 'ada')).redeem(id)).body).toMatchObject({ quantity: 1 });
  });

  test('takes effect once for an operation id', async () => {
    const id = await newOffer(service);
    const ada = await newCustomer(service, 'ada');
    const operationId = randomUUID();
    const first = await ada.redeem(id, { operationId });
    const again = await ada.redeem(id, { operationId });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await stateOf(service, id)).stock).toBe(9);
    expect(await ada.redeem(id, { operationId, quantity: 1 })).toMatchObject(refusal(400, 'OPERATION_ID_REUSED'));
    // The other operation has a separate set of ids.
    expect(await ada.freeze(id, { operationId })).toMatchObject({ status: 200 });
  });

  test('that was refused leaves its operation id free', async () => {
    const id = await newOffer(service, { publish: false });
    const ada = await newCustomer(service, 'ada');
    const operationId = randomUUID();
    expect(await ada.redeem(id, { operationId })).toMatchObject(refusal(409, 'PUBLICATION_NOT_PUBLISHED'));
    await post(service, `/marketplace/publications/${id}/publish`);
    expect((await whileInProgress(() => ada.redeem(id, { operationId }))).status).toBe(200);
  });

  test('of more than there is takes nothing', async () => {
    const agreementId = await newAgreement(service, 3);
    const own = await newOffer(service, { stock: 2 });
    const shared = await newOffer(service, { stock: 10, agreementId });
    const ada = await newCustomer(service, 'ada');
    expect(await ada.redeem(own, { quantity: 3 })).toMatchObject(refusal(409, 'OUT_OF_STOCK'));
    expect(await ada.redeem(shared, { quantity: 4 })).toMatchObject(refusal(409, 'OUT_OF_STOCK'));
    expect(await stateOf(service, own)).toMatchObject({ stock: 2, status: 'PUBLISHED_ON_MARKETPLACE' });
    expect(await stateOf(service, shared)).toMatchObject({ stock: 10, status: 'PUBLISHED_ON_MARKETPLACE' });
  });

  test('of a product without codes gives none', async () => {
    const product = await post(service, '/admin/products', { name: 'Handshake', stockMode: 'UNLIMITED' });
    const id = await newOffer(service, { productId: product.id });
    const { body } = await (await newCustomer(service, 'ada')).redeem(id, { quantity: 3 });
    expect(body).toMatchObject({ quantity: 3, redeemables: [] });
  });

  test.each<[string, object]>([
    ['0 units', { quantity: 0 }],
    ['a negative number of units', { quantity: -1 }],
    ['half a unit', { quantity: 0.5 }],
    ['1001 units', { quantity: 1001 }],
    ['a malformed internal id', { idType: 'INTERNAL' }],
    ['an operation id of 129 characters', { operationId: 'x'.repeat(129) }],
  ])('of %s is a 400', async (_, more) => {
    const id = await newOffer(service);
    expect(await customer(service, 'ada').redeem(id, more)).toMatchObject(refusal(400, 'BAD_REQUEST'));
  });

  test('creates no account, and knows no publication of another client', async () => {
    const id = await newOffer(service);
    expect(await customer(service, 'who').redeem(id)).toMatchObject(refusal(404, 'ACCOUNT_NOT_FOUND'));
    const ada = await newCustomer(service, 'ada');
    expect(await ada.redeem(randomUUID())).toMatchObject(refusal(404, 'PUBLICATION_NOT_FOUND'));
    const stranger = await service.newTenant();
    await post(service, '/accounts/resolve', { externalId: 'eve' }, stranger.apiKey);
    const eve = { accountId: 'eve', idType: 'EXTERNAL' };
    const theft = await service.rest('POST', `/marketplace/publications/redeem/${id}`, eve, stranger.apiKey);
    expect(theft).toMatchObject(refusal(404, 'PUBLICATION_NOT_FOUND'));
    const { body: account } = await service.rest('GET', '/accounts/ada?idType=EXTERNAL');
    const own = await newOffer(service, { adminToken: stranger.adminToken });
    const asAda = { accountId: account.id };
    const fraud = await service.rest('POST', `/marketplace/publications/redeem/${own}`, asAda, stranger.apiKey);
    expect(fraud).toMatchObject(refusal(404, 'ACCOUNT_NOT_FOUND'));
  });

  test('works over gRPC', async () => {
    const id = await newOffer(service, { stock: 1 });
    await newCustomer(service, 'ada');
    const request = { id, accountId: 'ada', idType: Account_IdType.EXTERNAL };
    const address = new URL(service.baseUrl).host;
    const buy = () => callByGrpcJs(address, MarketplaceService.method.redeemPublication, request, service.apiKey);
    expect((await buy()).redemption).toMatchObject({ quantity: 1, source: Redemption_Source.MARKETPLACE });
    // 9 is FAILED_PRECONDITION.
    await expect(buy()).rejects.toMatchObject({ code: 9, details: expect.stringContaining('is a DRAFT') });
  });
});

describe('a purchase with a reservation', () => {
  test('takes the reserved units and leaves what is available alone', async () => {
    const id = await newOffer(service);
    const ada = await newCustomer(service, 'ada');
    await ada.freeze(id, { quantity: 3 });
    expect((await ada.redeem(id)).body).toMatchObject({ quantity: 3 });
    expect(await stateOf(service, id)).toMatchObject({ stock: 7, availableStock: 7 });
    expect((await ada.unfreeze(id)).body).toEqual({ releasedQuantity: 0 });
  });

  test('of fewer units leaves the rest held back', async () => {
    const id = await newOffer(service);
    const ada = await newCustomer(service, 'ada');
    await ada.freeze(id, { quantity: 3 });
    await ada.redeem(id, { quantity: 1 });
    expect(await stateOf(service, id)).toMatchObject({ stock: 9, availableStock: 7 });
    expect((await ada.unfreeze(id)).body).toEqual({ releasedQuantity: 2 });
  });

  test('of more units takes the others from what is available', async () => {
    const id = await newOffer(service, { stock: 5 });
    const [ada, ben] = [await newCustomer(service, 'ada'), await newCustomer(service, 'ben')];
    await ada.freeze(id, { quantity: 2 });
    await ben.freeze(id, { quantity: 2 });
    expect(await ada.redeem(id, { quantity: 4 })).toMatchObject(refusal(409, 'OUT_OF_STOCK'));
    expect((await ada.redeem(id, { quantity: 3 })).status).toBe(200);
    expect(await stateOf(service, id)).toMatchObject({ stock: 2, availableStock: 0 });
  });

  test('takes of several what expires first, and without a quantity only that', async () => {
    const id = await newOffer(service);
    const ada = await newCustomer(service, 'ada');
    await ada.freeze(id, { quantity: 3, ttlSeconds: 600 });
    const { body: first } = await ada.freeze(id, { quantity: 2, ttlSeconds: 300 });
    expect((await ada.redeem(id)).body).toMatchObject({ quantity: 2 });
    const redeemed = await service.rest('GET', `/marketplace/reservations?publicationId=${id}&status=REDEEMED`);
    expect(redeemed.body).toMatchObject([{ id: first.id }]);
    expect((await ada.unfreeze(id)).body).toEqual({ releasedQuantity: 3 });
  });

  test('goes through though the publication was paused meanwhile, up to what is held back', async () => {
    const id = await newOffer(service);
    const ada = await newCustomer(service, 'ada');
    await ada.freeze(id, { quantity: 2 });
    await post(service, `/marketplace/publications/${id}/unpublish`);
    expect(await ada.redeem(id, { quantity: 3 })).toMatchObject(refusal(409, 'PUBLICATION_NOT_PUBLISHED'));
    expect((await ada.redeem(id, { quantity: 2 })).status).toBe(200);
    expect(await ada.redeem(id)).toMatchObject(refusal(409, 'PUBLICATION_NOT_PUBLISHED'));
    expect(await stateOf(service, id)).toMatchObject({ stock: 8, status: 'DRAFT', pauseReason: 'MANUAL' });
  });

  test("does not take another account's", async () => {
    const id = await newOffer(service, { stock: 1 });
    await customer(service, 'ada').freeze(id);
    expect(await (await newCustomer(service, 'ben')).redeem(id)).toMatchObject(refusal(409, 'OUT_OF_STOCK'));
  });
});

describe('a purchase for points', () => {
  test('costs the price of each unit, what expires first before the others', async () => {
    const id = await newOffer(service, { pointsCost: 12.5 });
    const ada = await richCustomer('rich ada', [{ points: 100 }, { points: 20, days: 2 }, { points: 10, days: 1 }]);
    const { body } = await ada.redeem(id, { quantity: 2 });
    expect(body).toMatchObject({ quantity: 2, pointsSpent: 25 });
    const points = await pointsOf('rich ada');
    expect(points).toMatchObject({ available: 105, spent: 25, nextExpiration: { amount: 5 } });
    const history = await service.rest('GET', '/loyalty/accounts/rich%20ada/points/history?idType=EXTERNAL');
    expect(history.body[0]).toMatchObject({ type: 'SPEND', amount: -25, sourceType: 'REDEMPTION', sourceId: body.id });
  });

  test('without enough of them takes no unit, no code and no reservation', async () => {
    const id = await newOffer(service, { pointsCost: 10, stock: 2 });
    const ada = await richCustomer('poor ada', [{ points: 19 }]);
    await ada.freeze(id, { quantity: 2 });
    expect(await ada.redeem(id)).toMatchObject(refusal(409, 'INSUFFICIENT_POINTS'));
    expect(await stateOf(service, id)).toMatchObject({
      stock: 2,
      availableStock: 0,
      status: 'PUBLISHED_ON_MARKETPLACE',
    });
    expect((await ada.unfreeze(id)).body).toEqual({ releasedQuantity: 2 });
    expect((await ada.redeem(id)).body).toMatchObject({ pointsSpent: 10, redeemables: [{ code: 'CODE-1' }] });
    expect(await pointsOf('poor ada')).toMatchObject({ available: 9 });
  });

  test('takes the price of the moment, save for what was held back before it rose', async () => {
    const id = await newOffer(service, { pointsCost: 10 });
    const ada = await richCustomer('old ada', [{ points: 50 }]);
    await ada.freeze(id);
    await service.rest('PATCH', `/admin/publications/${id}`, { pointsCost: 30 });
    expect((await ada.redeem(id)).body).toMatchObject({ pointsSpent: 10 });
    expect((await ada.redeem(id)).body).toMatchObject({ pointsSpent: 30 });
  });
});

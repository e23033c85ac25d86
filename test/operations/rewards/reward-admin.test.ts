import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import type { RewardType } from '../../../src/rewards/definitions/reward-types.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let productId: string;
let chestId: string;

beforeAll(async () => {
  service = await startService();
  const product = { name: 'Coffee', stockMode: 'COUNTED' };
  productId = (await service.rest('POST', '/admin/products', product)).body.id;
  const points = await service.rest('POST', '/admin/rewards', { name: 'Points', type: 'POINTS', amount: 10 });
  const chest = { name: 'Chest', entries: [{ rewardId: points.body.id, guaranteed: true }] };
  chestId = (await service.rest('POST', '/admin/chests', chest)).body.id;
});
afterAll(() => service.close());

const create = (reward: Record<string, unknown>) =>
  service.rest('POST', '/admin/rewards', { name: 'Prize', ...reward });

describe('a reward', () => {
  test('of each type is created and read', async () => {
    const withFragments = { name: 'Puzzle', stockMode: 'COUNTED', fragmentsRequired: 5 };
    const puzzleId = (await service.rest('POST', '/admin/products', withFragments)).body.id;
    const ofEach: Readonly<Record<RewardType, object>> = {
      POINTS: { amount: 0.0001, expiresInDays: 30 },
      PRODUCTS: { amount: 2, productId },
      FRAGMENTS: { amount: 3, productId: puzzleId },
      CHEST: { amount: 1, chestId },
      BADGE: { amount: 1, imageUrl: 'https://shop.example/first.png', description: 'The first.', secret: true },
    };
    for (const [type, fields] of Object.entries(ofEach)) {
      const { status, body } = await create({ type, ...fields });
      const onReversal = type === 'POINTS' ? 'CLAW_BACK' : 'CLAW_BACK_UNUSED';
      expect({ status, body }).toEqual({
        status: 201,
        body: { version: 1, id: expect.any(String), name: 'Prize', type, onReversal, ...fields },
      });
      expect((await service.rest('GET', `/admin/rewards/${body.id}`)).body).toEqual(body);
    }
  });

  test('is listed by name and by filter', async () => {
    await create({ name: 'Aardvark', type: 'PRODUCTS', amount: 1, productId });
    const filters = {
      filters: [
        { field: 'productId', value: productId },
        { field: 'name', value: 'aard' },
      ],
    };
    const query = `page=1&limit=10&filters=${encodeURIComponent(JSON.stringify(filters))}`;
    const list = await service.rest('GET', `/admin/rewards/paginated?${query}`);
    expect(list.body).toMatchObject({ totalRows: 1, rows: [{ name: 'Aardvark', type: 'PRODUCTS', productId }] });
  });

  test('that does not exist is not found', async () => {
    expect(await service.rest('GET', `/admin/rewards/${newId()}`)).toMatchObject({
      status: 404,
      body: { code: 'REWARD_NOT_FOUND' },
    });
  });

  test.each([
    [{ type: 'POINTS', amount: 1, productId: newId() }, '`productId` goes with the type PRODUCTS and FRAGMENTS only'],
    [{ type: 'POINTS', amount: 1, chestId: newId() }, '`chestId` goes with the type CHEST only'],
    [{ type: 'POINTS', amount: 0.00005 }, 'at most 4 decimals'],
    [{ type: 'PRODUCTS', amount: 1 }, 'needs a `productId`'],
    [{ type: 'PRODUCTS', amount: 1, productId: newId() }, 'There is no product'],
    [{ type: 'PRODUCTS', amount: 1.5, productId: newId() }, 'must be a whole number from 1 to 1000'],
    [{ type: 'PRODUCTS', amount: 1001, productId: newId() }, 'must be a whole number from 1 to 1000'],
    [
      { type: 'PRODUCTS', amount: 1, productId: newId(), expiresInDays: 1 },
      '`expiresInDays` goes with the type POINTS only',
    ],
    [{ type: 'CHEST', amount: 1 }, 'needs a `chestId`'],
    [{ type: 'CHEST', amount: 1, chestId: newId() }, 'There is no chest definition'],
    [{ type: 'CHEST', amount: 1, productId: newId(), chestId: newId() }, '`productId` goes with'],
  ])('%j is refused with what to send instead', async (fields, message) => {
    const answer = await create(fields);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringContaining(message) },
    });
  });

  test('of fragments needs a product that has them', async () => {
    const answer = await create({ type: 'FRAGMENTS', amount: 1, productId });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('has no fragments') } });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rollChest } from '../../../src/engine/chest-roll.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { startService, type TestService } from '../../support/service.ts';
import { deliver, differences, newAccounts, reward } from './provision.ts';

let service: TestService;
let accountId: string;
const now = new Date();

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

async function points(amount: number): Promise<string> {
  return (await service.rest('POST', '/admin/rewards', { name: `${amount}`, type: 'POINTS', amount })).body.id;
}

async function defined(chest: Record<string, unknown>): Promise<string> {
  const answer = await service.rest('POST', '/admin/chests', { name: 'Chest', ...chest });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

async function earned(chestId: string, count = 1): Promise<string[]> {
  await deliver(service.db, service.clientId, [{ accountId, reward: reward('CHEST', count, { chestId }), now }]);
  const chests = await service.rest('GET', `/gamification/chests/account/${accountId}`);
  return chests.body.map((chest: { id: string }) => chest.id);
}

const open = (chestId: string, operationId?: string, account = accountId) =>
  service.rest('POST', `/gamification/chests/${chestId}/open`, { accountId: account, operationId });

describe('a chest definition', () => {
  test('is created, read and listed', async () => {
    const [one, other] = [await points(1), await points(2)];
    const entries = [
      { rewardId: one, weight: 70, guaranteed: false },
      { rewardId: other, weight: 0, guaranteed: true },
    ];
    const id = await defined({ name: 'Golden', entries, totalWeight: 100 });
    const moments = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    const expected = { id, name: 'Golden', entries, totalWeight: 100, version: 1, warnings: [], ...moments };
    expect((await service.rest('GET', `/admin/chests/${id}`)).body).toEqual(expected);
    const list = await service.rest('GET', '/admin/chests/paginated?page=1&limit=10');
    expect(list.body.rows).toContainEqual(expected);
  });

  test('takes the sum of its weights as their total, and one share where all is guaranteed', async () => {
    const rewardId = await points(1);
    const weighted = await defined({
      entries: [
        { rewardId, weight: 3 },
        { rewardId, weight: 4 },
      ],
    });
    const guaranteed = await defined({ entries: [{ rewardId, guaranteed: true }] });
    expect((await service.rest('GET', `/admin/chests/${weighted}`)).body.totalWeight).toBe(7);
    expect((await service.rest('GET', `/admin/chests/${guaranteed}`)).body.totalWeight).toBe(1);
  });

  test.each([
    [[{ weight: 1, guaranteed: true }], undefined, 'A guaranteed entry has no `weight`'],
    [[{ weight: 0 }], undefined, 'An entry needs a `weight`'],
    [[{ weight: 5 }], 4, 'the weights sum up to 5'],
    [[{ weight: 5, rewardId: newId() }], 5, 'entries[0].rewardId: there is no reward'],
  ])('with %j of %s is refused', async (entries, totalWeight, message) => {
    const rewardId = await points(1);
    const body = { name: 'Chest', entries: entries.map((entry) => ({ rewardId, ...entry })), totalWeight };
    const answer = await service.rest('POST', '/admin/chests', body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });
});

describe('a chest', () => {
  test('gives what its stored draw says, and anybody can draw it again', async () => {
    const [always, often, seldom] = [await points(1), await points(10), await points(100)];
    const chestId = await defined({
      entries: [
        { rewardId: always, guaranteed: true },
        { rewardId: often, weight: 60 },
        { rewardId: seldom, weight: 20 },
      ],
      totalWeight: 100,
    });
    for (const id of await earned(chestId, 10)) {
      const { status, body } = await open(id);
      expect(status).toBe(200);
      const { roll } = body.chest;
      expect(roll).toEqual(rollChest({ entries: roll.entries, totalWeight: roll.totalWeight }, roll.seed));
      const drawn = roll.entries.filter((entry: { drawn: boolean }) => entry.drawn);
      expect(body.rewards.map((given: { rewardId: string }) => given.rewardId)).toEqual(
        drawn.map((entry: { rewardId: string }) => entry.rewardId),
      );
      expect(body.rewards[0]).toMatchObject({ rewardId: always, amount: 1, status: 'DELIVERED' });
    }
    const chests = (await service.rest('GET', `/gamification/chests/account/${accountId}`)).body;
    expect(chests.every((chest: object) => 'openedAt' in chest && 'roll' in chest)).toBe(true);
    expect(new Set(chests.map((chest: { roll: { seed: string } }) => chest.roll.seed)).size).toBe(10);
  });

  test('opens once, however many try at once', async () => {
    const [id = ''] = await earned(await defined({ entries: [{ rewardId: await points(5), guaranteed: true }] }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('CHEST_ALREADY_OPENED');
    expect((await service.rest('GET', `/loyalty/accounts/${accountId}/points`)).body.available).toBe(5);
  });

  test('opened again with the same operation id answers the same again', async () => {
    const [id = ''] = await earned(await defined({ entries: [{ rewardId: await points(5), guaranteed: true }] }));
    const first = await open(id, 'open-1');
    const second = await open(id, 'open-1');
    expect(second.body).toEqual(first.body);
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  });

  test('of another account is not found', async () => {
    const [id = ''] = await earned(await defined({ entries: [{ rewardId: await points(5), guaranteed: true }] }));
    const [other] = await newAccounts(service.db, service.clientId, 1);
    expect(await open(id, undefined, other)).toMatchObject({ status: 404, body: { code: 'CHEST_NOT_FOUND' } });
  });

  test('may hold a chest', async () => {
    const inner = await defined({ entries: [{ rewardId: await points(5), guaranteed: true }] });
    const chestReward = { name: 'Chest in a chest', type: 'CHEST', amount: 2, chestId: inner };
    const rewardId = (await service.rest('POST', '/admin/rewards', chestReward)).body.id;
    const [id = ''] = await earned(await defined({ entries: [{ rewardId, guaranteed: true }] }));
    expect((await open(id)).body.rewards).toMatchObject([{ rewardType: 'CHEST', amount: 2, status: 'DELIVERED' }]);
    expect((await service.rest('GET', `/gamification/chests/account/${accountId}`)).body).toHaveLength(3);
  });
});

describe('fragments', () => {
  test('are listed with what is still missing', async () => {
    const puzzle = { name: 'Puzzle', stockMode: 'COUNTED', stock: 5, fragmentsRequired: 4 };
    const product = (await service.rest('POST', '/admin/products', puzzle)).body;
    const pieces = reward('FRAGMENTS', 6, { product: { ...product, pointsCost: undefined } });
    await deliver(service.db, service.clientId, [{ accountId, reward: pieces, now }]);
    expect((await service.rest('GET', `/gamification/fragments/account/${accountId}`)).body).toEqual([
      { productId: product.id, productName: 'Puzzle', pieces: 2, piecesRequired: 4 },
    ]);
  });

  test.each(['fragments', 'chests'])(
    'and chests: the %s of an unknown account are none, or not found',
    async (what) => {
      const path = `/gamification/${what}/account`;
      expect(await service.rest('GET', `${path}/nobody?idType=EXTERNAL`)).toMatchObject({ status: 200, body: [] });
      expect(await service.rest('GET', `${path}/${newId()}`)).toMatchObject({
        status: 404,
        body: { code: 'ACCOUNT_NOT_FOUND' },
      });
      expect(await service.rest('GET', `${path}/nobody`)).toMatchObject({ status: 400 });
    },
  );
});

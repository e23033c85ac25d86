import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findDifferences } from '../../src/commands/verify.ts';
import { REWARD_TYPES } from '../../src/rewards/definitions/reward-types.ts';
import { type Journey, type Player, startJourney, type Stage } from './stage.ts';

let journey: Journey;
let stage: Stage;
let ada: Player;
beforeAll(async () => {
  journey = await startJourney('2027-06-01T12:00Z');
});
beforeEach(async () => {
  journey.clock.set('2027-06-01T12:00Z');
  stage = await journey.stage();
  ada = stage.player('ada');
});
afterAll(async () => {
  expect(await findDifferences(journey.service.db)).toEqual([]);
  await journey.service.close();
});

const newReward = async (body: object): Promise<string> =>
  (await stage.admin('/admin/rewards', { name: 'Reward', ...body })).id;

/** A campaign with one mission per reward: each LOGIN completes the next mission and earns its reward. */
const game = (rewardIds: readonly string[]) =>
  stage.game({ missions: rewardIds.map((id, index) => ({ target: index + 1, rewardIds: [id] })) });

/** Sends the next LOGIN, and returns the single reward of its mission. */
async function earn(player: Player = ada) {
  const { rewards, pendingRewards = [] } = await player.emit('LOGIN');
  return pendingRewards[0] ?? rewards[0];
}

describe('FRAGMENTS', () => {
  const fragmentsOf = (player: Player) => player.get('/gamification/fragments/account/{id}');
  const codesOf = async (player: Player) =>
    (await player.get('/redemptions/{id}')).map(
      ({ source, redeemables }: { source: string; redeemables: { code: string }[] }) =>
        `${source}: ${redeemables.map(({ code }) => code).join(' ')}`,
    );

  async function puzzle(codes: readonly string[], pieces: readonly number[]) {
    const product = await stage.admin('/admin/products', { name: 'Puzzle', stockMode: 'CODES', fragmentsRequired: 5 });
    const restock = (more: readonly string[]) => stage.admin(`/admin/products/${product.id}/codes`, { codes: more });
    if (codes.length > 0) await restock(codes);
    const rewardOf = (amount: number) => newReward({ type: 'FRAGMENTS', amount, productId: product.id });
    await game(await Promise.all(pieces.map(rewardOf)));
    return { productId: product.id as string, restock };
  }

  test('gather, and combine into the product when there are enough; what is over stays', async () => {
    const { productId } = await puzzle(['A', 'B', 'C', 'D'], [3, 3, 14]);
    const held = (pieces: number) => [{ productId, productName: 'Puzzle', pieces, piecesRequired: 5 }];
    expect(await earn()).toMatchObject({
      rewardType: 'FRAGMENTS',
      amount: 3,
      status: 'DELIVERED',
      productId,
      codes: [],
    });
    expect(await fragmentsOf(ada)).toEqual(held(3));
    expect(await codesOf(ada)).toEqual([]);
    expect(await earn()).toMatchObject({ status: 'DELIVERED', codes: [{ code: 'A' }] });
    expect(await fragmentsOf(ada)).toEqual(held(1));
    expect(await earn()).toMatchObject({ status: 'DELIVERED', codes: [{ code: 'B' }, { code: 'C' }, { code: 'D' }] });
    expect(await fragmentsOf(ada)).toEqual([]);
    expect(await codesOf(ada)).toEqual(['FRAGMENTS: B C D', 'FRAGMENTS: A']);
  });

  test('that would combine without stock wait for it, are shown at once, and combine when it comes', async () => {
    const { restock } = await puzzle([], [4, 4]);
    await earn();
    expect((await fragmentsOf(ada))[0]).not.toHaveProperty('waitingPieces');
    expect(await earn()).toMatchObject({ status: 'PENDING_STOCK' });
    expect(await fragmentsOf(ada)).toMatchObject([{ pieces: 8, piecesRequired: 5, waitingPieces: 4 }]);
    expect(await restock(['A'])).toMatchObject({ added: 1, delivered: 1, product: { stock: 0 } });
    expect(await fragmentsOf(ada)).toMatchObject([{ pieces: 3 }]);
    expect(await ada.rewards({ status: 'PENDING_STOCK' })).toEqual([]);
    expect(await codesOf(ada)).toEqual(['FRAGMENTS: A']);
  });

  test('that are enough at once, and wait, are shown although the account holds none', async () => {
    const { productId, restock } = await puzzle([], [7]);
    const { id } = await earn();
    const earned = { productId, productName: 'Puzzle', piecesRequired: 5 };
    expect(await fragmentsOf(ada)).toEqual([{ ...earned, pieces: 7, waitingPieces: 7 }]);
    expect(await ada.rewards({ status: 'PENDING_STOCK' })).toMatchObject([{ id, rewardType: 'FRAGMENTS', amount: 7 }]);
    await restock(['A']);
    expect(await fragmentsOf(ada)).toEqual([{ ...earned, pieces: 2 }]);
  });

  test('that wait and are cancelled are no longer shown', async () => {
    await puzzle([], [7]);
    const { id } = await earn();
    await stage.admin(`/admin/earned-rewards/${id}/cancel`, { reason: 'never to come' });
    expect(await fragmentsOf(ada)).toEqual([]);
  });
});

type Roll = {
  seed: string;
  draw: number;
  totalWeight: number;
  entries: Array<{ rewardId: string; weight: number; guaranteed: boolean; drawn: boolean }>;
};

/** The draw, recalculated by an auditor: SHA-256 of the seed's bytes as a number, modulo the total; one entry after another. */
function audited({ seed, totalWeight, entries }: Roll): Pick<Roll, 'draw' | 'entries'> {
  const digest = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex');
  const draw = Number(BigInt(`0x${digest}`) % BigInt(totalWeight));
  let from = 0;
  return {
    draw,
    entries: entries.map((entry) => {
      if (entry.guaranteed) return { ...entry, drawn: true };
      const hit = draw >= from && draw < from + entry.weight;
      from += entry.weight;
      return { ...entry, drawn: hit };
    }),
  };
}

describe('a CHEST', () => {
  const chestsOf = (player: Player) => player.get('/gamification/chests/account/{id}');
  const open = (chestId: string, operationId?: string, accountId = 'ada') =>
    stage.rest('POST', `/gamification/chests/${chestId}/open`, { accountId, idType: 'EXTERNAL', operationId });

  async function chestOf(chest: { entries: object[]; totalWeight?: number }, amount = 1) {
    const { id } = await stage.admin('/admin/chests', { name: 'Chest', ...chest });
    await game([await newReward({ type: 'CHEST', amount, chestId: id })]);
    expect(await earn()).toMatchObject({ rewardType: 'CHEST', amount, status: 'DELIVERED' });
    return chestsOf(ada);
  }

  test('gives what its draw says, and anybody can repeat the draw from its seed', async () => {
    const [always, often, seldom] = [1, 10, 100].map((amount) => newReward({ type: 'POINTS', amount }));
    const entries = [
      { rewardId: await often, weight: 50 },
      { rewardId: await always, guaranteed: true },
      { rewardId: await seldom, weight: 30 },
    ];
    const chests = await chestOf({ entries, totalWeight: 100 }, 40);
    expect(chests).toHaveLength(40);
    const seeds = new Set<string>();
    let points = 0;
    for (const { id } of chests) {
      const { status, body } = await open(id);
      expect(status).toBe(200);
      const roll: Roll = body.chest.roll;
      expect({ draw: roll.draw, entries: roll.entries }).toEqual(audited(roll));
      expect(roll.entries.map(({ rewardId, weight, guaranteed }) => ({ rewardId, weight, guaranteed }))).toEqual(
        entries.map((entry) => ({ weight: 0, guaranteed: false, ...entry })),
      );
      const drawn = roll.entries.filter((entry) => entry.drawn).map(({ rewardId }) => rewardId);
      expect(body.rewards.map(({ rewardId }: { rewardId: string }) => rewardId)).toEqual(drawn);
      seeds.add(roll.seed);
      points += body.rewards.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
    }
    expect(seeds.size).toBe(40);
    expect((await ada.points()).available).toBe(points + 10);
    // The draw is stored permanently.
    for (const { openedAt, roll } of await chestsOf(ada)) {
      expect(openedAt).toBe('2027-06-01T12:00:00Z');
      expect({ draw: roll.draw, entries: roll.entries }).toEqual(audited(roll));
    }
  });

  test('opens once: a repeat is a 409, and with its operation id the same answer', async () => {
    const rewardId = await newReward({ type: 'POINTS', amount: 5 });
    const [{ id }] = await chestOf({ entries: [{ rewardId, guaranteed: true }] });
    const operationId = randomUUID();
    const first = await open(id, operationId);
    const again = await open(id, operationId);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await open(id)).toMatchObject({ status: 409, body: { code: 'CHEST_ALREADY_OPENED' } });
    expect((await ada.points()).available).toBe(5 + 10);
  });

  test('opened by many at once gives its content once', async () => {
    const rewardId = await newReward({ type: 'POINTS', amount: 5 });
    const [{ id }] = await chestOf({ entries: [{ rewardId, guaranteed: true }] });
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(409)]);
    expect((await ada.points()).available).toBe(5 + 10);
  });

  test("is its owner's alone", async () => {
    const rewardId = await newReward({ type: 'POINTS', amount: 5 });
    const [{ id }] = await chestOf({ entries: [{ rewardId, guaranteed: true }] });
    await stage.player('bob').id();
    expect(await open(id, undefined, 'bob')).toMatchObject({ status: 404, body: { code: 'CHEST_NOT_FOUND' } });
    expect(await open(id, undefined, 'nobody')).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
    expect(await chestsOf(ada)).toMatchObject([{ id }]);
    expect((await chestsOf(ada))[0]).not.toHaveProperty('openedAt');
  });

  test('may hold anything, another chest and what is out of stock included', async () => {
    const mug = await stage.admin('/admin/products', { name: 'Mug', stockMode: 'COUNTED' });
    const point = await newReward({ type: 'POINTS', amount: 5 });
    const inner = await stage.admin('/admin/chests', {
      name: 'Inner',
      entries: [{ rewardId: point, guaranteed: true }],
    });
    const content = await Promise.all([
      newReward({ type: 'CHEST', amount: 1, chestId: inner.id }),
      newReward({ type: 'PRODUCTS', amount: 1, productId: mug.id }),
    ]);
    const [outer] = await chestOf({ entries: content.map((rewardId) => ({ rewardId, guaranteed: true })) });
    const { body } = await open(outer.id);
    expect(body).toMatchObject({
      rewards: [{ rewardType: 'CHEST', status: 'DELIVERED', campaignId: null, missionId: null }],
      pendingRewards: [{ rewardType: 'PRODUCTS', status: 'PENDING_STOCK', campaignId: null }],
    });
    const [found] = (await chestsOf(ada)).filter(({ openedAt }: { openedAt?: string }) => openedAt === undefined);
    expect((await open(found.id)).body.rewards).toMatchObject([{ rewardType: 'POINTS', amount: 5 }]);
  });
});

test('my-rewards lists every type, and is filtered by campaign, type and status', async () => {
  const product = await stage.admin('/admin/products', {
    name: 'Mug',
    stockMode: 'COUNTED',
    fragmentsRequired: 2,
    stock: 1,
  });
  const point = await newReward({ type: 'POINTS', amount: 5 });
  const chest = await stage.admin('/admin/chests', { name: 'Chest', entries: [{ rewardId: point, guaranteed: true }] });
  const { campaignId } = await game(
    await Promise.all([
      newReward({ type: 'CHEST', amount: 1, chestId: chest.id }),
      newReward({ type: 'FRAGMENTS', amount: 1, productId: product.id }),
      newReward({ type: 'PRODUCTS', amount: 1, productId: product.id }),
      newReward({ type: 'PRODUCTS', amount: 1, productId: product.id }),
      newReward({ type: 'BADGE', amount: 1 }),
    ]),
  );
  const other = await stage.game({ missions: [{ target: 6 }] });
  for (let count = 0; count < 6; count += 1) await ada.emit('LOGIN');
  const [{ id }] = await ada.get('/gamification/chests/account/{id}');
  await stage.rest('POST', `/gamification/chests/${id}/open`, { accountId: 'ada', idType: 'EXTERNAL' });

  const found = async (filters: Record<string, unknown>) =>
    (await ada.rewards(filters)).map(({ rewardType, status }: { rewardType: string; status: string }) =>
      status === 'DELIVERED' ? rewardType : `${rewardType} later`,
    );
  // Latest first: the chest's content, the other campaign, then this campaign's completion and its missions.
  const all = ['POINTS', 'POINTS', 'POINTS', 'BADGE', 'PRODUCTS later', 'PRODUCTS', 'FRAGMENTS', 'CHEST'];
  expect(await found({})).toEqual(all);
  expect(all).toEqual(expect.arrayContaining([...REWARD_TYPES]));
  expect(await found({ campaignId: null })).toEqual(['POINTS']);
  expect(await found({ campaignId: other.campaignId })).toEqual(['POINTS']);
  expect(await found({ campaignId, rewardType: 'POINTS' })).toEqual(['POINTS']);
  expect(await found({ campaignId: [campaignId, other.campaignId], rewardType: ['CHEST', 'FRAGMENTS'] })).toEqual([
    'FRAGMENTS',
    'CHEST',
  ]);
  expect(await found({ status: 'PENDING_STOCK' })).toEqual(['PRODUCTS later']);
  expect(await found({ status: 'PENDING_STOCK', rewardType: 'POINTS' })).toEqual([]);
});

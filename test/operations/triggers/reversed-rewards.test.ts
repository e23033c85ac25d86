import { describe, expect, test } from 'vitest';
import { type RestAnswer } from '../../support/service.ts';
import { resumeRestocks } from '../../../src/rewards/delivery/restock.ts';
import { newProduct, setPrice } from '../rewards/provision.ts';
import {
  audienceId,
  balance,
  code,
  created,
  mission,
  points,
  reverse,
  send,
  service,
  shopper,
  useShopScene,
} from './shop-scene.ts';

type Json = RestAnswer['body'];

useShopScene();

describe('the rewards of a completion that is taken back', () => {
  test('are points, which go; what was spent becomes a debt that the next earnings pay', async () => {
    await mission({ target: 10, rewardIds: [await points(100)] });
    const { body: first } = await send('a', 10);
    const [earned] = first['rewards'];
    const product = await newProduct(service.db, service.clientId, 'UNLIMITED');
    await setPrice(service.db, service.clientId, product.id, 80);
    const buyer = { accountId: shopper, idType: 'EXTERNAL' };
    const bought = await service.rest('POST', `/loyalty/products/${product.id}/redeem`, buyer);
    expect(bought.status).toBe(200);
    expect((await reverse('a')).body).toMatchObject({
      missions: [{ progress: 0, completionLost: true }],
      rewards: [{ earnedRewardId: earned.id, amountReversed: 100, amountKept: 0, debt: 80, rewardType: 'POINTS' }],
    });
    expect(await balance()).toMatchObject({ available: 0, debt: 80 });
    expect((await send('b', 10)).body).toMatchObject({ rewards: [{ amount: 100 }] });
    const after = await balance();
    expect(after).toMatchObject({ available: 20, lifetimeEarned: 100 });
    expect(after).not.toHaveProperty('debt');
  });

  test('are paid again in full when the mission is completed again', async () => {
    await mission({ target: 10, rewardIds: [await points(100)] });
    for (const round of ['a', 'b', 'c']) {
      await send(round, 10);
      expect(await balance()).toMatchObject({ available: 100 });
      await reverse(round);
      expect(await balance()).toMatchObject({ available: 0, lifetimeEarned: 0 });
    }
  });

  test('are units without codes, which go back to the shop, where the next in the queue gets them', async () => {
    const product = await newProduct(service.db, service.clientId, 'COUNTED', 1);
    const mug = await created('/admin/rewards', { name: 'A mug', type: 'PRODUCTS', amount: 1, productId: product.id });
    await mission({ target: 10, rewardIds: [mug['id']] });
    expect((await send('a', 10)).body).toMatchObject({ rewards: [{ rewardId: mug['id'], status: 'DELIVERED' }] });
    const other = await send('b', 10, { accountId: `${shopper}-2` });
    expect(other.body).toMatchObject({ rewards: [], pendingRewards: [{ rewardId: mug['id'] }] });
    expect((await reverse('a')).body).toMatchObject({ rewards: [{ amountReversed: 1, amountKept: 0 }] });
    const { body } = await service.rest('GET', `/redemptions/${shopper}?idType=EXTERNAL`);
    expect(body).toMatchObject([{ status: 'CANCELLED' }]);
    await resumeRestocks(service.db, service.clientId, new Date());
    const got = await service.rest('GET', `/v1/gamification/missions/my-rewards/${shopper}-2?idType=EXTERNAL`);
    expect(got.body).toMatchObject([{ rewardId: mug['id'], status: 'DELIVERED' }]);
  });

  test('are codes, which stay with the account and are not given again', async () => {
    const product = await newProduct(service.db, service.clientId, 'CODES', 3);
    const card = await created('/admin/rewards', {
      name: 'A card',
      type: 'PRODUCTS',
      amount: 1,
      productId: product.id,
    });
    await mission({ target: 10, rewardIds: [card['id']] });
    await send('a', 10);
    expect((await reverse('a')).body).toMatchObject({ rewards: [{ amountReversed: 0, amountKept: 1 }] });
    expect((await send('b', 10)).body).toMatchObject({
      progressedMissions: [{ status: 'COMPLETED' }],
      rewards: [],
      skippedRewards: [{ rewardId: card['id'], reason: 'ALREADY_EARNED' }],
    });
    expect((await reverse('b')).body).toMatchObject({ rewards: [{ amountReversed: 0, amountKept: 1 }] });
  });

  test('are pieces and chests, which go as far as they are not used, and come back without what was kept', async () => {
    const product = await newProduct(service.db, service.clientId, 'COUNTED', 9, 3);
    const pieces = await created('/admin/rewards', {
      name: 'Pieces',
      type: 'FRAGMENTS',
      amount: 4,
      productId: product.id,
    });
    const chest = await created('/admin/chests', {
      name: 'A chest',
      entries: [{ rewardId: await points(5), weight: 1 }],
    });
    const chests = await created('/admin/rewards', { name: 'Chests', type: 'CHEST', amount: 2, chestId: chest['id'] });
    await mission({ target: 10, rewardIds: [pieces['id'], chests['id']] });
    await send('a', 10);
    const mine = () => service.rest('GET', `/gamification/chests/account/${shopper}?idType=EXTERNAL`);
    const [first] = (await mine()).body as Json[];
    const opened = await service.rest('POST', `/gamification/chests/${first!['id']}/open`, {
      accountId: shopper,
      idType: 'EXTERNAL',
    });
    expect(opened.status, JSON.stringify(opened.body)).toBe(200);
    expect((await reverse('a')).body).toMatchObject({
      rewards: [
        { rewardId: chests['id'], amountReversed: 1, amountKept: 1 },
        { rewardId: pieces['id'], amountReversed: 1, amountKept: 3 },
      ],
    });
    expect((await mine()).body).toHaveLength(1);
    expect((await send('b', 10)).body).toMatchObject({
      rewards: [
        { rewardId: pieces['id'], amount: 1 },
        { rewardId: chests['id'], amount: 1 },
      ],
    });
    expect((await mine()).body).toHaveLength(2);
  });

  test('stay with the account by onReversal KEEP, also those that wait, and are not given again', async () => {
    const product = await newProduct(service.db, service.clientId, 'COUNTED', 0);
    const fields = { type: 'PRODUCTS', amount: 1, productId: product.id, onReversal: 'KEEP' };
    const mug = await created('/admin/rewards', { name: 'A mug', ...fields });
    const kept = await created('/admin/rewards', { name: 'Kept', type: 'POINTS', amount: 30, onReversal: 'KEEP' });
    await mission({ target: 10, rewardIds: [mug['id'], kept['id']] });
    await send('a', 10);
    expect((await reverse('a')).body).toMatchObject({
      rewards: [
        { rewardId: kept['id'], amountReversed: 0, amountKept: 30 },
        { rewardId: mug['id'], amountReversed: 0, amountKept: 1 },
      ],
    });
    expect((await send('b', 10)).body).toMatchObject({ rewards: [], skippedRewards: [{}, {}] });
    expect(await balance()).toMatchObject({ available: 30 });
  });

  test('are points that are left by CLAW_BACK_UNUSED: what was spent is forgiven, and counts as paid', async () => {
    const fields = { type: 'POINTS', amount: 100, onReversal: 'CLAW_BACK_UNUSED' };
    const reward = await created('/admin/rewards', { name: 'Forgiven', ...fields });
    await mission({ target: 10, rewardIds: [reward['id']] });
    await send('a', 10);
    const product = await newProduct(service.db, service.clientId, 'UNLIMITED');
    await setPrice(service.db, service.clientId, product.id, 80);
    await service.rest('POST', `/loyalty/products/${product.id}/redeem`, { accountId: shopper, idType: 'EXTERNAL' });
    expect((await reverse('a')).body).toMatchObject({ rewards: [{ amountReversed: 20, amountKept: 80 }] });
    const after = await balance();
    expect(after).toMatchObject({ available: 0 });
    expect(after).not.toHaveProperty('debt');
    expect((await send('b', 10)).body).toMatchObject({ rewards: [{ amount: 20 }] });
  });

  test('are codes by CLAW_BACK, which are not given again; the definition may change at any time', async () => {
    const product = await newProduct(service.db, service.clientId, 'CODES', 3);
    const card = await created('/admin/rewards', {
      name: 'A card',
      type: 'PRODUCTS',
      amount: 1,
      productId: product.id,
    });
    expect(card).toMatchObject({ onReversal: 'CLAW_BACK_UNUSED' });
    await mission({ target: 10, rewardIds: [card['id']] });
    const { body: first } = await send('a', 10);
    const change = { version: 1, name: 'A card', onReversal: 'CLAW_BACK' };
    const changed = await service.rest('PUT', `/admin/rewards/${card['id']}`, change);
    expect(changed.body).toMatchObject({ onReversal: 'CLAW_BACK', version: 2 });
    expect((await reverse('a')).body).toMatchObject({ rewards: [{ amountReversed: 1, amountKept: 0 }] });
    const { body: second } = await send('b', 10);
    expect(second.rewards[0].codes[0].code).not.toBe(first.rewards[0].codes[0].code);
  });

  test('that wait for stock wait no longer', async () => {
    const product = await newProduct(service.db, service.clientId, 'COUNTED', 0);
    const mug = await created('/admin/rewards', { name: 'A mug', type: 'PRODUCTS', amount: 2, productId: product.id });
    await mission({ target: 10, rewardIds: [mug['id']] });
    expect((await send('a', 10)).body).toMatchObject({ pendingRewards: [{ rewardId: mug['id'] }] });
    expect((await reverse('a')).body).toMatchObject({ rewards: [{ amountReversed: 2, amountKept: 0 }] });
    expect((await service.rest('GET', `/v1/gamification/missions/my-rewards/${shopper}?idType=EXTERNAL`)).body).toEqual(
      [],
    );
  });

  test('of the rounds of a mission that repeats are those of the latest rounds', async () => {
    await mission({ target: 10, repeat: {}, rewardIds: [await points(100)] });
    await send('a', 10);
    await send('b', 25);
    expect(await balance()).toMatchObject({ available: 300 });
    expect((await reverse('a')).body).toMatchObject({
      missions: [{ previousProgress: 5, progress: 5, completionLost: true }],
      rewards: [{ amountReversed: 100 }],
    });
    expect((await reverse('b', { amount: 16 })).body).toMatchObject({
      missions: [{ progress: 9, completionLost: true }],
      rewards: [{ amountReversed: 100 }, { amountReversed: 100 }],
    });
    expect(await balance()).toMatchObject({ available: 0 });
    expect((await send('c', 1)).body).toMatchObject({ rewards: [{ amount: 100 }] });
  });

  test('of 100 rounds that were paid together go round by round', async () => {
    await mission({ target: 1, repeat: {}, rewardIds: [await points(2)] });
    expect((await send('a', 150)).body).toMatchObject({ rewards: [{ amount: 300 }] });
    expect((await reverse('a', { amount: 50 })).body).toMatchObject({ rewards: [{ amountReversed: 100 }] });
    expect((await reverse('a', { amount: 70 })).body).toMatchObject({ rewards: [{ amountReversed: 140 }] });
    expect(await balance()).toMatchObject({ available: 60 });
    await send('b', 120);
    expect(await balance()).toMatchObject({ available: 300 });
  });

  test('are points that have expired, which are gone already', async () => {
    const reward = await created('/admin/rewards', { name: 'Soon', type: 'POINTS', amount: 100, expiresInDays: 1 });
    await mission({ target: 10, rewardIds: [reward['id']] });
    await mission({ name: 'Other', target: 10, rewardIds: [await points(40)] });
    await send('a', 10);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(
        `update point_lot set expires_at = now() - interval '1 second' where client_id = $1 and expires_at is not null`,
        [service.clientId],
      ),
    );
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(
        `update point_balance set next_expires_at = '2000-01-01' where client_id = $1 and next_expires_at is not null`,
        [service.clientId],
      ),
    );
    expect((await reverse('a')).body).toMatchObject({ rewards: [{ amountReversed: 100 }, { amountReversed: 40 }] });
    const after = await balance();
    expect(after).toMatchObject({ available: 0, expired: 100 });
    expect(after).not.toHaveProperty('debt');
  });
});

describe('a campaign whose mission is not completed any more', () => {
  const campaign = async (fields: Json = {}): Promise<string> => {
    const { id } = await created('/admin/campaigns', {
      name: 'A campaign',
      audienceIds: [audienceId],
      rewardIds: [await points(50)],
      missions: [{ type: 'MISSION', name: 'Buy', programmaticCode: code, target: 10 }],
      ...fields,
    });
    await service.rest('POST', `/admin/campaigns/${id}/activate`);
    return id;
  };

  test('opens again, and its rewards go; the next closing pays and announces them once', async () => {
    const id = await campaign();
    expect((await send('a', 10)).body).toMatchObject({ rewards: [{ campaignId: id, amount: 50 }] });
    expect((await reverse('a')).body).toMatchObject({
      reopenedCampaignIds: [id],
      rewards: [{ campaignId: id, amountReversed: 50 }],
    });
    expect(await balance()).toMatchObject({ available: 0 });
    expect((await send('b', 10)).body).toMatchObject({ rewards: [{ campaignId: id, amount: 50 }] });
    expect(await balance()).toMatchObject({ available: 50 });
  });

  test('keeps what the account used, and does not give it again', async () => {
    const product = await newProduct(service.db, service.clientId, 'CODES', 3);
    const card = await created('/admin/rewards', {
      name: 'A card',
      type: 'PRODUCTS',
      amount: 1,
      productId: product.id,
    });
    const id = await campaign({ rewardIds: [card['id'], await points(50)] });
    await send('a', 10);
    expect((await reverse('a')).body).toMatchObject({
      reopenedCampaignIds: [id],
      rewards: [{ amountReversed: 50 }, { amountKept: 1 }],
    });
    expect((await send('b', 10)).body).toMatchObject({
      rewards: [{ amount: 50 }],
      skippedRewards: [{ rewardId: card['id'], reason: 'ALREADY_EARNED' }],
    });
  });

  test('cannot be claimed any more; one that was claimed stays closed', async () => {
    const id = await campaign({ claimPolicy: 'EXPLICIT' });
    const claim = () =>
      service.rest('POST', `/gamification/campaigns/${id}/claim`, { accountId: shopper, idType: 'EXTERNAL' });
    await send('a', 10);
    expect((await reverse('a')).body).toMatchObject({ reopenedCampaignIds: [id], rewards: [] });
    expect(await claim()).toMatchObject({ status: 409, body: { code: 'CAMPAIGN_NOT_COMPLETED' } });
    await send('b', 10);
    expect((await claim()).status).toBe(200);
    expect((await reverse('b')).body).toMatchObject({
      reopenedCampaignIds: [],
      rewards: [],
      missions: [{ progress: 0 }],
    });
    expect(await balance()).toMatchObject({ available: 50 });
    await send('c', 10);
    expect(await claim()).toMatchObject({ status: 409, body: { code: 'CAMPAIGN_ALREADY_CLAIMED' } });
  });

  test('that has ended is not completed any more either', async () => {
    const id = await campaign();
    await send('a', 10);
    await service.rest('POST', `/admin/campaigns/${id}/end`);
    expect((await reverse('a')).body).toMatchObject({ rewards: [{ amountReversed: 50 }] });
    expect(await balance()).toMatchObject({ available: 0 });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newTenant, restAs, type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { post } from '../operation-ids/every-operation.ts';
import { holdAccount, inboxOf, untilApplied, untilBlocked } from './inbox-fixture.ts';
import { resumeRestocks } from '../../../src/rewards/delivery/restock.ts';
import { differences, newProduct, setPrice } from '../rewards/provision.ts';

let service: TestService;
let shopper = '';
let code = '';
let next = 0;

let audienceId = '';

beforeAll(async () => {
  service = await startService();
  audienceId = (await created('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' }))['id'];
});
beforeEach(async () => {
  next += 1;
  shopper = `shopper-${next}`;
  code = `PURCHASE_${next}`;
  await created('/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

type Json = RestAnswer['body'];

async function created(path: string, body: Json): Promise<Json> {
  const answer = await service.rest('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/** A standalone mission that counts the events of this test. */
const mission = (fields: Json): Promise<Json> =>
  created('/admin/missions', {
    audienceId,
    mission: { type: 'MISSION', name: 'Buy', programmaticCode: code, ...fields },
  });

const points = async (amount: number): Promise<string> =>
  (await created('/admin/rewards', { name: `${amount} points`, type: 'POINTS', amount }))['id'];

const send = (operationId: string, amount: number, fields: Json = {}) =>
  service.rest('POST', '/gamification/triggers', {
    programmaticCode: code,
    accountId: shopper,
    idType: 'EXTERNAL',
    metadata: { amount },
    operationId: `${code}-${operationId}`,
    ...fields,
  });

const reverse = (operationId: string, fields: Json = {}) =>
  service.rest('POST', '/gamification/triggers/reversals', {
    programmaticCode: code,
    triggerOperationId: `${code}-${operationId}`,
    ...fields,
  });

const balance = async (): Promise<Json> =>
  (await service.rest('GET', `/loyalty/accounts/${shopper}/points?idType=EXTERNAL`)).body;

describe('the reversal of an event', () => {
  test('takes its amount from the mission, and gives back the surplus that was cut off at the target', async () => {
    const { id } = await mission({ target: 10 });
    await send('a', 6);
    expect((await send('b', 9)).body).toMatchObject({ progressedMissions: [{ progress: 10, status: 'COMPLETED' }] });
    expect((await send('c', 3)).body).toMatchObject({ progressedMissions: [] });
    expect(await reverse('a')).toMatchObject({
      status: 200,
      body: {
        state: 'REVERSED',
        amount: 6,
        amountLeft: 0,
        missions: [{ missionId: id, previousProgress: 10, progress: 9, target: 10, completionLost: true }],
        reopenedCampaignIds: [],
        rewards: [],
      },
    });
    expect((await send('d', 1)).body).toMatchObject({
      progressedMissions: [{ previousProgress: 9, progress: 10, status: 'COMPLETED' }],
    });
  });

  test('takes a part back, several times, up to the whole', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    expect((await reverse('a', { amount: 4 })).body).toMatchObject({
      amount: 4,
      amountLeft: 6,
      missions: [{ progress: 6 }],
    });
    expect(await reverse('a', { amount: 7 })).toMatchObject({ status: 409, body: { code: 'REVERSAL_TOO_LARGE' } });
    expect((await reverse('a', { amount: 6 })).body).toMatchObject({ amountLeft: 0, missions: [{ progress: 0 }] });
    const again = await reverse('a');
    expect(again).toMatchObject({ status: 409, body: { code: 'REVERSAL_TOO_LARGE' } });
    expect(again.body['message']).toContain('nothing is left');
  });

  test('may have the operation id of its event, and the rest of the event can still be taken back', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    expect((await reverse('a', { amount: 4, operationId: `${code}-a` })).body).toMatchObject({ amountLeft: 6 });
    expect((await reverse('a')).body).toMatchObject({ amount: 6, amountLeft: 0 });
  });

  test('under one operation id happens once', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const first = await reverse('a', { amount: 4, operationId: `${code}-r` });
    const second = await reverse('a', { amount: 4, operationId: `${code}-r` });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await reverse('a', { amount: 5, operationId: `${code}-r` })).toMatchObject({
      status: 400,
      body: { code: 'OPERATION_ID_REUSED' },
    });
  });

  test.each([
    [{}, 'Name the event'],
    [{ triggerOperationId: 'x' }, 'Name the event'],
    [{ triggerOperationId: 'x', programmaticCode: 'Y', journalEntryId: 'a'.repeat(40) }, 'leave'],
    [{ journalEntryId: 'a'.repeat(40) }, 'GET /admin/journal'],
  ])('by %j is refused', async (body, words) => {
    const answer = await service.rest('POST', '/gamification/triggers/reversals', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringContaining(words) },
    });
  });

  test('of an unknown event is a 404', async () => {
    expect(await reverse('nobody')).toMatchObject({ status: 404, body: { code: 'TRIGGER_NOT_FOUND' } });
    const journalEntryId = '019a0000-0000-7000-8000-000000000000.000';
    const answer = await service.rest('POST', '/gamification/triggers/reversals', { journalEntryId });
    expect(answer).toMatchObject({ status: 404, body: { code: 'TRIGGER_NOT_FOUND' } });
  });

  test('names an event without an operation id by its journal entry', async () => {
    await mission({ target: 100 });
    await send('a', 10, { operationId: undefined });
    const { body } = await service.rest('GET', `/admin/journal?programmaticCode=${code}`);
    const [entry] = body['rows'];
    const answer = await service.rest('POST', '/gamification/triggers/reversals', { journalEntryId: entry.id });
    expect(answer).toMatchObject({ status: 200, body: { amount: 10, missions: [{ progress: 0 }] } });
  });

  test('is an entry of the journal, with its reason', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    await reverse('a', { reason: 'Order returned', operationId: `${code}-r` });
    const { body } = await service.rest('GET', `/admin/journal?programmaticCode=${code}`);
    expect(body['rows'][0]).toMatchObject({
      effect: 'REVERSED',
      operationId: `${code}-r`,
      missions: [{ previousProgress: 10, progress: 0 }],
      reversal: { triggerOperationId: `${code}-a`, amount: 10, reason: 'Order returned', rewards: [] },
    });
  });
});

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

describe('a series', () => {
  test('STREAK loses the period of the event while it is open', async () => {
    const startsAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const rewardIds = [await points(10)];
    await mission({ type: 'STREAK', target: 2, period: 'DAY', perPeriodTarget: 5, rewardIds, startsAt });
    const yesterday = new Date(Date.now() - 86_400_000 + 5_000).toISOString();
    await send('a', 5, { occurredAt: yesterday });
    expect((await send('b', 7)).body).toMatchObject({ progressedMissions: [{ status: 'COMPLETED' }] });
    expect((await reverse('b', { amount: 2 })).body).toMatchObject({ missions: [{ completionLost: false }] });
    expect((await reverse('b', { amount: 1 })).body).toMatchObject({
      missions: [{ previousProgress: 2, progress: 1, completionLost: true }],
      rewards: [{ amountReversed: 10 }],
    });
    expect((await send('c', 1)).body).toMatchObject({ progressedMissions: [{ progress: 2, status: 'COMPLETED' }] });
  });

  test('ROUTINE loses the period of the event, and the whole routine counts one less', async () => {
    await mission({ type: 'ROUTINE', target: 5, period: 'DAY', rewardIds: [await points(10)] });
    await send('a', 3);
    await send('b', 4);
    expect(await balance()).toMatchObject({ available: 10 });
    expect((await reverse('b')).body).toMatchObject({
      missions: [{ previousProgress: 5, progress: 3, completionLost: true }],
      rewards: [{ amountReversed: 10 }],
    });
    expect((await send('c', 2)).body).toMatchObject({ rewards: [{ amount: 10 }] });
  });

  test('of an earlier release did not store what is needed', async () => {
    await mission({ type: 'ROUTINE', target: 5, period: 'DAY' });
    await send('a', 3);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`update journal_batch set entries = replace(entries::text, '"k"', '"z"')::json where client_id = $1`, [
        service.clientId,
      ]),
    );
    expect(await reverse('a')).toMatchObject({ status: 409, body: { code: 'REVERSAL_NOT_STORED' } });
  });
});

describe('the reversal of an event that was not applied', () => {
  const accept = (operationId: string, amount: number) =>
    service.rest('POST', '/gamification/triggers/async', {
      programmaticCode: code,
      accountId: shopper,
      idType: 'EXTERNAL',
      metadata: { amount },
      operationId: `${code}-${operationId}`,
    });

  test('removes it from the queue, so that it never counts; a part of it must wait', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const release = await holdAccount(service, shopper);
    await accept('b', 20);
    await untilBlocked(service);
    // The worker has the event for a moment, until it gives up to wait for the account.
    expect(await reverse('b', { amount: 5 })).toMatchObject({ status: 409, body: { code: 'OPERATION_IN_PROGRESS' } });
    await expect
      .poll(async () => (await reverse('b')).body, { timeout: 10_000 })
      .toMatchObject({
        state: 'WITHDRAWN',
        amount: 20,
        amountLeft: 0,
        missions: [],
      });
    await release();
    await untilApplied(service);
    expect((await send('c', 1)).body).toMatchObject({ progressedMissions: [{ previousProgress: 10, progress: 11 }] });
    expect(await reverse('b')).toMatchObject({ status: 404, body: { code: 'TRIGGER_NOT_FOUND' } });
  });

  test('removes a dead trigger', async () => {
    const { id } = (await service.rest('POST', '/accounts/resolve', { externalId: shopper })).body;
    const release = await holdAccount(service, shopper, { thenDelete: true });
    await service.rest('POST', '/gamification/triggers/async', {
      programmaticCode: code,
      accountId: id,
      metadata: { amount: 5 },
      operationId: `${code}-dead`,
    });
    await untilBlocked(service);
    await release();
    await untilApplied(service);
    expect(await reverse('dead', { amount: 1 })).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect((await reverse('dead')).body).toMatchObject({ state: 'WITHDRAWN', accountId: id, amount: 5 });
    expect(await inboxOf(service)).toEqual([]);
  });
});

describe('the account of an event', () => {
  test('that was deleted is a 404', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const { id } = (await service.rest('GET', `/accounts/${shopper}?idType=EXTERNAL`)).body;
    expect((await service.rest('DELETE', `/accounts/${id}`)).status).toBe(204);
    expect(await reverse('a')).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
  });

  test('of another client is not found, nor is its journal entry', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const { body } = await service.rest('GET', `/admin/journal?programmaticCode=${code}`);
    const other = restAs(service.baseUrl, await newTenant(service.db));
    const path = '/gamification/triggers/reversals';
    const named = { programmaticCode: code, triggerOperationId: `${code}-a` };
    expect(await other('POST', path, named)).toMatchObject({ status: 404 });
    const entry = { journalEntryId: body['rows'][0].id };
    expect(await other('POST', path, entry)).toMatchObject({ status: 404, body: { code: 'TRIGGER_NOT_FOUND' } });
  });

  test('may have many reversals at once: each takes its part once', async () => {
    await mission({ target: 5, repeat: {}, rewardIds: [await points(1)] });
    await send('a', 40);
    const answers = await Promise.all(Array.from({ length: 12 }, () => reverse('a', { amount: 4 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
    expect(await balance()).toMatchObject({ available: 0 });
  });
});

describe('a batch of reversals', () => {
  const reverseAll = (reversals: Json[]) =>
    service.rest('POST', '/gamification/triggers/reversals/batch', { reversals });
  const named = (operationId: string, fields: Json = {}) => ({
    programmaticCode: code,
    triggerOperationId: `${code}-${operationId}`,
    ...fields,
  });

  test('answers each by its own result or error, in order', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    await send('b', 20, { accountId: `${shopper}-2` });
    const reversals = [named('a', { amount: 4 }), named('nobody'), named('b'), { amount: -1 }, named('a'), named('a')];
    const { status, body } = await reverseAll(reversals);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      results: [
        { result: { amount: 4, amountLeft: 6, missions: [{ progress: 6 }] } },
        { error: { statusCode: 404, code: 'TRIGGER_NOT_FOUND' } },
        { result: { amount: 20, amountLeft: 0, missions: [{ progress: 0 }] } },
        { error: { statusCode: 400, code: 'BAD_REQUEST' } },
        { result: { amount: 6, amountLeft: 0, missions: [{ progress: 0 }] } },
        { error: { statusCode: 409, code: 'REVERSAL_TOO_LARGE' } },
      ],
    });
  });

  test('repeats what was done under an operation id', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const reversal = named('a', { amount: 4, operationId: `${code}-r` });
    const first = await reverseAll([reversal]);
    expect((await reverseAll([reversal])).body).toEqual(first.body);
  });

  test('takes no header Idempotency-Key; a single reversal does', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const header = { 'idempotency-key': `${code}-key` };
    const path = '/gamification/triggers/reversals';
    expect(await post(service, `${path}/batch`, { reversals: [named('a')] }, header)).toMatchObject({ status: 400 });
    const first = await post(service, path, named('a', { amount: 4 }), header);
    expect(first).toMatchObject({ status: 200 });
    expect((await post(service, path, named('a', { amount: 4 }), header)).body).toEqual(first.body);
  });

  test('of none, or of more than 200, is refused', async () => {
    expect(await reverseAll([])).toMatchObject({ status: 400 });
    expect(await reverseAll(Array(201).fill(named('a')))).toMatchObject({ status: 400 });
  });
});

test('REWARDS_REVERSED is announced to endpoints that receive it', async () => {
  const receiver = await startReceiver();
  const endpoint = { name: code, url: receiver.url, types: ['REWARDS_REVERSED'] };
  await created('/webhooks/endpoints', { endpoint });
  await mission({ target: 10, rewardIds: [await points(100)] });
  await send('a', 10);
  await reverse('a', { reason: 'Returned', operationId: `${code}-r` });
  const [request] = await receiver.got(1);
  expect(JSON.parse(request!.body)).toMatchObject({
    type: 'REWARDS_REVERSED',
    clientId: service.clientId,
    data: {
      externalId: shopper,
      programmaticCode: code,
      triggerOperationId: `${code}-a`,
      operationId: `${code}-r`,
      reason: 'Returned',
      rewards: [{ name: '100 points', rewardType: 'POINTS', amountReversed: 100, amountKept: 0 }],
    },
  });
  await receiver.close();
});

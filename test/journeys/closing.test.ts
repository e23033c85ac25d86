import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import type { Game, GameOptions } from '../support/game.ts';
import { type Journey, type Player, startJourney, type Stage } from './stage.ts';
import { whileInProgress } from '../support/while-in-progress.ts';

const START = '2027-06-01T12:00:00Z';
const CLAIMABLE = '/v1/accounts/{id}/claimable-campaigns';

let journey: Journey;
let stage: Stage;
let ada: Player;
let receiver: Receiver;
beforeAll(async () => {
  journey = await startJourney(START);
});
beforeEach(async () => {
  journey.clock.set(START);
  stage = await journey.stage();
  ada = stage.player('ada');
  receiver = await startReceiver();
  await stage.rest('PUT', '/webhooks/rewards', { endpoint: receiver.url });
});
afterEach(() => receiver.close());
afterAll(() => journey.service.close());

const explicit = (options: GameOptions = {}) => stage.game({ ...options, campaign: { claimPolicy: 'EXPLICIT' } });
const conflict = (code: string) => ({ status: 409, body: { code } });

/** The bodies of all webhooks in order of arrival, after the outbox is empty. */
async function webhooks() {
  const waiting = () =>
    journey.service.db.unitOfWork(stage.clientId, (uow) => uow.query('select 1 from outbox_message'));
  await expect.poll(waiting, { timeout: 8_000, interval: 20 }).toEqual([]);
  return receiver.received.map(({ body }) => JSON.parse(body));
}

describe('an explicit claim', () => {
  test('closes the campaign once it is completed: rewards, one webhook, and nothing twice', async () => {
    const rewards = [
      { name: 'Ten', type: 'POINTS', amount: 10 },
      { name: 'Two', type: 'POINTS', amount: 2.5 },
    ];
    const missions = [{ target: 1 }, { programmaticCode: 'PURCHASE', target: 5 }];
    const { campaignId, rewardIds } = await explicit({ missions, rewards });
    await ada.emit('LOGIN');
    expect(await ada.claim(campaignId)).toMatchObject(conflict('CAMPAIGN_NOT_COMPLETED'));
    expect(await ada.feed('ACTIVE', 'COMPLETED')).toMatchObject([{ claimable: false }, { claimable: false }]);

    const last = await ada.emit('PURCHASE', { amount: 5 });
    expect(last).toMatchObject({ progressedMissions: [{ status: 'COMPLETED' }], rewards: [] });
    expect(await ada.feed('COMPLETED')).toMatchObject([{ claimable: true }, { claimable: true }]);
    expect(await ada.rewards()).toEqual([]);
    expect(await ada.points()).toMatchObject({ available: 0, pending: 12.5, lifetimeEarned: 0 });
    expect(await webhooks()).toEqual([]);

    const claimed = await ada.claim(campaignId);
    expect(claimed).toMatchObject({
      status: 200,
      body: { rewards: rewardIds.map((rewardId) => ({ rewardId, campaignId, missionId: null, status: 'DELIVERED' })) },
    });
    expect(await ada.feed('COMPLETED')).toMatchObject([{ claimable: false }, { claimable: false }]);
    expect(await ada.points()).toMatchObject({ available: 12.5, pending: 0, lifetimeEarned: 12.5 });
    expect(await ada.claim(campaignId)).toMatchObject(conflict('CAMPAIGN_ALREADY_CLAIMED'));
    const accountId = await ada.id();
    const item = (index: number) => ({
      accountId,
      externalId: 'ada',
      campaignId,
      rewardId: rewardIds[index],
      earnedRewardId: claimed.body.rewards[index].id,
    });
    expect(await webhooks()).toEqual([
      [
        { ...item(0), type: 'POINTS', amount: 10 },
        { ...item(1), type: 'POINTS', amount: 2.5 },
      ],
    ]);
  });

  test('repeated with its operation id gives the same answer and no second webhook', async () => {
    const { campaignId } = await explicit();
    await ada.emit('LOGIN');
    const operationId = randomUUID();
    const first = await ada.claim(campaignId, operationId);
    const again = await ada.claim(campaignId, operationId);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await ada.points()).toMatchObject({ available: 10 });
    expect(await webhooks()).toHaveLength(1);
    const other = await explicit();
    expect(await ada.claim(other.campaignId, operationId)).toMatchObject({
      status: 400,
      body: { code: 'OPERATION_ID_REUSED' },
    });
  });

  test('that is refused leaves its operation id free for the one that is not', async () => {
    const { campaignId } = await explicit({ missions: [{ target: 2 }] });
    await ada.emit('LOGIN');
    const operationId = randomUUID();
    expect(await ada.claim(campaignId, operationId)).toMatchObject(conflict('CAMPAIGN_NOT_COMPLETED'));
    await ada.emit('LOGIN');
    const claim = await whileInProgress(() => ada.claim(campaignId, operationId));
    expect(claim).toMatchObject({ status: 200, body: { rewards: [{}] } });
  });

  test('sent twenty times at once closes once', async () => {
    const { campaignId } = await explicit();
    await ada.emit('LOGIN');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.claim(campaignId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject(conflict('CAMPAIGN_ALREADY_CLAIMED'));
    }
    expect(await ada.points()).toMatchObject({ available: 10 });
    expect(await webhooks()).toHaveLength(1);
  });

  test('is still possible after the campaign has ended: it was earned before', async () => {
    const { campaignId } = await explicit();
    await ada.emit('LOGIN');
    await stage.admin(`/admin/campaigns/${campaignId}/end`);
    expect(await ada.feed('COMPLETED')).toMatchObject([{ claimable: true }]);
    expect(await ada.get(CLAIMABLE)).toMatchObject({ rows: [{ campaignId }] });
    expect(await ada.claim(campaignId)).toMatchObject({ status: 200, body: { rewards: [{ status: 'DELIVERED' }] } });
  });

  test('waits for the end of a pause', async () => {
    const { campaignId } = await explicit();
    await ada.emit('LOGIN');
    await stage.admin(`/admin/campaigns/${campaignId}/pause`);
    expect(await ada.feed('COMPLETED')).toMatchObject([{ claimable: false }]);
    expect(await ada.get(CLAIMABLE)).toEqual({ rows: [] });
    expect(await ada.claim(campaignId)).toMatchObject(conflict('CAMPAIGN_NOT_ACTIVE'));
    await stage.admin(`/admin/campaigns/${campaignId}/activate`);
    expect(await ada.feed('COMPLETED')).toMatchObject([{ claimable: true }]);
    expect(await ada.claim(campaignId)).toMatchObject({ status: 200, body: { rewards: [{ status: 'DELIVERED' }] } });
  });

  test('can be offered: a read tells what waits for it, the first completed first, with the rewards', async () => {
    expect(await ada.get(CLAIMABLE)).toEqual({ rows: [] });
    const first = await explicit();
    const second = await explicit();
    await ada.emit('LOGIN');
    const { rows: waiting } = await ada.get(CLAIMABLE);
    const ids = [first.campaignId, second.campaignId].toSorted();
    expect(waiting.map((each: { campaignId: string }) => each.campaignId)).toEqual(ids);
    expect(waiting[0]).toMatchObject({ name: expect.any(String), completedAt: START, rewards: [{ type: 'POINTS' }] });
    await ada.claim(ids[0]!);
    expect(await ada.get(CLAIMABLE)).toMatchObject({ rows: [{ campaignId: ids[1] }] });
    expect(await stage.player('bob').get(CLAIMABLE)).toEqual({ rows: [] });
    const unknown = CLAIMABLE.replace('{id}', randomUUID());
    expect(await stage.rest('GET', unknown)).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
  });

  test('of what is out of stock is sent when the restock delivers it', async () => {
    const product = await stage.admin('/admin/products', { name: 'Mug', stockMode: 'COUNTED' });
    const { campaignId } = await explicit({
      rewards: [
        { name: 'Mug', type: 'PRODUCTS', amount: 1, productId: product.id },
        { name: 'Ten', type: 'POINTS', amount: 10 },
      ],
    });
    await ada.emit('LOGIN');
    const { body } = await ada.claim(campaignId);
    expect(body).toMatchObject({ rewards: [{ status: 'DELIVERED' }], pendingRewards: [{ status: 'PENDING_STOCK' }] });
    expect(await webhooks()).toMatchObject([[{ type: 'POINTS' }]]);
    await stage.admin(`/admin/products/${product.id}/stock`, { quantity: 5 });
    expect(await webhooks()).toMatchObject([[{ type: 'POINTS' }], [{ type: 'PRODUCTS', productId: product.id }]]);
  });

  test('of a campaign that closes by itself is a 409, completed or not', async () => {
    const { campaignId } = await stage.game({});
    await ada.id();
    expect(await ada.claim(campaignId)).toMatchObject(conflict('CAMPAIGN_NOT_CLAIMABLE'));
    await ada.emit('LOGIN');
    expect(await ada.claim(campaignId)).toMatchObject(conflict('CAMPAIGN_NOT_CLAIMABLE'));
  });

  test('names a campaign and an account of its own client, and creates neither', async () => {
    const { campaignId } = await explicit();
    const draft = await explicit({ activate: false });
    expect(await ada.claim(campaignId)).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
    await ada.emit('LOGIN');
    const notFound = { status: 404, body: { code: 'CAMPAIGN_NOT_FOUND' } };
    for (const id of [draft.campaignId, randomUUID()]) expect(await ada.claim(id)).toMatchObject(notFound);
    const elsewhere = (await journey.stage()).player('ada');
    await elsewhere.id();
    expect(await elsewhere.claim(campaignId)).toMatchObject(notFound);
    expect(await ada.claim('no-id')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});

describe('the webhook of a closing', () => {
  const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' };
  const paths: Record<string, (game: Game) => Promise<void>> = {
    'a synchronous event': async () => {
      await ada.emit('LOGIN');
    },
    'an asynchronous event': async () => {
      const answer = await stage.rest('POST', '/gamification/triggers/async', event);
      expect(answer).toMatchObject({ status: 200, body: undefined });
    },
    'a claim': async ({ campaignId }) => {
      await ada.emit('LOGIN');
      await ada.claim(campaignId);
    },
  };

  test.each(Object.keys(paths))('is one request with an item per reward, by %s', async (path) => {
    const rewards = [1, 2, 3].map((amount) => ({ name: `${amount}`, type: 'POINTS', amount }));
    const claimPolicy = path === 'a claim' ? 'EXPLICIT' : 'AUTOMATIC';
    const game = await stage.game({ rewards, campaign: { claimPolicy } });
    await paths[path]!(game);
    await receiver.got(1);
    const accountId = await ada.id();
    const [missionId] = game.missionIds;
    const [{ id: assignmentId }] = await ada.feed('COMPLETED');
    const assignment = { id: assignmentId, progress: 1, target: 1, status: 'COMPLETED', missionId, accountId };
    const earned: { rewardId: string; id: string }[] = await ada.rewards();
    expect(await webhooks()).toEqual([
      game.rewardIds.map((rewardId, index) => ({
        accountId,
        externalId: 'ada',
        type: 'POINTS',
        amount: index + 1,
        rewardId,
        campaignId: game.campaignId,
        assignmentId,
        assignment: { ...assignment, rewardId },
        earnedRewardId: earned.find((reward) => reward.rewardId === rewardId)!.id,
      })),
    ]);
    expect(receiver.received[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
  });

  test.each([
    { type: 'STREAK', target: 1 },
    { type: 'ROUTINE', target: 1, occurrences: 1 },
  ])('names no assignment where the only mission is a $type', async (mission) => {
    await stage.game({ missions: [mission] });
    await ada.emit('LOGIN');
    const [[item]] = await webhooks();
    expect(item).toMatchObject({ type: 'POINTS', amount: 10 });
    expect(item).not.toHaveProperty('assignmentId');
    expect(item).not.toHaveProperty('assignment');
  });
});

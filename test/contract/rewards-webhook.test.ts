import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fillBalance } from '../operations/rewards/provision.ts';
import { type Answer, type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { newGame, newProduct } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { startContractService } from './support/contract-service.ts';
import { expectWebhook } from './support/openapi.ts';
import { nothingWaits, oneStep } from './support/webhooks.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let service: TestService;
let receiver: Receiver;
let answer: Answer;

beforeAll(async () => {
  service = await startContractService();
});
afterAll(() => service.close());
beforeEach(async () => {
  answer = (_request, response) => response.writeHead(204).end();
  receiver = await startReceiver((...call) => answer(...call));
});
afterEach(async () => {
  await service.rest('DELETE', '/webhooks/rewards');
  await receiver.close();
  for (const { headers, body } of receiver.received) expectWebhook('rewards', headers, body);
});

const put = (settings: object) => service.rest('PUT', '/webhooks/rewards', settings);
const emit = (programmaticCode: string, accountId: string, path = '/gamification/triggers') =>
  service.rest('POST', path, { programmaticCode, accountId, idType: 'EXTERNAL' });

describe('the rewards webhook', () => {
  test('is one request with one item for each reward, with the documented fields', async () => {
    const productId = await newProduct(service, ['HOOK-1', 'HOOK-2']);
    const game = await oneStep(service, {
      rewards: [
        { name: 'Points', type: 'POINTS', amount: 2.5 },
        { name: 'Coupon', type: 'PRODUCTS', amount: 2, productId },
      ],
    });
    await service.rest('POST', '/accounts', { externalId: 'documented', email: 'doc@example.com' });
    await put({ endpoint: receiver.url });
    const { body } = await emit(game.code, 'documented');
    await nothingWaits(service);
    expect(receiver.received).toHaveLength(1);
    const [{ accountId }] = body.rewards;
    const { assignmentId } = body.progressedMissions[0];
    const common = (index: number) => ({
      accountId,
      externalId: 'documented',
      earnedRewardId: body.rewards[index].id,
      rewardId: game.rewardIds[index],
      campaignId: game.campaignId,
      assignmentId,
      assignment: {
        id: assignmentId,
        progress: 1,
        target: 1,
        status: 'COMPLETED',
        missionId: game.missionIds[0],
        accountId,
        rewardId: game.rewardIds[index],
      },
    });
    const codeNames = ['HOOK-1', 'HOOK-2'];
    expect(JSON.parse(receiver.received[0]!.body)).toEqual([
      { ...common(0), type: 'POINTS', amount: 2.5 },
      {
        ...common(1),
        type: 'PRODUCTS',
        amount: 2,
        productId,
        codes: codeNames.map((code) => ({ code, item: { id: expect.stringMatching(UUID), name: 'Coupon' } })),
        productRedemptions: [
          {
            product: { id: productId, name: 'Coupon' },
            account: { id: accountId, email: 'doc@example.com' },
            redeemables: codeNames.map((code) => ({
              id: expect.stringMatching(UUID),
              code,
              itemId: expect.stringMatching(UUID),
            })),
          },
        ],
      },
    ]);
  });

  test('has the points that were paid, as the answer, the earned rewards and the ledger do, where the balance was full', async () => {
    const game = await oneStep(service, { rewards: [{ name: 'Points', type: 'POINTS', amount: 25 }] });
    const { body: account } = await service.rest('POST', '/accounts', { externalId: 'rich' });
    await fillBalance(service.db, service.clientId, account.id, 2.5);
    await put({ endpoint: receiver.url });
    const { body } = await emit(game.code, 'rich');
    await nothingWaits(service);
    const paid = { amount: 2.5, amountUnpaid: 22.5 };
    expect(body.rewards).toMatchObject([paid]);
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject([{ ...paid, earnedRewardId: body.rewards[0].id }]);
    const read = async (path: string) => (await service.rest('GET', path)).body;
    expect(await read(`/v1/gamification/missions/my-rewards/${account.id}`)).toMatchObject([paid]);
    const [line] = await read(`/loyalty/accounts/${account.id}/points/history?limit=1`);
    expect(line).toMatchObject({ type: 'EARN', amount: 2.5, balanceAfter: 900_000_000_000 });
    expect((await emit(game.code, 'rich')).status).toBe(200);
  });

  test('of fragments and chests has the fields of every item and no codes', async () => {
    const product = await service.rest('POST', '/admin/products', {
      name: 'Mug',
      stockMode: 'UNLIMITED',
      fragmentsRequired: 3,
    });
    const reward = await service.rest('POST', '/admin/rewards', { name: 'Inside', type: 'POINTS', amount: 1 });
    const chest = await service.rest('POST', '/admin/chests', {
      name: 'Box',
      entries: [{ rewardId: reward.body.id, weight: 1 }],
    });
    const game = await oneStep(service, {
      rewards: [
        { name: 'Pieces', type: 'FRAGMENTS', amount: 2, productId: product.body.id },
        { name: 'A box', type: 'CHEST', amount: 1, chestId: chest.body.id },
      ],
    });
    await put({ endpoint: receiver.url });
    await emit(game.code, 'collector');
    const [request] = await receiver.got(1);
    const items = JSON.parse(request!.body);
    expect(items).toMatchObject([
      { type: 'FRAGMENTS', amount: 2, rewardId: game.rewardIds[0] },
      { type: 'CHEST', amount: 1, rewardId: game.rewardIds[1] },
    ]);
    for (const item of items) expect(item).not.toHaveProperty('codes');
  });

  test('of fragments tells what they combined into, at once or after a restock, and nothing before', async () => {
    const product = (
      await service.rest('POST', '/admin/products', { name: 'Puzzle', stockMode: 'CODES', fragmentsRequired: 3 })
    ).body;
    const restock = (...codes: string[]) => service.rest('POST', `/admin/products/${product.id}/codes`, { codes });
    await restock('FIRST');
    await put({ endpoint: receiver.url });
    const items = [];
    // Two fragments make no unit, a third makes one, and four more make another, for which they wait.
    for (const amount of [2, 1, 4]) {
      const { code } = await oneStep(service, {
        rewards: [{ name: 'Pieces', type: 'FRAGMENTS', amount, productId: product.id }],
      });
      await emit(code, 'puzzler');
      if (amount === 4) await restock('SECOND');
      const requests = await receiver.got(items.length + 1);
      items.push(JSON.parse(requests.at(-1)!.body)[0]);
    }
    expect(items[0]).toMatchObject({ type: 'FRAGMENTS', amount: 2 });
    expect(items[0]).not.toHaveProperty('combined');
    const combined = (code: string) => ({
      product: { id: product.id, name: 'Puzzle' },
      redeemables: [{ id: expect.any(String), code, itemId: expect.any(String) }],
    });
    expect(items[1]).toMatchObject({ type: 'FRAGMENTS', amount: 1, combined: combined('FIRST') });
    expect(items[2]).toMatchObject({ type: 'FRAGMENTS', amount: 4, combined: combined('SECOND') });
    for (const item of items) expect(item).not.toHaveProperty('productRedemptions');
  });

  test('of a streak, or of several missions, names no assignment', async () => {
    const streak = await newGame(service, {
      codes: { DAILY: 'SINGLE' },
      missions: [{ type: 'STREAK', programmaticCode: 'DAILY', target: 1, period: 'DAY' }],
    });
    const several = await newGame(service, {
      codes: { LEFT: 'SINGLE', RIGHT: 'SINGLE' },
      missions: [{ programmaticCode: 'LEFT' }, { programmaticCode: 'RIGHT' }],
    });
    await put({ endpoint: receiver.url });
    await emit('DAILY', 'runner');
    await emit('LEFT', 'runner');
    await emit('RIGHT', 'runner');
    const requests = await receiver.got(2);
    const items = requests.map((request) => JSON.parse(request.body)[0]);
    expect(new Set(items.map((item) => item.campaignId))).toEqual(new Set([streak.campaignId, several.campaignId]));
    for (const item of items) {
      expect(item).not.toHaveProperty('assignmentId');
      expect(item).not.toHaveProperty('assignment');
    }
  });

  test('is sent on all three paths that close a campaign, and for nothing else', async () => {
    const { body: bonus } = await service.rest('POST', '/admin/rewards', { name: 'Bonus', type: 'POINTS', amount: 1 });
    const game = await newGame(service, {
      codes: { FIRST: 'SINGLE', LAST: 'SINGLE' },
      missions: [{ programmaticCode: 'FIRST', rewardIds: [bonus.id] }, { programmaticCode: 'LAST' }],
    });
    const claimed = await oneStep(service, { campaign: { claimPolicy: 'EXPLICIT' } });
    await put({ endpoint: receiver.url });
    expect((await emit('FIRST', 'by-sync')).body.rewards).toMatchObject([{ rewardId: bonus.id }]);
    await nothingWaits(service);
    expect(receiver.received).toEqual([]);
    await emit('LAST', 'by-sync');
    expect((await receiver.got(1)).map(campaignOf)).toEqual([game.campaignId]);

    await emit(claimed.code, 'by-claim');
    const claim = { accountId: 'by-claim', idType: 'EXTERNAL' };
    await nothingWaits(service);
    expect(receiver.received).toHaveLength(1);
    await service.rest('POST', `/gamification/campaigns/${claimed.campaignId}/claim`, claim);
    expect((await receiver.got(2)).map(campaignOf)).toEqual([game.campaignId, claimed.campaignId]);

    await emit('FIRST', 'by-async', '/gamification/triggers/async');
    await emit('LAST', 'by-async', '/gamification/triggers/async');
    expect((await receiver.got(3)).map(campaignOf)).toEqual([game.campaignId, claimed.campaignId, game.campaignId]);
  });

  test('is not sent without a configuration, nor after DELETE until a new PUT', async () => {
    const { code } = await oneStep(service);
    await emit(code, 'before');
    await put({ endpoint: receiver.url });
    await service.rest('DELETE', '/webhooks/rewards');
    await emit(code, 'between');
    await nothingWaits(service);
    expect(receiver.received).toEqual([]);
    await put({ endpoint: receiver.url });
    await emit(code, 'after');
    await receiver.got(1);
    await nothingWaits(service);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('delivery', () => {
  test('that fails is not tried again; the reward is there all the same, and read from the earned rewards', async () => {
    answer = (_request, response) => response.writeHead(500).end('out of order');
    const { code, campaignId } = await oneStep(service);
    await put({ endpoint: receiver.url, method: 'PUT' });
    const { body } = await emit(code, 'unlucky');
    await nothingWaits(service);
    expect(receiver.received).toHaveLength(1);
    expect(service.log.some((line) => line.includes('500') && line.includes('ebhook'))).toBe(true);
    const earned = await service.rest('GET', '/v1/gamification/missions/my-rewards/unlucky?idType=EXTERNAL');
    expect(earned.body).toMatchObject([{ campaignId, status: 'DELIVERED', id: body.rewards[0].id }]);
  });

  test('starts after the call that caused it has answered, and gives up after 5 seconds', async () => {
    let closed: number | undefined;
    answer = (request) => request.socket.once('close', () => (closed = Date.now()));
    const { code } = await oneStep(service);
    await put({ endpoint: receiver.url });
    const begun = performance.now();
    expect((await emit(code, 'patient')).body.rewards).toMatchObject([{ status: 'DELIVERED' }]);
    expect(performance.now() - begun).toBeLessThan(4_000);
    const [request] = await receiver.got(1);
    await nothingWaits(service);
    await expect.poll(() => closed).toBeDefined();
    expect(closed! - request!.at).toBeGreaterThan(4_500);
    expect(closed! - request!.at).toBeLessThan(7_000);
    expect(receiver.received).toHaveLength(1);
  });
});

function campaignOf({ body }: { body: string }): string {
  return JSON.parse(body)[0].campaignId;
}

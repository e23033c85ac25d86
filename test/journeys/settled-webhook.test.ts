import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findDifferences } from '../../src/commands/verify.ts';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import type { GameOptions } from '../support/game.ts';
import { type Journey, type Player, startJourney, type Stage } from './stage.ts';

type Item = {
  earnedRewardId: string;
  accountId: string;
  externalId?: string;
  campaignId: string;
  type: string;
  productId?: string;
};

let journey: Journey;
let stage: Stage;
let ada: Player;
let receiver: Receiver;

beforeAll(async () => (journey = await startJourney('2027-06-01T12:00Z')));
beforeEach(async () => {
  stage = await journey.stage();
  ada = stage.player('ada');
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(() => journey.service.close());

const configure = async (settings: object = {}) =>
  expect(await stage.rest('PUT', '/webhooks/rewards', { endpoint: receiver.url, ...settings })).toMatchObject({
    status: 200,
  });
const ALL_SETTLED = { sendWhen: 'ALL_SETTLED' };

/** The items of all webhooks, webhook by webhook, after the outbox is empty. */
async function webhooks(): Promise<Item[][]> {
  const waiting = () =>
    journey.service.db.unitOfWork(stage.clientId, (uow) => uow.query('select 1 from outbox_message'));
  await expect.poll(waiting, { timeout: 8_000, interval: 20 }).toEqual([]);
  return receiver.received.map(({ body }) => JSON.parse(body));
}

const typesOf = (bodies: Item[][]) => bodies.map((items) => items.map(({ type }) => type));
const restock = (productId: string, quantity = 1) => stage.admin(`/admin/products/${productId}/stock`, { quantity });

/** A campaign that one LOGIN closes: points at once, and sold-out products. Returns the ids of the products. */
async function campaign(soldOut: readonly string[], options: GameOptions = {}, points = true) {
  const products: string[] = [];
  for (const name of soldOut)
    products.push((await stage.admin('/admin/products', { name, stockMode: 'COUNTED' })).id as string);
  const game = await stage.game({
    rewards: [
      ...(points ? [{ name: 'Ten', type: 'POINTS', amount: 10 }] : []),
      ...products.map((productId) => ({ name: 'A product', type: 'PRODUCTS', amount: 1, productId })),
    ],
    ...options,
  });
  return { ...game, products };
}

describe('by default a closing is reported as its rewards are delivered', () => {
  test('a restock sends a second webhook with the same accountId and campaignId; earnedRewardId tells the items apart', async () => {
    await configure();
    const { campaignId, products } = await campaign(['Mug']);
    await ada.emit('LOGIN');
    expect(typesOf(await webhooks())).toEqual([['POINTS']]);
    await restock(products[0]!);
    const [first, second, ...more] = await webhooks();
    expect(more).toEqual([]);
    const closing = { accountId: await ada.id(), campaignId };
    expect(first).toMatchObject([{ ...closing, type: 'POINTS' }]);
    expect(second).toMatchObject([{ ...closing, type: 'PRODUCTS', productId: products[0] }]);
    expect(await earnedIds()).toEqual(new Set([first![0]!.earnedRewardId, second![0]!.earnedRewardId]));
  });
});

describe('with sendWhen ALL_SETTLED a closing is reported once', () => {
  test('when the last of its rewards is delivered by a restock, with all of them', async () => {
    await configure(ALL_SETTLED);
    const { campaignId, products } = await campaign(['Mug', 'Cup']);
    const { rewards } = await ada.emit('LOGIN');
    expect(rewards).toMatchObject([{ rewardType: 'POINTS', status: 'DELIVERED' }]);
    await restock(products[1]!);
    expect(await webhooks()).toEqual([]);
    await restock(products[0]!);
    const closing = { accountId: await ada.id(), campaignId };
    expect(await webhooks()).toMatchObject([
      [
        { ...closing, type: 'POINTS', amount: 10, assignment: { status: 'COMPLETED' } },
        { ...closing, type: 'PRODUCTS', productId: products[0], productRedemptions: [{ product: { name: 'Mug' } }] },
        { ...closing, type: 'PRODUCTS', productId: products[1], productRedemptions: [{ product: { name: 'Cup' } }] },
      ],
    ]);
    expect(new Set((await webhooks())[0]!.map(({ earnedRewardId }) => earnedRewardId))).toEqual(await earnedIds());
    await restock(products[0]!, 5);
    expect(await webhooks()).toHaveLength(1);
  });

  test('at once where nothing waits, and by a claim as by an event', async () => {
    await configure(ALL_SETTLED);
    const { campaignId, products } = await campaign(['Mug'], { campaign: { claimPolicy: 'EXPLICIT' } });
    await stage.game({});
    await ada.emit('LOGIN');
    expect(typesOf(await webhooks())).toEqual([['POINTS']]);
    await ada.claim(campaignId);
    expect(await webhooks()).toHaveLength(1);
    await restock(products[0]!);
    expect(typesOf(await webhooks())).toEqual([['POINTS'], ['POINTS', 'PRODUCTS']]);
  });

  test('although two restocks settle it at the same moment', async () => {
    await configure(ALL_SETTLED);
    const { products } = await campaign(['Mug', 'Cup']);
    const players = Array.from({ length: 20 }, (_, index) => stage.player(`player-${index}`));
    await Promise.all(players.map((player) => player.emit('LOGIN')));
    for (let round = 0; round < players.length; round += 2) {
      await Promise.all(products.map((productId) => restock(productId, 2)));
    }
    const bodies = await webhooks();
    expect(typesOf(bodies)).toEqual(players.map(() => ['POINTS', 'PRODUCTS', 'PRODUCTS']));
    expect(new Set(bodies.map(([item]) => item!.accountId)).size).toBe(players.length);
    expect(new Set(bodies.flat().map(({ earnedRewardId }) => earnedRewardId)).size).toBe(players.length * 3);
  });

  test('with what was delivered, once its account is deleted and waits for nothing any more, also in two restocks at once', async () => {
    await configure(ALL_SETTLED);
    const { products } = await campaign(['Mug', 'Cup']);
    const players = Array.from({ length: 6 }, (_, index) => stage.player(`leaver-${index}`));
    for (const player of players) {
      await player.emit('LOGIN');
      await stage.rest('DELETE', `/accounts/${await player.id()}`);
    }
    await Promise.all(products.map((productId) => restock(productId, 1)));
    const bodies = await webhooks();
    expect(typesOf(bodies)).toEqual(players.map(() => ['POINTS']));
    expect(new Set(bodies.map(([item]) => item!.externalId))).toEqual(
      new Set(players.map((_, index) => `leaver-${index}`)),
    );
  });

  test('by the external id of the account that was deleted, unless it was erased or another account has it by now', async () => {
    await configure(ALL_SETTLED);
    const { products } = await campaign(['Mug']);
    const ids: string[] = [];
    for (const name of ['plain', 'erased', 'taken']) {
      await stage.player(name).emit('LOGIN');
      ids.push(await stage.player(name).id());
    }
    // Version 0.1.0 deletes this way: rewards of the account stay in the queue.
    await journey.service.db.unitOfWork(stage.clientId, (uow) =>
      uow.query('update account set deleted_at = now() where client_id = $1 and id = any($2)', [stage.clientId, ids]),
    );
    expect((await stage.rest('POST', `/accounts/${ids[1]}/erase`, {})).status).toBe(200);
    await stage.player('taken').id();
    await restock(products[0]!, 3);
    const items = (await webhooks()).flat();
    const externalIds = new Map(items.map(({ accountId, externalId }) => [accountId, externalId]));
    expect(ids.map((id) => externalIds.get(id))).toEqual(['plain', undefined, undefined]);
    // A message about an erased account may be deleted before it is sent.
    expect(externalIds.has(ids[2]!)).toBe(true);
  });

  test('not at all where nothing of it was delivered before its account was deleted', async () => {
    await configure(ALL_SETTLED);
    const { products } = await campaign(['Mug'], {}, false);
    await ada.emit('LOGIN');
    await stage.rest('DELETE', `/accounts/${await ada.id()}`);
    await restock(products[0]!);
    expect(await webhooks()).toEqual([]);
  });
});

describe('an operator who cancels what waits', () => {
  const cancel = (id: string, reason = 'Not made any more.') =>
    stage.rest('POST', `/admin/earned-rewards/${id}/cancel`, { reason });
  const pendingOf = async (player: Player = ada): Promise<string[]> =>
    (await player.rewards({ status: 'PENDING_STOCK' })).map(({ id }: { id: string }) => id);

  test('settles the closing: it is reported with what was delivered', async () => {
    await configure(ALL_SETTLED);
    const { products } = await campaign(['Mug', 'Cup']);
    await ada.emit('LOGIN');
    const [cup, mug] = await pendingOf();
    expect(await cancel(mug!)).toMatchObject({ status: 200, body: { id: mug, status: 'PENDING_STOCK' } });
    expect(await webhooks()).toEqual([]);
    await restock(products[1]!);
    expect(await webhooks()).toMatchObject([[{ type: 'POINTS' }, { type: 'PRODUCTS', earnedRewardId: cup }]]);
    expect((await ada.rewards()).map(({ id }: { id: string }) => id)).not.toContain(mug);
    await restock(products[0]!);
    expect(await webhooks()).toHaveLength(1);
    expect(
      (await ada.get('/redemptions/{id}')).map(({ product }: { product: { name: string } }) => product.name),
    ).toEqual(['Cup']);
  });

  test('sends nothing where nothing of it was delivered', async () => {
    await configure(ALL_SETTLED);
    await campaign(['Mug'], {}, false);
    await ada.emit('LOGIN');
    for (const id of await pendingOf()) await cancel(id);
    expect(await webhooks()).toEqual([]);
  });

  test('at the moment of the restock that delivers the rest tells it once', async () => {
    await configure(ALL_SETTLED);
    const { products } = await campaign(['Mug', 'Cup']);
    const players = Array.from({ length: 10 }, (_, index) => stage.player(`player-${index}`));
    for (const player of players) await player.emit('LOGIN');
    for (const player of players) {
      const [, mug] = await pendingOf(player);
      await Promise.all([cancel(mug!), restock(products[1]!)]);
    }
    expect(typesOf(await webhooks())).toEqual(players.map(() => ['POINTS', 'PRODUCTS']));
    expect(await findDifferences(journey.service.db)).toEqual([]);
  });

  test('has kept no units from those behind', async () => {
    const { id: productId } = await stage.admin('/admin/products', { name: 'Mug', stockMode: 'COUNTED' });
    const reward = (amount: number) => ({ name: `${amount} mugs`, type: 'PRODUCTS', amount, productId });
    await stage.game({ rewards: [reward(5)] });
    await ada.emit('LOGIN');
    const bob = stage.player('bob');
    await stage.game({ rewards: [reward(1)], codes: { VISIT: 'SINGLE' }, missions: [{ programmaticCode: 'VISIT' }] });
    await bob.emit('VISIT');
    await restock(productId, 2);
    expect(await pendingOf(bob)).toEqual([]);
    expect(await bob.rewards()).toMatchObject([{ status: 'DELIVERED', amount: 1 }]);
    const [large] = await pendingOf();
    await cancel(large!);
    expect(await pendingOf()).toEqual([]);
    expect((await stage.rest('GET', `/admin/products/${productId}`)).body).toMatchObject({ stock: 1 });
    expect(await findDifferences(journey.service.db)).toEqual([]);
  });

  test('is answered with 404 for what there is not, or no more, and 409 for what is delivered', async () => {
    await campaign(['Mug']);
    await ada.emit('LOGIN');
    const [waiting] = await pendingOf();
    const [delivered] = await ada.rewards({ status: 'DELIVERED' });
    expect(await cancel(delivered.id)).toMatchObject({ status: 409, body: { code: 'EARNED_REWARD_NOT_PENDING' } });
    expect(await cancel(waiting!, '')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(waiting!)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404, 404]);
    expect(await cancel(waiting!)).toMatchObject({ status: 404, body: { code: 'EARNED_REWARD_NOT_FOUND' } });
  });
});

describe('a closing keeps the way that was set when it closed, so that switching loses and doubles nothing', () => {
  test('from EACH_DELIVERY to ALL_SETTLED', async () => {
    await configure();
    const { products } = await campaign(['Mug', 'Cup']);
    await ada.emit('LOGIN');
    await configure(ALL_SETTLED);
    await restock(products[0]!);
    await restock(products[1]!);
    expect(typesOf(await webhooks())).toEqual([['POINTS'], ['PRODUCTS'], ['PRODUCTS']]);
    expect(new Set((await webhooks()).flat().map(({ earnedRewardId }) => earnedRewardId))).toEqual(await earnedIds());
  });

  test('from ALL_SETTLED to EACH_DELIVERY', async () => {
    await configure(ALL_SETTLED);
    const { products } = await campaign(['Mug', 'Cup']);
    await ada.emit('LOGIN');
    await configure();
    await restock(products[0]!);
    expect(await webhooks()).toEqual([]);
    await stage.player('bob').emit('LOGIN');
    expect(typesOf(await webhooks())).toEqual([['POINTS']]);
    await restock(products[1]!);
    expect(typesOf(await webhooks())).toEqual([['POINTS'], ['POINTS', 'PRODUCTS', 'PRODUCTS']]);
  });
});

test('sendWhen is answered, EACH_DELIVERY where it was not sent, and is no setting of the publication-status webhook', async () => {
  const put = async (settings: object, type = 'rewards') =>
    stage.rest('PUT', `/webhooks/${type}`, { endpoint: receiver.url, ...settings });
  expect(await put({})).toMatchObject({ status: 200, body: { sendWhen: 'EACH_DELIVERY' } });
  expect(await put(ALL_SETTLED)).toMatchObject({ status: 200, body: ALL_SETTLED });
  expect(await stage.rest('GET', '/webhooks/rewards')).toMatchObject({ status: 200, body: ALL_SETTLED });
  expect(await put({ sendWhen: null })).toMatchObject({ status: 200, body: { sendWhen: 'EACH_DELIVERY' } });
  expect(await put({ sendWhen: 'SOMETIMES' })).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(await put(ALL_SETTLED, 'publication-status')).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST', message: expect.stringContaining('sendWhen') },
  });
  expect((await put({}, 'publication-status')).body).not.toHaveProperty('sendWhen');
});

async function earnedIds(): Promise<Set<string>> {
  return new Set((await ada.rewards()).map(({ id }: { id: string }) => id));
}

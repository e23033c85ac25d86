import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventOf, ok, type Scene, startTwoServices } from './two-services.ts';

let two: Awaited<ReturnType<typeof startTwoServices>>;
let scene: Scene;

beforeAll(async () => (two = await startTwoServices()));
beforeEach(async () => (scene = await two.scene()));
afterEach(() => scene.receiver.close());
afterAll(() => two.close());

const simulate = (more: object = {}) => ok(scene.rest('POST', '/gamification/triggers/simulate', eventOf('ada', more)));

async function product(more: object): Promise<string> {
  const what = { name: 'Mug', stockMode: 'COUNTED', ...more };
  return (await ok(scene.rest('POST', '/admin/products', what))).id;
}

/** Ids that are new in every webhook, replaced by one word. */
function withoutNewIds(body: string): unknown {
  const made = new Set(['earnedRewardId', 'redemptionId', 'productRedemptionId']);
  return JSON.parse(body, (key, value) => (made.has(key) ? 'new' : value));
}

describe('the webhooks of a simulation', () => {
  test('are those that the event then sends: their bodies, their headers and nothing more', async () => {
    const auth = { authenticationMethodType: 'HEADER', authenticationMethodKey: 'X-Key', authenticationValue: 'hush' };
    const settings = { endpoint: `${scene.receiver.url}/secret-path?t=secret` };
    await ok(scene.rest('PUT', '/webhooks/rewards', { ...settings, signed: true }));
    await ok(scene.rest('PUT', '/webhooks/mission-completed', { ...settings, ...auth, retries: true }));
    await ok(scene.rest('PUT', '/webhooks/stock-low', settings));
    const productId = await product({ stock: 4, lowStockThreshold: 4 });
    const mug = { name: 'Mug', type: 'PRODUCTS', amount: 1, productId };
    const points = { name: 'Ten', type: 'POINTS', amount: 10 };
    await scene.game({ rewards: [points, mug], missions: [{ target: 2 }] });
    await scene.emit('ada');
    const [{ webhooks }] = await simulate({ operationId: 'second' });
    expect(JSON.stringify(webhooks)).not.toContain('secret');
    expect(await scene.bodies()).toEqual([]);
    await scene.emit('ada', { operationId: 'second' });
    await scene.bodies();
    const sent = await scene.receiver.got(3);
    expect(webhooks.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'MISSION_COMPLETED',
      'REWARDS',
      'STOCK_LOW',
    ]);
    const byBody = (bodies: readonly string[]) => bodies.map((body) => JSON.stringify(withoutNewIds(body))).toSorted();
    expect(byBody(webhooks.map(({ body }: { body: string }) => body))).toEqual(byBody(sent.map(({ body }) => body)));
    const byHttp = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept', 'accept-encoding']);
    for (const { body, headerNames, target } of webhooks) {
      const same = JSON.stringify(withoutNewIds(body));
      const { headers } = sent.find((each) => JSON.stringify(withoutNewIds(each.body)) === same)!;
      const named = Object.keys(headers).filter((name) => !byHttp.has(name));
      expect(headerNames.toSorted()).toEqual(named.toSorted());
      expect(target).toBe(scene.receiver.url);
    }
  });

  test('are none where no webhook is configured, and of a mission that would not move', async () => {
    await scene.game({ missions: [{ target: 1 }] });
    expect(await simulate()).toMatchObject([{ webhooks: [] }]);
    await scene.configure('mission-completed');
    await scene.emit('ada');
    expect(await simulate()).toMatchObject([
      { webhooks: [], reason: 'ALREADY_COMPLETED', uncountedReason: 'ALREADY_COMPLETED' },
    ]);
  });

  test('hold no code that nobody has earned', async () => {
    await scene.configure('rewards');
    const productId = await product({ stockMode: 'CODES' });
    await ok(scene.rest('POST', `/admin/products/${productId}/codes`, { codes: ['SECRET-VOUCHER-77'] }));
    await scene.game({ rewards: [{ name: 'Voucher', type: 'PRODUCTS', amount: 1, productId }] });
    const [{ webhooks }] = await simulate();
    expect(webhooks).toHaveLength(1);
    expect(webhooks[0].body).toContain('••••R-77');
    expect(JSON.stringify(webhooks)).not.toContain('SECRET');
  });

  test('leave nothing in the outbox, and take no unit', async () => {
    await scene.configure('mission-completed');
    const productId = await product({ stock: 4 });
    await scene.game({ rewards: [{ name: 'Mug', type: 'PRODUCTS', amount: 1, productId }] });
    expect((await simulate({ operationId: 'one' }))[0].webhooks).toHaveLength(1);
    expect(await scene.bodies()).toEqual([]);
    expect(await ok(scene.rest('GET', `/admin/products/${productId}`))).toMatchObject({ stock: 4, waiting: 0 });
    expect((await scene.emit('ada', { operationId: 'one' })).progressedMissions).toHaveLength(1);
  });
});

describe('the stock in a simulation', () => {
  test('is what each reward finds: those before it have taken theirs, and what does not suffice stays', async () => {
    const productId = await product({ stock: 4 });
    const unlimited = await product({ name: 'Sticker', stockMode: 'UNLIMITED' });
    const mugs = (name: string, amount: number) => ({ name, type: 'PRODUCTS', amount, productId });
    const sticker = { name: 'D', type: 'PRODUCTS', amount: 2, productId: unlimited };
    await scene.game({ rewards: [mugs('A', 1), mugs('B', 5), mugs('C', 3), sticker] });
    const [{ closing }] = await simulate();
    const rewards = closing.rewards.toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1));
    expect(rewards).toMatchObject([
      { name: 'A', productName: 'Mug', units: 1, unitsFree: 4, status: 'DELIVERED' },
      { name: 'B', productName: 'Mug', units: 5, unitsFree: 3, status: 'PENDING_STOCK' },
      { name: 'C', productName: 'Mug', units: 3, unitsFree: 3, status: 'DELIVERED' },
      { name: 'D', productName: 'Sticker', units: 2, status: 'DELIVERED' },
    ]);
    expect(rewards[3]).not.toHaveProperty('unitsFree');
    expect(await ok(scene.rest('GET', `/admin/products/${productId}`))).toMatchObject({ stock: 4, waiting: 0 });
  });
});

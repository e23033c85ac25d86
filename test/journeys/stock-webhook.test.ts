import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import { restAs } from '../support/service.ts';
import { type Body, eventOf, ok, type Scene, startTwoServices } from './two-services.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let two: Awaited<ReturnType<typeof startTwoServices>>;
let scene: Scene;

beforeAll(async () => (two = await startTwoServices()));
beforeEach(async () => (scene = await two.scene()));
afterEach(() => scene.receiver.close());
afterAll(() => two.close());

describe('the stock-low webhook', () => {
  const product = async (more: object) =>
    (await ok(scene.rest('POST', '/admin/products', { name: 'Mug', stockMode: 'COUNTED', ...more }))).id as string;
  const restock = (id: string, quantity: number) => ok(scene.rest('POST', `/admin/products/${id}/stock`, { quantity }));
  const givenFor = (productId: string, amount = 1, code = 'LOGIN') =>
    scene.game({
      codes: { [code]: 'SINGLE' },
      missions: [{ programmaticCode: code }],
      rewards: [{ name: 'Mug', type: 'PRODUCTS', amount, productId }],
    });
  const marks = async () => (await scene.bodies()).map(({ state, stock }) => [state, stock]);

  test('tells the product, what is left and when, once it is below the threshold, and again only when it is sold out', async () => {
    await scene.configure('stock-low');
    const productId = await product({ stock: 4, lowStockThreshold: 3 });
    await givenFor(productId);
    await scene.emit('a');
    expect(await scene.bodies()).toEqual([]);
    await scene.emit('b');
    expect(await scene.bodies()).toEqual([
      {
        productId,
        name: 'Mug',
        clientId: scene.tenant.clientId,
        state: 'LOW',
        stock: 2,
        lowStockThreshold: 3,
        occurredAt: new Date(two.clock.now).toISOString(),
      },
    ]);
    await scene.emit('c');
    expect(await marks()).toEqual([['LOW', 2]]);
    await scene.emit('d');
    expect(await marks()).toEqual([
      ['LOW', 2],
      ['SOLD_OUT', 0],
    ]);
    await scene.emit('e');
    expect(await marks()).toHaveLength(2);
  });

  test('comes again after a restock to the threshold, and not after a smaller one or one that waiting rewards use up', async () => {
    await scene.configure('stock-low');
    const productId = await product({ stock: 3, lowStockThreshold: 3 });
    await givenFor(productId);
    await scene.emit('a');
    await restock(productId, 1);
    await scene.emit('b');
    const expected = [
      ['LOW', 2],
      ['LOW', 2],
    ];
    expect(await marks()).toEqual(expected);
    await scene.emit('c');
    await scene.emit('d');
    expected.push(['SOLD_OUT', 0]);
    expect(await marks()).toEqual(expected);
    await scene.emit('waits');
    await restock(productId, 1);
    expect(await marks()).toEqual(expected);
    await restock(productId, 2);
    await scene.emit('f');
    expect(await marks()).toEqual(expected);
    await scene.emit('g');
    expected.push(['SOLD_OUT', 0]);
    expect(await marks()).toEqual(expected);
  });

  test('comes whoever takes the units: rewards, purchases for points, the marketplace, withdrawn codes', async () => {
    await scene.configure('stock-low');
    const coded = await product({ stockMode: 'CODES', pointsCost: 1, lowStockThreshold: 1 });
    const codesOf = (...codes: string[]) => ok(scene.rest('POST', `/admin/products/${coded}/codes`, { codes }));
    const { id: accountId } = await ok(scene.rest('POST', '/accounts', { externalId: 'buyer' }));
    await ok(
      scene.rest('POST', `/admin/accounts/${accountId}/points/adjust`, {
        amount: 10,
        reason: 'test',
        operationId: 'gift',
      }),
    );
    await codesOf('ONE');
    await ok(scene.rest('POST', `/loyalty/products/${coded}/redeem`, { accountId: 'buyer', idType: 'EXTERNAL' }));
    expect(await marks()).toEqual([['SOLD_OUT', 0]]);
    await codesOf('TWO');
    const { rows } = await ok(scene.rest('GET', `/admin/products/${coded}/codes/paginated?page=1&limit=10`));
    const unused = rows.find(({ status }: { status: string }) => status === 'UNUSED');
    await ok(scene.rest('POST', `/admin/products/${coded}/codes/withdraw`, { codeIds: [unused.id] }));
    expect(await marks()).toHaveLength(2);
    const sold = await product({ name: 'Sold', stock: 5, lowStockThreshold: 2 });
    const { id: publication } = await ok(
      scene.rest('POST', '/admin/publications', { name: 'Sold', stock: 5, productId: sold }),
    );
    await ok(
      scene.rest('POST', `/marketplace/publications/${publication}/publish`, undefined, scene.tenant.adminToken),
    );
    const buy = (quantity: number) =>
      ok(
        scene.rest('POST', `/marketplace/publications/redeem/${publication}`, {
          accountId: 'buyer',
          idType: 'EXTERNAL',
          quantity,
        }),
      );
    await buy(3);
    expect(await marks()).toHaveLength(2);
    await buy(1);
    expect((await scene.bodies()).at(-1)).toMatchObject({ productId: sold, state: 'LOW', stock: 1 });
  });

  test('comes once although two processes take the units, and once for a batch', async () => {
    await scene.configure('stock-low');
    const productId = await product({ stock: 40, lowStockThreshold: 10 });
    await givenFor(productId);
    await Promise.all(Array.from({ length: 35 }, (_, index) => scene.emit(`taker-${index}`, {}, index % 2)));
    const [[state, stock], ...more] = (await marks()) as [[string, number]];
    expect(more).toEqual([]);
    expect(state).toBe('LOW');
    expect(stock).toBeLessThan(10);
    expect(stock).toBeGreaterThanOrEqual(5);
    await restock(productId, 35);
    const triggers = Array.from({ length: 40 }, (_, index) => eventOf(`batch-${index}`));
    await ok(scene.rest('POST', '/gamification/triggers/batch', { triggers }));
    expect(await marks()).toEqual([
      ['LOW', stock],
      ['SOLD_OUT', 0],
    ]);
  });

  test('is not sent without a threshold, nor by setting one, nor for another client, nor while it is not configured', async () => {
    const quiet = await product({ stock: 1 });
    const early = await product({ stock: 1, lowStockThreshold: 1 });
    await givenFor(early, 1, 'EARLY');
    await scene.emit('a', { programmaticCode: 'EARLY' });
    await scene.configure('stock-low');
    await givenFor(quiet, 1, 'QUIET');
    await scene.emit('a', { programmaticCode: 'QUIET' });
    const set = await product({ stock: 2 });
    const change = { name: 'Mug', version: 1, lowStockThreshold: 5 };
    expect(await ok(scene.rest('PUT', `/admin/products/${set}`, change))).toMatchObject({
      lowStockThreshold: 5,
      stock: 2,
    });
    const other = await two.services[0].newTenant();
    const otherRest = restAs(two.services[0].baseUrl, other);
    const theirs = await ok(
      otherRest('POST', '/admin/products', { name: 'Theirs', stockMode: 'COUNTED', stock: 1, lowStockThreshold: 1 }),
    );
    await newGame(two.services[0], {
      adminToken: other.adminToken,
      rewards: [{ name: 'Theirs', type: 'PRODUCTS', amount: 1, productId: theirs.id }],
    });
    await ok(otherRest('POST', '/gamification/triggers', eventOf('a')));
    expect(await scene.bodies()).toEqual([]);
    await ok(scene.rest('PUT', `/admin/products/${set}`, { name: 'Mug', version: 2 }));
    expect(await ok(scene.rest('GET', `/admin/products/${set}`))).not.toHaveProperty('lowStockThreshold');
  });

  test('of a purchase that is refused, or rolled back with its batch, is not sent', async () => {
    await scene.configure('stock-low');
    const productId = await product({ stock: 2, pointsCost: 5, lowStockThreshold: 2 });
    const poor = { accountId: 'poor', idType: 'EXTERNAL' };
    await ok(scene.rest('POST', '/accounts', { externalId: 'poor' }));
    expect(await scene.rest('POST', `/loyalty/products/${productId}/redeem`, poor)).toMatchObject({ status: 409 });
    await givenFor(productId);
    expect(await scene.rollBackLogin('undone')).toBe(1);
    expect(await scene.bodies()).toEqual([]);
  });

  test('needs units that are counted: a threshold of an UNLIMITED product is a 400 that says so', async () => {
    const draft = { name: 'Endless', stockMode: 'UNLIMITED' };
    const refusal = { status: 400, body: { message: expect.stringMatching(/`lowStockThreshold`.*Leave it out/) } };
    expect(await scene.rest('POST', '/admin/products', { ...draft, lowStockThreshold: 3 })).toMatchObject(refusal);
    const { id } = await ok(scene.rest('POST', '/admin/products', draft));
    const change = { name: 'Endless', version: 1, lowStockThreshold: 3 };
    expect(await scene.rest('PUT', `/admin/products/${id}`, change)).toMatchObject(refusal);
  });
});

describe('the account that a rewards webhook is about', () => {
  const closing = async (account: object, claimPolicy = 'AUTOMATIC') => {
    await scene.configure('rewards');
    const productId = (await ok(scene.rest('POST', '/admin/products', { name: 'Mug', stockMode: 'COUNTED' })))
      .id as string;
    const { campaignId } = await scene.game({
      rewards: [
        { name: 'Ten', type: 'POINTS', amount: 10 },
        { name: 'Mug', type: 'PRODUCTS', amount: 1, productId },
      ],
      campaign: { claimPolicy },
    });
    const { id } = await ok(scene.rest('POST', '/accounts', account));
    return { campaignId, productId, id: id as string };
  };
  const items = async () => (await scene.bodies()).flatMap((body) => body as unknown as Body[]);

  test.each(['AUTOMATIC', 'EXPLICIT'])(
    'carries its external id beside the internal one, at once and after a restock: %s',
    async (policy) => {
      const { campaignId, productId, id } = await closing({ externalId: 'ada' }, policy);
      await scene.emit('ada');
      if (policy === 'EXPLICIT')
        await ok(
          scene.rest('POST', `/gamification/campaigns/${campaignId}/claim`, { accountId: 'ada', idType: 'EXTERNAL' }),
        );
      await ok(scene.rest('POST', `/admin/products/${productId}/stock`, { quantity: 1 }));
      expect(await items()).toMatchObject([
        { accountId: id, externalId: 'ada', type: 'POINTS' },
        { accountId: id, externalId: 'ada', type: 'PRODUCTS' },
      ]);
      expect(id).toMatch(UUID);
    },
  );

  test('has none where the account has none, and the same bytes are sent again by hand', async () => {
    const { id } = await closing({});
    await scene.emit(id, { idType: 'INTERNAL' });
    const [item] = await items();
    expect(item).toMatchObject({ accountId: id });
    expect(item).not.toHaveProperty('externalId');
    await scene.emit('with-one');
    await items();
    const { rows } = await ok(scene.rest('GET', '/admin/webhooks/deliveries/paginated?page=1&limit=10'));
    await ok(scene.rest('POST', `/admin/webhooks/deliveries/${rows[0].id}/redeliver`));
    expect(await items()).toHaveLength(3);
    expect(scene.receiver.received[2]!.body).toBe(scene.receiver.received[1]!.body);
    expect(JSON.parse(scene.receiver.received[2]!.body)).toMatchObject([{ externalId: 'with-one' }]);
  });
});

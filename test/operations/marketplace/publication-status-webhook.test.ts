import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { type Listener, listen } from './announcements.ts';
import { newAgreement, newCustomer, newOffer, post, stateOf } from './shop.ts';

let service: TestService;
let listener: Listener;
/** A clock that only tests change, so that the times of changes differ from the times of sending. */
let now = new Date();

beforeAll(async () => {
  service = await startService({ clock: () => now });
});
beforeEach(async () => {
  listener = await listen(service);
});
afterEach(() => listener.receiver.close());
afterAll(() => service.close());

const move = (id: string, to: 'publish' | 'unpublish') => post(service, `/marketplace/publications/${id}/${to}`);

/** The announcements for a publication, after `count` webhooks of all publications have arrived. */
async function announced(id: string, count: number) {
  return (await listener.received(count)).get(id) ?? [];
}

describe('the webhook of a publication', () => {
  test('that is published says NONE, in one POST with the configured authentication and nothing else', async () => {
    const id = await newOffer(service, { publish: false });
    const { productId } = await stateOf(service, id);
    await move(id, 'publish');
    const [request] = await listener.receiver.got(1);
    expect(request).toMatchObject({ method: 'POST', url: '/publications?token=a-long-secret' });
    expect(request!.headers['content-type']).toBe('application/json');
    expect(JSON.parse(request!.body)).toEqual({
      publicationId: id,
      productId,
      clientId: service.clientId,
      status: 'PUBLISHED_ON_MARKETPLACE',
      pauseReason: 'NONE',
      availableStock: 10,
      timestamp: now.toISOString(),
    });
  });

  test('that is unpublished says MANUAL and how much was available then', async () => {
    const id = await newOffer(service);
    const ada = await newCustomer(service, 'ada');
    await ada.freeze(id, { quantity: 4 });
    await move(id, 'unpublish');
    expect(await announced(id, 2)).toMatchObject([{}, { status: 'DRAFT', pauseReason: 'MANUAL', availableStock: 6 }]);
  });

  test('that a purchase empties says PUBLICATION_OUT_OF_STOCK and 0', async () => {
    const id = await newOffer(service, { stock: 2 });
    const ada = await newCustomer(service, 'ada');
    await ada.redeem(id);
    await ada.redeem(id);
    const sold = { status: 'DRAFT', pauseReason: 'PUBLICATION_OUT_OF_STOCK', availableStock: 0 };
    expect(await announced(id, 2)).toMatchObject([{}, sold]);
    expect(await stateOf(service, id)).toMatchObject(sold);
  });

  test('says so too where the last units are held back by somebody else, or were by the buyer', async () => {
    const [held, bought] = [await newOffer(service, { stock: 2 }), await newOffer(service, { stock: 2 })];
    const [ada, ben] = [await newCustomer(service, 'ada'), await newCustomer(service, 'ben')];
    await ada.freeze(held);
    await ben.redeem(held);
    await ada.freeze(bought, { quantity: 2 });
    await ada.redeem(bought);
    const sold = { status: 'DRAFT', pauseReason: 'PUBLICATION_OUT_OF_STOCK', availableStock: 0 };
    for (const id of [held, bought]) expect(await announced(id, 4)).toMatchObject([{}, sold]);
    expect(await stateOf(service, held)).toMatchObject({ stock: 1, ...sold });
  });

  test('whose agreement runs out says AGREEMENT_OUT_OF_STOCK with its own stock, once for each published one', async () => {
    const agreementId = await newAgreement(service, 3);
    const stocks = [5, 6, 7];
    const ids = [];
    for (const stock of stocks) ids.push(await newOffer(service, { stock, agreementId }));
    const draft = await newOffer(service, { agreementId, publish: false });
    const other = await newOffer(service);
    await (await newCustomer(service, 'ada')).redeem(ids[0]!, { quantity: 3 });
    const received = await listener.received(4 + 3);
    const left = [2, 6, 7];
    for (const [index, id] of ids.entries()) {
      const paused = { status: 'DRAFT', pauseReason: 'AGREEMENT_OUT_OF_STOCK', availableStock: left[index] };
      expect(received.get(id)).toMatchObject([{ pauseReason: 'NONE' }, { ...paused, timestamp: expect.any(String) }]);
      expect(await stateOf(service, id)).toMatchObject(paused);
    }
    expect(received.get(draft)).toBeUndefined();
    expect(received.get(other)).toHaveLength(1);
    expect((await stateOf(service, other)).status).toBe('PUBLISHED_ON_MARKETPLACE');
  });

  test('that empties itself and its agreement at once says the nearer cause, and the others the agreement', async () => {
    const agreementId = await newAgreement(service, 2);
    const [own, other] = [
      await newOffer(service, { stock: 2, agreementId }),
      await newOffer(service, { stock: 9, agreementId }),
    ];
    await (await newCustomer(service, 'ada')).redeem(own, { quantity: 2 });
    const received = await listener.received(2 + 2);
    expect(received.get(own)).toMatchObject([{}, { pauseReason: 'PUBLICATION_OUT_OF_STOCK', availableStock: 0 }]);
    expect(received.get(other)).toMatchObject([{}, { pauseReason: 'AGREEMENT_OUT_OF_STOCK', availableStock: 9 }]);
  });

  test('is not sent for a reservation that reaches 0, a repeat, a refused purchase or a replayed one', async () => {
    const id = await newOffer(service, { stock: 2 });
    const [ada, ben] = [await newCustomer(service, 'ada'), await newCustomer(service, 'ben')];
    await move(id, 'publish');
    await ada.freeze(id, { quantity: 2 });
    await ben.redeem(id);
    await ada.unfreeze(id);
    await ada.redeem(id, { quantity: 2, operationId: 'the last two' });
    await ada.redeem(id, { quantity: 2, operationId: 'the last two' });
    await move(id, 'unpublish');
    await post(service, `/admin/publications/${id}/stock`, { quantity: 1 });
    await move(id, 'publish');
    // Any other announcement would have arrived before this one.
    expect((await announced(id, 3)).map(({ pauseReason }) => pauseReason)).toEqual([
      'NONE',
      'PUBLICATION_OUT_OF_STOCK',
      'NONE',
    ]);
  });

  test('is not sent for a purchase that takes the last units, held back before, of a draft', async () => {
    const id = await newOffer(service, { stock: 2 });
    const ada = await newCustomer(service, 'ada');
    await ada.freeze(id, { quantity: 2 });
    await move(id, 'unpublish');
    expect((await ada.redeem(id)).status).toBe(200);
    await post(service, `/admin/publications/${id}/stock`, { quantity: 1 });
    await move(id, 'publish');
    const reasons = (await announced(id, 3)).map(({ pauseReason }) => pauseReason);
    expect(reasons).toEqual(['NONE', 'MANUAL', 'NONE']);
  });

  test('tells the moment and the stock of the change, in order, also when a clock goes backwards', async () => {
    const id = await newOffer(service, { stock: 5 });
    now = new Date(now.getTime() - 60_000);
    await move(id, 'unpublish');
    await move(id, 'publish');
    now = new Date(now.getTime() + 600_000);
    await (await newCustomer(service, 'ada')).redeem(id, { quantity: 5 });
    await post(service, `/admin/publications/${id}/stock`, { quantity: 3 });
    await move(id, 'publish');
    const received = await announced(id, 5);
    expect(received.map(({ pauseReason, availableStock }) => [pauseReason, availableStock])).toEqual([
      ['NONE', 5],
      ['MANUAL', 5],
      ['NONE', 5],
      ['PUBLICATION_OUT_OF_STOCK', 0],
      ['NONE', 3],
    ]);
    expect(new Set(received.map(({ timestamp }) => timestamp)).size).toBe(5);
    expect(received[3]!.timestamp).toBe(now.toISOString());
  });
});

test('nothing is sent while the type is not configured, also if the rewards webhook is', async () => {
  const rewards = { endpoint: `${listener.receiver.url}/rewards` };
  await service.rest('PUT', '/webhooks/rewards', rewards);
  await service.rest('DELETE', '/webhooks/publication-status');
  const id = await newOffer(service);
  await move(id, 'unpublish');
  const again = await listen(service);
  await move(id, 'publish');
  expect(JSON.parse((await again.receiver.got(1))[0]!.body)).toMatchObject({ pauseReason: 'NONE' });
  expect(again.receiver.received).toHaveLength(1);
  expect(listener.receiver.received).toEqual([]);
  await service.rest('DELETE', '/webhooks/rewards');
  await again.receiver.close();
});

test("another client's changes go to its own receiver", async () => {
  const stranger = await service.newTenant();
  const theirs = await listen(service, stranger.adminToken);
  const id = await newOffer(service, { adminToken: stranger.adminToken });
  const [request] = await theirs.receiver.got(1);
  expect(JSON.parse(request!.body)).toMatchObject({ publicationId: id, clientId: stranger.clientId });
  expect(listener.receiver.received).toEqual([]);
  await theirs.receiver.close();
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import type { TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';
import { expectWebhook } from './support/openapi.ts';
import { newAgreement, newPublication } from './support/shop.ts';

type StatusChange = {
  publicationId: string;
  productId: string;
  clientId: string;
  status: string;
  pauseReason: string;
  availableStock: number;
  timestamp: string;
};

let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  service = await startContractService();
  await service.rest('POST', '/accounts/resolve', { externalId: 'ada' });
});
afterAll(() => service.close());
beforeEach(async () => {
  receiver = await startReceiver();
  await service.rest('PUT', '/webhooks/publication-status', { endpoint: receiver.url });
  return () => receiver.close();
});

const move = (id: string, to: 'publish' | 'unpublish') => service.rest('POST', `/marketplace/publications/${id}/${to}`);
const buy = (id: string, quantity = 1) =>
  service.rest('POST', `/marketplace/publications/redeem/${id}`, { accountId: 'ada', idType: 'EXTERNAL', quantity });
const read = async (id: string) => (await service.rest('GET', `/marketplace/publications/${id}`)).body;

/** The contents of the webhooks, after `count` have arrived and none waits. */
async function receivedChanges(count: number): Promise<StatusChange[]> {
  await receiver.got(count);
  const waiting = () =>
    service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('select 1 from outbox_message where client_id = $1', [uow.clientId]),
    );
  await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toEqual([]);
  expect(receiver.received).toHaveLength(count);
  for (const { method, headers, body } of receiver.received) {
    expect(method).toBe('POST');
    expectWebhook('publication-status', headers, body);
  }
  return receiver.received.map(({ body }) => JSON.parse(body));
}

describe('every move of a publication sends one webhook', () => {
  test('publish: PUBLISHED_ON_MARKETPLACE with NONE, and every documented field', async () => {
    const id = await newPublication(service, { stock: 7, publish: false });
    const before = Date.now();
    expect(await move(id, 'publish')).toMatchObject({ status: 200, body: { status: 'PUBLISHED_ON_MARKETPLACE' } });
    const { productId } = await read(id);
    const [change] = await receivedChanges(1);
    expect(change).toEqual({
      publicationId: id,
      productId,
      clientId: service.clientId,
      status: 'PUBLISHED_ON_MARKETPLACE',
      pauseReason: 'NONE',
      availableStock: 7,
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
    });
    expect(Date.parse(change!.timestamp)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(change!.timestamp)).toBeLessThanOrEqual(receiver.received[0]!.at);
  });

  test('manual unpublish: DRAFT with MANUAL; a repeat sends nothing', async () => {
    const id = await newPublication(service, { stock: 7 });
    await receivedChanges(1);
    expect((await move(id, 'unpublish')).body).toMatchObject({ status: 'DRAFT' });
    expect((await move(id, 'unpublish')).status).toBe(200);
    expect((await receivedChanges(2))[1]).toMatchObject({ status: 'DRAFT', pauseReason: 'MANUAL', availableStock: 7 });
  });

  test('a purchase that leaves availableStock at 0: DRAFT with PUBLICATION_OUT_OF_STOCK', async () => {
    const id = await newPublication(service, { stock: 2 });
    await buy(id);
    await receivedChanges(1);
    expect((await buy(id)).status).toBe(200);
    expect((await receivedChanges(2))[1]).toMatchObject({
      publicationId: id,
      status: 'DRAFT',
      pauseReason: 'PUBLICATION_OUT_OF_STOCK',
      availableStock: 0,
    });
    expect(await read(id)).toMatchObject({ status: 'DRAFT', pauseReason: 'PUBLICATION_OUT_OF_STOCK' });
    expect(await buy(id)).toMatchObject({ status: 409, body: errorBody(409, 'PUBLICATION_NOT_PUBLISHED') });
  });

  test('an agreement that runs out: every linked publication at once, one webhook each', async () => {
    const agreementId = await newAgreement(service, 2);
    const ids = await Promise.all([4, 5, 6].map((stock) => newPublication(service, { stock, agreementId })));
    await receivedChanges(3);
    expect((await buy(ids[0]!, 2)).status).toBe(200);
    const changes = (await receivedChanges(6)).slice(3);
    expect(changes.map((change) => change.publicationId).toSorted()).toEqual(ids.toSorted());
    for (const change of changes) {
      expect(change).toMatchObject({ status: 'DRAFT', pauseReason: 'AGREEMENT_OUT_OF_STOCK' });
      expect(change.availableStock).toBe((await read(change.publicationId)).availableStock);
    }
    expect(changes.some((change) => change.availableStock > 0)).toBe(true);
    for (const id of ids)
      expect(await read(id)).toMatchObject({ status: 'DRAFT', pauseReason: 'AGREEMENT_OUT_OF_STOCK' });
  });
});

test("the integrator's team, its administrator and a service administrator publish and unpublish", async () => {
  const id = await newPublication(service, { publish: false });
  for (const token of [service.apiKey, service.adminToken, service.serviceToken]) {
    for (const to of ['publish', 'unpublish']) {
      expect((await service.rest('POST', `/marketplace/publications/${id}/${to}`, undefined, token)).status).toBe(200);
    }
  }
  await receivedChanges(6);
});

test('without a configuration nothing is sent', async () => {
  await service.rest('DELETE', '/webhooks/publication-status');
  const id = await newPublication(service);
  await move(id, 'unpublish');
  expect(await receivedChanges(0)).toEqual([]);
});

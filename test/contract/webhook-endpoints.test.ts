import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPublication } from './support/shop.ts';
import { type Answer, type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { newTenant, restAs, type TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';
import { expectEndpointBody, expectWebhook } from './support/openapi.ts';
import { nothingWaits, oneStep } from './support/webhooks.ts';

const PATH = '/webhooks/endpoints';
const NOBODYS_ID = '00000000-0000-7000-8000-000000000000';

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
  const { body } = await service.rest('GET', PATH);
  for (const { id } of body.rows) await service.rest('DELETE', `${PATH}/${id}`);
  for (const type of ['rewards', 'mission-completed']) await service.rest('DELETE', `/webhooks/${type}`);
  await receiver.close();
});

const ALL = ['REWARDS_DELIVERED', 'PUBLICATION_STATUS_CHANGED', 'MISSION_COMPLETED', 'STOCK_LOW'];
const draft = (fields: object = {}) => ({ name: 'Orders', url: `${receiver.url}/all`, types: ALL, ...fields });
const create = async (fields: object = {}) => {
  const { status, body } = await service.rest('POST', PATH, { endpoint: draft(fields) });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const emit = (programmaticCode: string, accountId: string) =>
  service.rest('POST', '/gamification/triggers', { programmaticCode, accountId, idType: 'EXTERNAL' });

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));

describe('management', () => {
  test('an endpoint is created with a secret that only this answer shows, and read, listed, changed and deleted', async () => {
    const { signingSecret, ...created } = await create({ types: ['STOCK_LOW'] });
    expect(signingSecret).toMatch(/^whsec_/);
    expect(created).toMatchObject({ name: 'Orders', types: ['STOCK_LOW'], campaignIds: [], retries: true, version: 1 });
    expect(created).toMatchObject({ form: 'PLAIN', url: `${receiver.url}/all` });
    expect(await service.rest('GET', `${PATH}/${created.id}`)).toMatchObject({ status: 200, body: created });
    expect((await service.rest('GET', PATH)).body).toEqual({ rows: [created] });
    const change = { version: 1, endpoint: draft({ name: 'Stock', retries: false, form: 'CLOUD_EVENTS' }) };
    const changed = await service.rest('PUT', `${PATH}/${created.id}`, change);
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Stock', types: ALL, retries: false, form: 'CLOUD_EVENTS', version: 2 },
    });
    expect(changed.body).not.toHaveProperty('signingSecret');
    expect(await service.rest('DELETE', `${PATH}/${created.id}`)).toMatchObject({ status: 204 });
    expect(await service.rest('DELETE', `${PATH}/${created.id}`)).toMatchObject({
      status: 404,
      body: errorBody(404, 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    });
  });

  test('a change and a deletion that are based on an old version are refused', async () => {
    const { id } = await create();
    await service.rest('PUT', `${PATH}/${id}`, { version: 1, endpoint: draft() });
    const conflict = { status: 409, body: errorBody(409, 'VERSION_CONFLICT') };
    expect(await service.rest('PUT', `${PATH}/${id}`, { version: 1, endpoint: draft() })).toMatchObject(conflict);
    expect(await service.rest('DELETE', `${PATH}/${id}?version=1`)).toMatchObject(conflict);
    expect(await service.rest('DELETE', `${PATH}/${id}?version=2`)).toMatchObject({ status: 204 });
  });

  test('a client has at most 20 endpoints, also with parallel creations', async () => {
    const answers = await Promise.all(
      Array.from({ length: 22 }, (_, index) => service.rest('POST', PATH, { endpoint: draft({ name: `${index}` }) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expect(refused).toMatchObject({ status: 409, body: errorBody(409, 'TOO_MANY_WEBHOOK_ENDPOINTS') });
    }
  });

  test.each([
    ['no type', { types: [] }],
    ['a type twice', { types: ['STOCK_LOW', 'STOCK_LOW'] }],
    ['an unknown type', { types: ['LEVEL_LOST'] }],
    ['an address without protocol', { url: 'example.com' }],
    ['an address with a fragment', { url: 'https://example.com/#a' }],
    ['user information', { url: 'https://a:b@example.com/' }],
    ['an unknown form', { form: 'XML' }],
    ['no name', { name: '' }],
    ['campaigns with a type that belongs to none', { types: ['STOCK_LOW'], campaignIds: [NOBODYS_ID] }],
  ])('%s is refused with 400', async (_, fields) => {
    expect(await service.rest('POST', PATH, { endpoint: draft(fields) })).toMatchObject({
      status: 400,
      body: errorBody(400, 'BAD_REQUEST'),
    });
  });

  test('an unknown campaign is refused with 404', async () => {
    const fields = { types: ['MISSION_COMPLETED'], campaignIds: [NOBODYS_ID] };
    expect(await service.rest('POST', PATH, { endpoint: draft(fields) })).toMatchObject({
      status: 404,
      body: errorBody(404, 'CAMPAIGN_NOT_FOUND'),
    });
  });

  test("another client's endpoint does not exist", async () => {
    const { id } = await create();
    const other = restAs(service.baseUrl, await newTenant(service.db));
    const absent = { status: 404, body: errorBody(404, 'WEBHOOK_ENDPOINT_NOT_FOUND') };
    expect(await other('GET', `${PATH}/${id}`)).toMatchObject(absent);
    expect(await other('PUT', `${PATH}/${id}`, { version: 1, endpoint: draft() })).toMatchObject(absent);
    expect(await other('POST', `${PATH}/${id}/test`)).toMatchObject(absent);
    expect(await other('DELETE', `${PATH}/${id}`)).toMatchObject(absent);
  });
});

describe('deliveries', () => {
  test('each kind arrives once in the documented form, beside the webhook of its type', async () => {
    await create();
    await service.rest('PUT', '/webhooks/rewards', { endpoint: `${receiver.url}/rewards` });
    const { code, campaignId, missionIds } = await oneStep(service);
    await newPublication(service);
    await lowStock();
    await emit(code, 'all-kinds');
    await nothingWaits(service);
    const received = receiver.received.filter(({ url }) => url === '/all');
    for (const { headers, body } of received) expectEndpointBody(headers, body);
    const all = received.map(({ body }) => JSON.parse(body));
    expect(all.map(({ type }) => type).toSorted(byText)).toEqual(ALL.toSorted(byText));
    for (const { id, clientId, occurredAt } of all) {
      expect(clientId).toBe(service.clientId);
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(Math.abs(Date.parse(occurredAt) - Date.now())).toBeLessThan(60_000);
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const delivered = all.filter(({ type }) => type === 'REWARDS_DELIVERED');
    const [fixed] = receiver.received.filter(({ url }) => url === '/rewards');
    expectWebhook('rewards', fixed!.headers, fixed!.body);
    expect(delivered).toMatchObject([{ data: { rewards: JSON.parse(fixed!.body) } }]);
    const completed = all.filter(({ type }) => type === 'MISSION_COMPLETED');
    expect(completed).toMatchObject([{ data: { missionId: missionIds[0], campaignId } }]);
  });

  test('with campaigns an endpoint gets no change without a campaign', async () => {
    const { campaignId } = await oneStep(service);
    await create({ types: ['MISSION_COMPLETED'], campaignIds: [campaignId] });
    const code = 'ALONE';
    await service.rest('POST', '/admin/event-definitions', { programmaticCode: code, type: 'SINGLE' });
    const audience = await service.rest('POST', '/admin/audiences', { name: code, kind: 'EVERYONE' });
    const mission = { type: 'MISSION', name: code, programmaticCode: code, target: 1 };
    const created = await service.rest('POST', '/admin/missions', { audienceId: audience.body.id, mission });
    await service.rest('POST', `/admin/missions/${created.body.id}/activate`);
    await emit(code, 'alone');
    await nothingWaits(service);
    expect(receiver.received).toEqual([]);
    await create({ types: ['MISSION_COMPLETED'] });
    await emit(code, 'alone too');
    await receiver.got(1);
  });

  test('a type that an update adds is announced from then on, by every cached catalogue', async () => {
    const { code } = await oneStep(service);
    const { id } = await create({ types: ['STOCK_LOW'] });
    await emit(code, 'before');
    await nothingWaits(service);
    await service.rest('PUT', `${PATH}/${id}`, { version: 1, endpoint: draft({ types: ['MISSION_COMPLETED'] }) });
    await emit(code, 'after');
    const [request] = await receiver.got(1);
    expect(JSON.parse(request!.body)).toMatchObject({ type: 'MISSION_COMPLETED', data: { externalId: 'after' } });
  });

  test('an endpoint keeps a campaign that was deleted, and can be changed', async () => {
    const { campaignId } = await oneStep(service, { activate: false });
    const fields = { types: ['MISSION_COMPLETED'], campaignIds: [campaignId] };
    const { id } = await create(fields);
    expect(await service.rest('DELETE', `/admin/campaigns/${campaignId}`)).toMatchObject({ status: 204 });
    const change = { version: 1, endpoint: draft({ ...fields, name: 'Renamed' }) };
    expect(await service.rest('PUT', `${PATH}/${id}`, change)).toMatchObject({
      status: 200,
      body: { name: 'Renamed' },
    });
  });

  test('an endpoint gets only its types, and with campaigns only theirs', async () => {
    const first = await oneStep(service);
    const second = await oneStep(service);
    await create({ url: `${receiver.url}/first`, types: ['REWARDS_DELIVERED'], campaignIds: [first.campaignId] });
    await create({ url: `${receiver.url}/missions`, types: ['MISSION_COMPLETED'] });
    await emit(first.code, 'filtered');
    await emit(second.code, 'filtered');
    await nothingWaits(service);
    const sentTo = (url: string) =>
      receiver.received.filter((request) => request.url === url).map(({ body }) => JSON.parse(body));
    expect(sentTo('/first')).toMatchObject([{ data: { rewards: [{ campaignId: first.campaignId }] } }]);
    expect(sentTo('/missions').map(({ data }) => data.campaignId)).toEqual(
      expect.arrayContaining([first.campaignId, second.campaignId]),
    );
  });

  test('requests are signed with the secret, and after a rotation with both for a day', async () => {
    const { id, signingSecret: former } = await create({ types: ['MISSION_COMPLETED'] });
    const rotation = { version: 1, endpoint: draft({ types: ['MISSION_COMPLETED'] }), rotateSigningSecret: true };
    const { body } = await service.rest('PUT', `${PATH}/${id}`, rotation);
    expect(body.signingSecret).not.toBe(former);
    expect(Date.parse(body.formerSecretUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const { code } = await oneStep(service);
    await emit(code, 'signed');
    const [request] = await receiver.got(1);
    const headers = request!.headers as Record<string, string>;
    for (const secret of [former, body.signingSecret]) {
      expect(() => new Webhook(secret).verify(request!.body, headers)).not.toThrow();
    }
    expect(headers['webhook-id']).toBe(JSON.parse(request!.body).id);
  });

  test('a CloudEvent has the required attributes, and its media type also when it is sent again', async () => {
    const { id } = await create({ form: 'CLOUD_EVENTS', types: ['REWARDS_DELIVERED'] });
    const { code } = await oneStep(service);
    await emit(code, 'cloud');
    const [request] = await receiver.got(1);
    expect(request!.headers['content-type']).toBe('application/cloudevents+json');
    const event = JSON.parse(request!.body);
    expect(event).toMatchObject({
      specversion: '1.0',
      id: request!.headers['webhook-id'],
      source: `/clients/${service.clientId}`,
      type: 'laurel.rewards-delivered',
      datacontenttype: 'application/json',
      data: { rewards: [{ type: 'POINTS' }] },
    });
    expect(new Date(event.time).toISOString()).toBe(event.time);
    await nothingWaits(service);
    await service.rest('PUT', `${PATH}/${id}`, { version: 1, endpoint: draft({ types: ['REWARDS_DELIVERED'] }) });
    const [delivery] = await deliveriesOf(id);
    await service.rest('POST', `/admin/webhooks/deliveries/${delivery.id}/redeliver`);
    const [, again] = await receiver.got(2);
    expect(again!.body).toBe(request!.body);
    expect(again!.headers['content-type']).toBe('application/cloudevents+json');
  });

  test('a deleted endpoint gets nothing more, and its log stays', async () => {
    answer = (_request, response) => response.writeHead(500).end();
    const { id } = await create({ types: ['REWARDS_DELIVERED'] });
    const { code } = await oneStep(service);
    await emit(code, 'deleted');
    await receiver.got(1);
    await nothingWaits(service);
    expect(await retries()).toMatchObject([{ endpointId: id, waiting: 1, lastOutcome: 'REFUSED' }]);
    await service.rest('DELETE', `${PATH}/${id}`);
    expect(await retries()).toEqual([]);
    const rows = await deliveriesOf(id);
    expect(rows).toMatchObject([{ endpointId: id, kind: 'REWARDS_DELIVERED', outcome: 'REFUSED', retry: 'SCHEDULED' }]);
    expect(rows[0]).not.toHaveProperty('type');
    expect(await service.rest('POST', `/admin/webhooks/deliveries/${rows[0].id}/redeliver`)).toMatchObject({
      status: 404,
      body: errorBody(404, 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    });
    await emit(code, 'deleted-2');
    await nothingWaits(service);
    expect(receiver.received).toHaveLength(1);
  });

  test('failed deliveries of an endpoint are resent, and its retries stopped, by its id', async () => {
    answer = (_request, response) => response.writeHead(500).end();
    const { id } = await create({ types: ['MISSION_COMPLETED'] });
    const { code } = await oneStep(service);
    await emit(code, 'resent');
    await receiver.got(1);
    await nothingWaits(service);
    const stop = (body: object) => service.rest('POST', '/admin/webhooks/retries/stop', body);
    expect(await stop({})).toMatchObject({ status: 400 });
    expect(await stop({ type: 'REWARDS', endpointId: id })).toMatchObject({ status: 400 });
    expect(await stop({ endpointId: NOBODYS_ID })).toMatchObject({ status: 404 });
    expect(await stop({ type: 'REWARDS' })).toMatchObject({ status: 200, body: { stopped: 0 } });
    expect(await stop({ endpointId: id })).toMatchObject({ status: 200, body: { stopped: 1 } });
    answer = (_request, response) => response.writeHead(204).end();
    const around = (ms: number) => new Date(Date.now() + ms).toISOString();
    const period = { since: around(-60_000), until: around(60_000) };
    const resend = { ...period, endpointId: id, reason: 'The receiver works again', operationId: 'resend-1' };
    // The webhook of the same change does not take the endpoint's messages.
    await service.rest('PUT', '/webhooks/mission-completed', { endpoint: `${receiver.url}/fixed` });
    const ofType = { ...period, type: 'MISSION_COMPLETED', reason: 'All', operationId: 'resend-2' };
    expect(await service.rest('POST', '/admin/webhooks/deliveries/resend', ofType)).toMatchObject({
      body: { resent: 0, more: false },
    });
    expect(await service.rest('POST', '/admin/webhooks/deliveries/resend', resend)).toMatchObject({
      status: 200,
      body: { resent: 1, more: false },
    });
    const [first, second] = await receiver.got(2);
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  });

  test('the simulator shows what an endpoint would get, and sends nothing', async () => {
    await create({ types: ['REWARDS_DELIVERED', 'MISSION_COMPLETED'] });
    const { code } = await oneStep(service);
    const trigger = { programmaticCode: code, accountId: 'simulated', idType: 'EXTERNAL' };
    await emit(code, 'somebody');
    await receiver.got(2);
    const { body } = await service.rest('POST', '/gamification/triggers/simulate', trigger);
    const [mission] = body;
    expect(mission.webhooks.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['REWARDS_DELIVERED', 'MISSION_COMPLETED']),
    );
    await nothingWaits(service);
    expect(receiver.received).toHaveLength(2);
  });

  test('a test sends one synthetic change of the asked kind, and says what was answered', async () => {
    const { id, signingSecret } = await create({ types: ['STOCK_LOW', 'MISSION_COMPLETED'] });
    const send = (body: object = {}) => service.rest('POST', `${PATH}/${id}/test`, body);
    expect(await send()).toMatchObject({ status: 200, body: { success: true, statusCode: 204 } });
    expect(await send({ type: 'REWARDS_DELIVERED' })).toMatchObject({ status: 200, body: { success: true } });
    expect(bodies()).toMatchObject([
      { type: 'STOCK_LOW', test: true, data: { name: 'Test product', test: true } },
      { type: 'REWARDS_DELIVERED', test: true, data: { rewards: [{ test: true }] } },
    ]);
    for (const { headers, body } of receiver.received) {
      expectEndpointBody(headers, body);
      expect(() => new Webhook(signingSecret).verify(body, headers as Record<string, string>)).not.toThrow();
    }
    answer = (_request, response) => response.writeHead(503).end();
    expect(await send()).toMatchObject({ status: 200, body: { success: false, statusCode: 503 } });
    expect(await deliveriesOf(id)).toEqual([]);
  });
});

const byText = (a: string, b: string) => (a < b ? -1 : 1);

/** Takes the only unit of a product that should have two. */
async function lowStock(): Promise<void> {
  const product = { name: 'Cup', stockMode: 'COUNTED', stock: 2, lowStockThreshold: 2, pointsCost: 1 };
  const { body } = await service.rest('POST', '/admin/products', product);
  const points = { amount: 1, reason: 'A gift' };
  const account = await service.rest('POST', '/accounts/resolve', { externalId: 'buyer' });
  await service.rest('POST', `/admin/accounts/${account.body.id}/points/adjust`, points);
  const bought = await service.rest('POST', `/loyalty/products/${body.id}/redeem`, { accountId: account.body.id });
  expect(bought.status, JSON.stringify(bought.body)).toBe(200);
}

const deliveriesOf = async (endpointId: string) => {
  const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'endpointId', value: endpointId }] }));
  const { body } = await service.rest('GET', `/admin/webhooks/deliveries/paginated?page=1&limit=10&filters=${filters}`);
  return body.rows;
};
const retries = async () => (await service.rest('GET', '/admin/webhooks/retries')).body.rows;

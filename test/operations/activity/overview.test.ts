import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToHours } from '../../../src/activity/statistic-hours.queries.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { completeReachedTargets } from '../../../src/triggers/complete-reached.ts';
import { ok } from '../../support/administration.ts';
import { newGame, newProduct } from '../../support/game.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { startReceiver } from '../webhooks/receiver.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const overview = (query = '', token?: string) =>
  ok(service.rest('GET', `/admin/statistics/overview${query}`, undefined, token));

type Point = Record<string, number> & { readonly start: string };

/** The counts of the last 24 hours. */
async function happened(tenant: Tenant): Promise<Record<string, number>> {
  const { points } = await overview('', tenant.adminToken);
  const sums: Record<string, number> = {};
  for (const { start: _start, ...counts } of points as Point[])
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

const emit = ({ apiKey }: Tenant, accountId: string, more: object = {}) =>
  ok(
    service.rest(
      'POST',
      '/gamification/triggers',
      { programmaticCode: 'LOGIN', accountId, idType: 'EXTERNAL', ...more },
      apiKey,
    ),
  );

/** Adds counts to hours, as the counting processes would. */
function hours(clientId: string, ...moments: readonly string[]): Promise<void> {
  const counts = moments.map((moment) => ({ clientId, hour: new Date(moment), happened: { eventsApplied: 1 } }));
  return service.db.systemUnitOfWork((uow) => addToHours(uow, counts));
}

test('what happens is counted once, at once and for its client alone', async () => {
  const tenant = await service.newTenant();
  const other = await service.newTenant();
  const receiver = await startReceiver();
  const admin = (method: string, path: string, body: object) => ok(service.rest(method, path, body, tenant.adminToken));
  await admin('PUT', '/webhooks/rewards', { endpoint: receiver.url });
  await newGame(service, { missions: [{ target: 2 }], adminToken: tenant.adminToken });
  await emit(tenant, 'ada');
  await emit(tenant, 'ada', { operationId: 'second' });
  await emit(tenant, 'ada', { operationId: 'second' });
  await expect.poll(async () => (await happened(tenant))['webhooksDelivered'], { timeout: 8_000 }).toBe(1);
  expect(await happened(tenant)).toEqual({
    eventsApplied: 2,
    missionsCompleted: 1,
    campaignsCompleted: 1,
    rewardsDelivered: 1,
    webhooksDelivered: 1,
    webhooksFailed: 0,
    callsRefused: 0,
  });
  expect((await overview('', tenant.adminToken)).totals).toEqual({ accounts: 1, activeCampaigns: 1, pendingStock: 0 });
  expect((await happened(other))['eventsApplied']).toBe(0);
  await receiver.close();
});

test('missions that a merge or a lower target completes count like those of events', async () => {
  const tenant = await service.newTenant();
  const admin = (method: string, path: string, body?: object) =>
    ok(service.rest(method, path, body, tenant.adminToken));
  const { campaignId, missionIds } = await newGame(service, {
    missions: [{ target: 3 }],
    adminToken: tenant.adminToken,
  });
  for (const account of ['ada', 'ada', 'ben', 'cleo', 'cleo']) await emit(tenant, account);
  const merge = { intoAccountId: 'ada', idType: 'EXTERNAL', progress: 'SUM' };
  await ok(service.rest('POST', '/accounts/ben/merge', merge, tenant.apiKey));
  expect(await happened(tenant)).toMatchObject({ eventsApplied: 5, missionsCompleted: 1, rewardsDelivered: 1 });
  const { version } = await admin('GET', `/admin/campaigns/${campaignId}`);
  await admin('POST', `/admin/missions/${missionIds[0]}/improve`, { version, target: 2 });
  expect(await completeReachedTargets(service.db, tenant.clientId, new Date(), createCatalogs())).toBe(1);
  await expect.poll(() => happened(tenant)).toMatchObject({ missionsCompleted: 2, rewardsDelivered: 2 });
});

test('a webhook that arrives when it is sent again counts once, as one that arrived', async () => {
  const tenant = await service.newTenant();
  let calls = 0;
  const receiver = await startReceiver((_, response) => response.writeHead((calls += 1) === 1 ? 503 : 200).end());
  const admin = (method: string, path: string, body: object) => ok(service.rest(method, path, body, tenant.adminToken));
  await admin('PUT', '/webhooks/rewards', { endpoint: receiver.url, retries: true });
  await newGame(service, { missions: [{ target: 1 }], adminToken: tenant.adminToken });
  await emit(tenant, 'ada');
  await receiver.got(1);
  expect(await happened(tenant)).toMatchObject({ webhooksDelivered: 0, webhooksFailed: 0 });
  await expect.poll(async () => (await happened(tenant))['webhooksDelivered'], { timeout: 15_000 }).toBe(1);
  expect(await happened(tenant)).toMatchObject({ webhooksDelivered: 1, webhooksFailed: 0 });
  await receiver.close();
});

test('rewards count when they are delivered, by a claim or a restock too; until then they are pending', async () => {
  const tenant = await service.newTenant();
  const { adminToken } = tenant;
  const productId = await newProduct({ ...service, adminToken }, []);
  const rewards = [{ name: 'Coupon', type: 'PRODUCTS', amount: 1, productId }];
  const { campaignId } = await newGame(service, { rewards, campaign: { claimPolicy: 'EXPLICIT' }, adminToken });
  await emit(tenant, 'ada');
  expect(await happened(tenant)).toMatchObject({ campaignsCompleted: 0, rewardsDelivered: 0 });
  const claim = { accountId: 'ada', idType: 'EXTERNAL' };
  await ok(service.rest('POST', `/gamification/campaigns/${campaignId}/claim`, claim, tenant.apiKey));
  expect(await happened(tenant)).toMatchObject({ campaignsCompleted: 1, rewardsDelivered: 0 });
  expect((await overview('', adminToken)).totals.pendingStock).toBe(1);
  await ok(service.rest('POST', `/admin/products/${productId}/codes`, { codes: ['ONE'] }, adminToken));
  expect(await happened(tenant)).toMatchObject({ rewardsDelivered: 1 });
  expect((await overview('', adminToken)).totals.pendingStock).toBe(0);
});

test('what is refused or rolled back is not counted', async () => {
  const tenant = await service.newTenant();
  await newGame(service, { adminToken: tenant.adminToken });
  const body = { programmaticCode: 'NOPE', accountId: 'ada', idType: 'EXTERNAL' };
  expect((await service.rest('POST', '/gamification/triggers', body, tenant.apiKey)).status).toBe(404);
  expect((await happened(tenant))['eventsApplied']).toBe(0);
});

test('the period before has as many buckets, and of its last one as much as has passed of this one', async () => {
  const { clientId, adminToken } = await service.newTenant();
  const hour = (moment: string, eventsApplied: number) => ({
    clientId,
    hour: new Date(moment),
    happened: { eventsApplied },
  });
  await service.db.systemUnitOfWork((uow) =>
    addToHours(uow, [
      hour('2026-03-01T07:00:00Z', 1),
      hour('2026-03-01T08:00:00Z', 10),
      hour('2026-03-01T09:00:00Z', 100),
      hour('2026-03-01T10:00:00Z', 1_000),
      hour('2026-03-01T11:00:00Z', 7),
    ]),
  );
  const { former } = await overview('?from=2026-03-01T10:00:00Z&to=2026-03-01T11:30:00Z', adminToken);
  expect(former).toMatchObject({ start: '2026-03-01T08:00:00Z', eventsApplied: 60, rewardsDelivered: 0 });
  const days = await overview('?bucket=DAY&from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z', adminToken);
  expect(days.former).toMatchObject({ start: '2026-03-01T00:00:00Z', eventsApplied: 1_118 });
});

test('`from` and `to` of version 0.1.0 say what `since` and `until` say; both at once are one moment', async () => {
  const of = (query: string) => overview(`?${query}`).then(({ points }) => points);
  const [since, until] = ['2026-03-01T10:00:00Z', '2026-03-01T13:00:00Z'];
  const asked = await of(`since=${since}&until=${until}`);
  expect(asked).toHaveLength(3);
  expect(await of(`from=${since}&to=${until}`)).toEqual(asked);
  expect(await of(`from=2026-03-01T11:00:00%2B01:00&since=${since}&to=${until}&until=${until}`)).toEqual(asked);
  const path = `/admin/statistics/overview?since=${since}&from=${until}`;
  expect((await service.rest('GET', path)).body.message).toBe(
    'since and from say different moments. Send since alone.',
  );
});

describe('buckets', () => {
  test('are hours without a gap, of which two processes may have counted one', async () => {
    const { clientId, adminToken } = await service.newTenant();
    await hours(clientId, '2026-03-01T10:00:00Z', '2026-03-01T12:00:00Z');
    await hours(clientId, '2026-03-01T12:00:00Z');
    const { points } = await overview('?since=2026-03-01T10:30:00Z&until=2026-03-01T13:00:00Z', adminToken);
    expect(points.map(({ start, eventsApplied }: Point) => [start, eventsApplied])).toEqual([
      ['2026-03-01T10:00:00Z', 1],
      ['2026-03-01T11:00:00Z', 0],
      ['2026-03-01T12:00:00Z', 2],
    ]);
  });

  test("are days of the client's time zone, also those of 23 and 25 hours", async () => {
    const { clientId, adminToken } = await service.newTenant('Europe/Madrid');
    // The clocks change forward on 29 March 2026: that day begins at 23:00 and ends at 22:00 UTC.
    await hours(
      clientId,
      '2026-03-28T22:00:00Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:00:00Z',
      '2026-03-29T22:00:00Z',
    );
    const query = '?bucket=DAY&since=2026-03-28T12:00:00Z&until=2026-03-30T12:00:00Z';
    const { points } = await overview(query, adminToken);
    expect(points.map(({ start, eventsApplied }: Point) => [start, eventsApplied])).toEqual([
      ['2026-03-27T23:00:00Z', 1],
      ['2026-03-28T23:00:00Z', 2],
      ['2026-03-29T22:00:00Z', 1],
    ]);
  });

  test.each([
    '?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
    '?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z',
    '?since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z',
    '?since=2026-03-02T00:00:00Z&from=2026-03-01T00:00:00Z',
    '?until=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
    '?from=yesterday',
    '?bucket=WEEK',
  ])('are refused for %s', async (query) => {
    expect(await service.rest('GET', `/admin/statistics/overview${query}`)).toMatchObject({ status: 400 });
  });
});

test('an API key may not look', async () => {
  const answer = await service.rest('GET', '/admin/statistics/overview', undefined, service.apiKey);
  expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

test('refused calls and items count, and accepted ones do not', async () => {
  const tenant = await service.newTenant();
  await newGame(service, { adminToken: tenant.adminToken });
  await emit(tenant, 'ada');
  const event = (programmaticCode: string) => ({ programmaticCode, accountId: 'ada', idType: 'EXTERNAL' });
  await service.rest('POST', '/gamification/triggers', event('UNKNOWN'), tenant.apiKey);
  const triggers = [event('LOGIN'), event('UNKNOWN'), event('OTHER')];
  await ok(service.rest('POST', '/gamification/triggers/batch', { triggers }, tenant.apiKey));
  expect(await happened(tenant)).toMatchObject({ eventsApplied: 2, callsRefused: 3 });
});

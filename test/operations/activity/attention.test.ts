import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { closeRuns } from '../../../src/leaderboards/runs/close-runs.ts';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { load } from '../imports/files.ts';
import { startReceiver } from '../webhooks/receiver.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const HOUR_MS = 3_600_000;

type Cause = Record<string, unknown> & { readonly kind: string; readonly key: string; readonly until?: string };

async function causesOf({ adminToken }: Tenant): Promise<Cause[]> {
  const { causes } = await ok(service.rest('GET', '/admin/statistics/attention', undefined, adminToken));
  return causes;
}

const kindsOf = async (tenant: Tenant) => (await causesOf(tenant)).map(({ kind }) => kind);

const admin = ({ adminToken }: Tenant, path: string, body: object, method = 'POST') =>
  ok(service.rest(method, path, body, adminToken));

const counted = (tenant: Tenant, stock: number, more: object = {}) =>
  admin(tenant, '/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock, pointsCost: 1, ...more });

/** Sends the events with which accounts complete the mission of a game. */
async function complete({ apiKey }: Tenant, accounts: number, name = 'guest'): Promise<void> {
  for (let index = 0; index < accounts; index += 1) {
    const event = { programmaticCode: 'LOGIN', accountId: `${name}-${index}`, idType: 'EXTERNAL' };
    await ok(service.rest('POST', '/gamification/triggers', event, apiKey));
  }
}

/** A campaign that gives a unit of a product. */
const giving = ({ adminToken }: Tenant, productId: string, campaign: object = {}) =>
  newGame(service, {
    rewards: [{ name: 'Mug', type: 'PRODUCTS', amount: 1, productId }],
    campaign: { ...campaign },
    adminToken,
  });

/** Moves redemptions into the past. */
const age = ({ clientId }: Tenant, hours: number) =>
  service.db.unitOfWork(clientId, (uow) =>
    uow.query(`update redemption set created_at = created_at - $2 * interval '1 hour' where client_id = $1`, [
      clientId,
      hours,
    ]),
  );

/** Makes an event a dead trigger. */
const die = ({ clientId }: Tenant, deadAt: string) =>
  service.db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at, dead_at)
       values ($1, $2, 'LOGIN', 'ada', 'EXTERNAL', $3, $3, $3)`,
      [clientId, newId(), deadAt],
    ),
  );

test('where nothing is the matter, nothing is reported', async () => {
  const tenant = await service.newTenant();
  await counted(tenant, 3);
  await newGame(service, { adminToken: tenant.adminToken });
  expect(await causesOf(tenant)).toEqual([]);
});

describe('a webhook', () => {
  test('that fails is reported once, since its first failure, until it arrives or is set up anew; to its client alone', async () => {
    let status = 500;
    const receiver = await startReceiver((_, response) => response.writeHead(status).end());
    const [tenant, other] = [await service.newTenant(), await service.newTenant()];
    await admin(tenant, '/webhooks/rewards', { endpoint: receiver.url, retries: true }, 'PUT');
    await newGame(service, { adminToken: tenant.adminToken });
    await complete(tenant, 3);
    await receiver.got(3);
    const cause = { kind: 'WEBHOOK_FAILING', key: 'WEBHOOK_FAILING/REWARDS', subject: 'REWARDS', severity: 'URGENT' };
    await expect
      .poll(() => causesOf(tenant))
      .toEqual([{ ...cause, since: expect.any(String), count: expect.any(Number) }]);
    expect(await causesOf(other)).toEqual([]);
    await admin(tenant, '/webhooks/rewards', { endpoint: `${receiver.url}/new` }, 'PUT');
    expect(await causesOf(tenant)).toEqual([]);
    await service.rest(
      'POST',
      '/gamification/triggers',
      { programmaticCode: 'LOGIN', accountId: 'x', idType: 'EXTERNAL' },
      tenant.apiKey,
    );
    await expect.poll(() => kindsOf(tenant)).toEqual(['WEBHOOK_FAILING']);
    status = 204;
    await service.rest(
      'POST',
      '/gamification/triggers',
      { programmaticCode: 'LOGIN', accountId: 'y', idType: 'EXTERNAL' },
      tenant.apiKey,
    );
    await expect.poll(() => kindsOf(tenant)).toEqual([]);
    await receiver.close();
  });

  test('and an endpoint that fails are reported apart, the endpoint by its name', async () => {
    const receiver = await startReceiver((_, response) => response.writeHead(500).end());
    const tenant = await service.newTenant();
    const endpoint = { name: 'Order service', url: receiver.url, types: ['REWARDS_DELIVERED'] };
    const { id } = await admin(tenant, '/webhooks/endpoints', { endpoint });
    await newGame(service, { adminToken: tenant.adminToken });
    await complete(tenant, 3);
    await receiver.got(3);
    const cause = { kind: 'WEBHOOK_FAILING', severity: 'URGENT', since: expect.any(String), count: expect.any(Number) };
    const ofEndpoint = { ...cause, key: `WEBHOOK_FAILING/${id}`, subjectId: id, subject: 'Order service' };
    await expect.poll(() => causesOf(tenant)).toEqual([ofEndpoint]);
    await admin(tenant, '/webhooks/rewards', { endpoint: receiver.url, retries: true }, 'PUT');
    await complete(tenant, 3, 'second');
    await receiver.got(9);
    const ofWebhook = { ...cause, key: 'WEBHOOK_FAILING/REWARDS', subject: 'REWARDS' };
    await expect.poll(() => causesOf(tenant)).toEqual([ofWebhook, ofEndpoint]);
    await receiver.close();
  });
});

describe('a product', () => {
  test('below its threshold is reported with what is left; archived or replenished it is not', async () => {
    const tenant = await service.newTenant();
    const { id } = await counted(tenant, 3, { lowStockThreshold: 5 });
    expect(await causesOf(tenant)).toEqual([
      {
        kind: 'PRODUCT_LOW',
        key: `PRODUCT_LOW/${id}`,
        subjectId: id,
        subject: 'Mug',
        severity: 'WARNING',
        unitsLeft: 3,
        unitsTaken: 0,
      },
    ]);
    await admin(tenant, `/admin/products/${id}/stock`, { quantity: 2 });
    expect(await causesOf(tenant)).toEqual([]);
  });

  test('that is sold out at the rate of 24 hours is reported with the moment, and so is the campaign that gives it', async () => {
    const tenant = await service.newTenant();
    const { id } = await counted(tenant, 9);
    const { campaignId } = await giving(tenant, id);
    await complete(tenant, 6);
    const causes = await causesOf(tenant);
    expect(causes.map(({ key }) => key)).toEqual([`PRODUCT_LOW/${id}`, `CAMPAIGN_SHORT/${campaignId}`]);
    expect(causes[0]).toMatchObject({ unitsLeft: 3, unitsTaken: 6, severity: 'URGENT' });
    expect(causes[1]).toMatchObject({
      productId: id,
      productName: 'Mug',
      until: causes[0]!.until,
      severity: 'WARNING',
    });
    const inHours = (Date.parse(causes[0]!.until!) - Date.now()) / HOUR_MS;
    expect(inHours).toBeGreaterThan(11.9);
    expect(inHours).toBeLessThan(12.1);
  });

  test('outlasts a campaign that ends before: the campaign ends soon, and is not short', async () => {
    const tenant = await service.newTenant();
    const { id } = await counted(tenant, 9);
    const endsAt = new Date(Date.now() + 2 * HOUR_MS).toISOString();
    const { campaignId } = await giving(tenant, id, { endsAt });
    await complete(tenant, 6);
    const causes = await causesOf(tenant);
    expect(causes.map(({ key }) => key)).toEqual([`PRODUCT_LOW/${id}`, `CAMPAIGN_ENDING/${campaignId}`]);
    expect(Date.parse(causes[1]!.until!)).toBe(Date.parse(endsAt));
  });

  test('whose units were taken long ago, or wait for nobody, is not reported', async () => {
    const tenant = await service.newTenant();
    const { id } = await counted(tenant, 9);
    await giving(tenant, id);
    await complete(tenant, 1);
    expect(await kindsOf(tenant)).not.toContain('PRODUCT_LOW');
    await counted(tenant, 0);
    expect(await kindsOf(tenant)).not.toContain('PRODUCT_LOW');
    await age(tenant, 25);
    expect(await kindsOf(tenant)).not.toContain('PRODUCT_LOW');
  });

  test('that earned rewards wait for is reported with their number, since the first', async () => {
    const tenant = await service.newTenant();
    const { id } = await counted(tenant, 0);
    await giving(tenant, id);
    await complete(tenant, 2);
    const [cause, ...others] = await causesOf(tenant);
    expect(cause).toEqual({
      kind: 'REWARDS_WAITING',
      key: `REWARDS_WAITING/${id}`,
      subjectId: id,
      subject: 'Mug',
      severity: 'URGENT',
      count: 2,
      unitsLeft: 0,
      since: expect.any(String),
    });
    expect(others).toEqual([]);
    await admin(tenant, `/admin/products/${id}/stock`, { quantity: 100 });
    await expect.poll(() => kindsOf(tenant)).toEqual([]);
  });
});

describe('a publication that was paused for its last free unit', () => {
  /** A publication with two units: one is reserved, and one is sold. */
  async function soldOut(tenant: Tenant, more: object = {}) {
    const { id: productId } = await counted(tenant, 50);
    const { id } = await admin(tenant, '/admin/publications', { productId, name: 'Mug of the day', stock: 2, ...more });
    await admin(tenant, `/marketplace/publications/${id}/publish`, {});
    const call = (path: string, body: object) =>
      ok(service.rest('POST', `/marketplace/publications/${path}`, body, tenant.apiKey));
    const ada = { accountId: 'ada', idType: 'EXTERNAL', publicationId: id };
    await call('freeze', { ...ada, quantity: 1 });
    await ok(service.rest('POST', '/accounts', { externalId: 'bob' }, tenant.apiKey));
    await call(`redeem/${id}`, { accountId: 'bob', idType: 'EXTERNAL', quantity: 1 });
    return { id, unfreeze: () => call('unfreeze', ada) };
  }
  const pausedCause = (id: string) => ({
    kind: 'PUBLICATION_PAUSED',
    key: `PUBLICATION_PAUSED/${id}`,
    subjectId: id,
    subject: 'Mug of the day',
    severity: 'WARNING',
    unitsLeft: 1,
    since: expect.any(String),
  });

  test('is reported once the unit that was held back is released, until it is published', async () => {
    const tenant = await service.newTenant();
    const { id, unfreeze } = await soldOut(tenant);
    expect(await causesOf(tenant)).toEqual([]);
    await unfreeze();
    expect(await causesOf(tenant)).toEqual([pausedCause(id)]);
    await admin(tenant, `/marketplace/publications/${id}/publish`, {});
    expect(await causesOf(tenant)).toEqual([]);
    await admin(tenant, `/marketplace/publications/${id}/unpublish`, {});
    expect(await causesOf(tenant)).toEqual([]);
  });

  test('is reported once the reservation has lapsed, closed or not', async () => {
    const tenant = await service.newTenant();
    const { id } = await soldOut(tenant);
    await service.db.unitOfWork(tenant.clientId, (uow) =>
      uow.query(`update reservation set expires_at = now() - interval '1 second' where client_id = $1`, [
        tenant.clientId,
      ]),
    );
    expect(await causesOf(tenant)).toEqual([pausedCause(id)]);
  });

  test('is reported for an agreement’s publications as far as the agreement has units', async () => {
    const tenant = await service.newTenant();
    const { id: agreementId } = await admin(tenant, '/admin/agreements', { name: 'Mugs', stock: 1 });
    const { id: productId } = await counted(tenant, 50);
    const { id } = await admin(tenant, '/admin/publications', {
      productId,
      agreementId,
      name: 'Mug of the day',
      stock: 3,
    });
    await admin(tenant, `/marketplace/publications/${id}/publish`, {});
    await ok(service.rest('POST', '/accounts', { externalId: 'bob' }, tenant.apiKey));
    const bob = { accountId: 'bob', idType: 'EXTERNAL', quantity: 1 };
    await ok(service.rest('POST', `/marketplace/publications/redeem/${id}`, bob, tenant.apiKey));
    expect(await causesOf(tenant)).toEqual([]);
    await admin(tenant, `/admin/agreements/${agreementId}/stock`, { quantity: 1 });
    expect(await causesOf(tenant)).toEqual([pausedCause(id)]);
  });
});

test('dead triggers are one cause, since the oldest of them', async () => {
  const tenant = await service.newTenant();
  await die(tenant, '2026-03-02T00:00:00Z');
  await die(tenant, '2026-03-01T00:00:00Z');
  expect(await causesOf(tenant)).toEqual([
    { kind: 'DEAD_TRIGGERS', key: 'DEAD_TRIGGERS', severity: 'URGENT', count: 2, since: '2026-03-01T00:00:00Z' },
  ]);
});

test('an import that failed is reported until the file is imported', async () => {
  const tenant = await service.newTenant();
  const failed = await load(service, 'colour\nred\n', { fileName: 'guests.csv' }, tenant);
  expect(failed.status).toBe('FAILED');
  expect(await causesOf(tenant)).toMatchObject([
    { key: `IMPORT_FAILED/${failed.id}`, subject: 'guests.csv', severity: 'WARNING', since: expect.any(String) },
  ]);
  await load(service, 'externalId\nada\n', { fileName: 'others.csv' }, tenant);
  expect(await kindsOf(tenant)).toEqual(['IMPORT_FAILED']);
  await load(service, 'externalId\nada\n', { fileName: 'guests.csv' }, tenant);
  expect(await causesOf(tenant)).toEqual([]);
});

test('a campaign that is paused, or ends in a week, needs nobody', async () => {
  const tenant = await service.newTenant();
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  await newGame(service, { campaign: { endsAt: inHours(168) }, adminToken: tenant.adminToken });
  const { campaignId } = await newGame(service, { campaign: { endsAt: inHours(70) }, adminToken: tenant.adminToken });
  expect((await causesOf(tenant)).map(({ key }) => key)).toEqual([`CAMPAIGN_ENDING/${campaignId}`]);
  await admin(tenant, `/admin/campaigns/${campaignId}/pause`, {});
  expect(await causesOf(tenant)).toEqual([]);
});

test('a leaderboard that is not closed ten minutes after its time is reported until it is', async () => {
  const tenant = await service.newTenant();
  await admin(tenant, '/admin/event-definitions', { programmaticCode: 'RUN', type: 'AMOUNT' });
  const statisticDefinition = { code: 'km', programmaticCode: 'RUN', aggregation: 'SUM', period: 'ALL_TIME' };
  await admin(tenant, '/admin/statistic-definitions', { statisticDefinition });
  const leaderboard = { name: 'Kilometres', statisticCode: 'km' };
  const { id } = await admin(tenant, '/admin/leaderboards', { leaderboard });
  await admin(tenant, `/admin/leaderboards/${id}/activate`, {});
  const event = { programmaticCode: 'RUN', accountId: 'ada', idType: 'EXTERNAL', metadata: { amount: 1 } };
  await ok(service.rest('POST', '/gamification/triggers', event, tenant.apiKey));
  const { run } = await ok(service.rest('GET', `/v1/leaderboards/${id}`, undefined, tenant.apiKey));
  const dueFor = (minutes: number) =>
    service.db.unitOfWork(tenant.clientId, (uow) =>
      uow.query('update leaderboard_run set due_at = $1', [new Date(Date.now() - minutes * 60_000)]),
    );
  await dueFor(9);
  expect(await causesOf(tenant)).toEqual([]);
  await dueFor(11);
  expect(await causesOf(tenant)).toEqual([
    {
      ...{ kind: 'CLOSE_WAITING', key: `CLOSE_WAITING/${run.id}`, severity: 'URGENT', since: expect.any(String) },
      ...{ subjectId: id, subject: 'Kilometres' },
    },
  ]);
  await closeRuns(service.db, tenant.clientId, new Date());
  expect(await causesOf(tenant)).toEqual([]);
});

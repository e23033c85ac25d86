// Actions of the support team for one account: each once per operation id, and with the reason in the audit log.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { ok, recorded } from '../../support/administration.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { newOffer } from '../marketplace/shop.ts';

let service: TestService;
let stranger: Tenant;
let account: string;
let names = 0;

beforeAll(async () => {
  service = await startService();
  stranger = await service.newTenant();
});
beforeEach(async () => {
  names += 1;
  ({ id: account } = await post('/accounts', {
    externalId: `ada-${names}`,
    email: `ada${names}@example.com`,
    name: 'Ada',
  }));
});
afterEach(async () => expect(await findDifferences(service.db)).toEqual([]));
afterAll(() => service.close());

const post = (path: string, body: object = {}) => ok(service.rest('POST', path, body));
const get = (path: string) => ok(service.rest('GET', path));
const act = (path: string, body: object = {}, token?: string) =>
  service.rest('POST', path, { reason: 'Asked by phone.', ...body }, token);
const refusal = (status: number, code: string) => ({ status, body: { code } });
const onAccount = (path: string) => `/admin/accounts/${account}/${path}`;
const grant = (body: object, token?: string) => act(onAccount('rewards/grant'), body, token);
const pointsOf = async () => (await get(`/loyalty/accounts/${account}/points`)).available;

async function newReward(stock: number, amount = 1): Promise<{ reward: string; product: string }> {
  const product = await post('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock });
  const reward = await post('/admin/rewards', { name: 'Mugs', type: 'PRODUCTS', amount, productId: product.id });
  return { reward: reward.id, product: product.id };
}
const newPoints = async (amount = 20) => (await post('/admin/rewards', { name: 'Points', type: 'POINTS', amount })).id;

const newAudience = async (name = 'Regulars', kind = 'MANUAL') => (await post('/admin/audiences', { name, kind })).id;

async function newSuspension(): Promise<object> {
  await ok(act(onAccount('suspend')));
  return { events: 'APPLY' };
}

async function newEvents(): Promise<object> {
  await newClaimable();
  return { since: new Date(0).toISOString() };
}

/** The common properties of the actions, by name, and the expected answer for a missing resource. */
describe.each([
  ['grant', async () => [onAccount('rewards/grant'), { rewardId: await newPoints() }, 'ACCOUNT_NOT_FOUND']],
  ['chest', async () => [onAccount(`chests/${await newChest()}/open`), {}, 'ACCOUNT_NOT_FOUND']],
  ['claim', async () => [onAccount(`campaigns/${await newClaimable()}/claim`), {}, 'ACCOUNT_NOT_FOUND']],
  ['reservation', async () => [`/admin/reservations/${await newHeld()}/release`, {}, 'RESERVATION_NOT_FOUND']],
  ['edit', async () => [onAccount('edit'), { account: { name: 'Ada L.' } }, 'ACCOUNT_NOT_FOUND']],
  [
    'audiences',
    async () => [onAccount('audiences/change'), { joinAudienceIds: [await newAudience()] }, 'ACCOUNT_NOT_FOUND'],
  ],
  ['removal', async () => [onAccount('remove'), { erase: false }, 'ACCOUNT_NOT_FOUND']],
  ['suspension', async () => [onAccount('suspend'), {}, 'ACCOUNT_NOT_FOUND']],
  ['resumption', async () => [onAccount('resume'), await newSuspension(), 'ACCOUNT_NOT_FOUND']],
  ['reversals', async () => [onAccount('triggers/reverse'), await newEvents(), 'ACCOUNT_NOT_FOUND']],
] as ReadonlyArray<[string, () => Promise<[string, object, string]>]>)('an action of support: %s', (_name, make) => {
  const entries = () =>
    service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ note: string; actor_name: string }>(
        `select note, actor_name from audit_entry where client_id = $1 and operation like 'AccountAdminService.%' order by id`,
        [uow.clientId],
      ),
    );

  test('takes effect once for its operation id, with one entry that has reason and actor', async () => {
    const [path, body] = await make();
    const before = await entries();
    const sent = { ...body, operationId: newId() };
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => act(path, sent)));
    for (const answer of [first!, ...others]) expect([200, 409]).toContain(answer.status);
    const again = await act(path, sent);
    expect(again.status).toBe(200);
    for (const answer of [first!, ...others])
      if (answer.status === 200) expect(answer.body).toEqual(again.body);
      else expect(answer.body.code).toBe('OPERATION_IN_PROGRESS');
    const fresh = (await entries()).slice(before.length);
    expect(fresh).toEqual([{ note: expect.stringContaining('Asked by phone.'), actor_name: 'test CLIENT_ADMIN' }]);
    expect(await act(path, { ...sent, reason: 'Another.' })).toMatchObject(refusal(400, 'OPERATION_ID_REUSED'));
  });

  test('needs a reason of 1-500 characters, and an administrator of the same client', async () => {
    const [path, body, code] = await make();
    const before = await entries();
    expect(await act(path, { ...body, reason: '' })).toMatchObject(refusal(400, 'BAD_REQUEST'));
    expect(await act(path, { ...body, reason: 'x'.repeat(501) })).toMatchObject(refusal(400, 'BAD_REQUEST'));
    expect(await act(path, body, service.apiKey)).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect(await act(path, body, stranger.adminToken)).toMatchObject(refusal(404, code));
    expect(await entries()).toEqual(before);
    expect((await act(path, body)).status).toBe(200);
  });
});

describe('a reward that is granted', () => {
  test('is delivered as an earned one, of no campaign, and no rewards webhook reports it', async () => {
    const { reward, product } = await newReward(3, 2);
    const { body } = await grant({ rewardId: reward });
    expect(body).toMatchObject({ accountId: account, status: 'DELIVERED', campaignId: null, amount: 2 });
    expect(await get(`/admin/products/${product}`)).toMatchObject({ stock: 1, free: 1 });
    expect(await get(`/redemptions/${account}`)).toMatchObject([{ source: 'REWARD', quantity: 2, pointsSpent: 0 }]);
    expect(await recorded(service, body.id)).toMatchObject([
      { operation: 'AccountAdminService.GrantReward', note: 'Asked by phone.', after: { accountId: account } },
    ]);
    const messages = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`select 1 from outbox_message where type = 'REWARDS'`),
    );
    expect(messages).toEqual([]);
  });

  test('of points stands in the ledger under the operation', async () => {
    await grant({ rewardId: await newPoints(20), operationId: 'apology-1' });
    const [line] = await get(`/loyalty/accounts/${account}/points/history?limit=1`);
    expect(line).toMatchObject({ type: 'EARN', amount: 20, sourceType: 'EARNED_REWARD' });
    expect(await pointsOf()).toBe(20);
  });

  test('waits for stock that is missing, and is delivered or cancelled as any other', async () => {
    const { reward, product } = await newReward(0);
    const [one, other] = [(await grant({ rewardId: reward })).body, (await grant({ rewardId: reward })).body];
    expect(one).toMatchObject({ status: 'PENDING_STOCK' });
    const cancel = { operationId: newId() };
    const cancelled = await act(`/admin/earned-rewards/${one.id}/cancel`, cancel);
    expect((await act(`/admin/earned-rewards/${one.id}/cancel`, cancel)).body).toEqual(cancelled.body);
    await post(`/admin/products/${product}/stock`, { quantity: 1 });
    const earned = await get(`/v1/gamification/missions/my-rewards/${account}`);
    expect(earned).toMatchObject([{ id: other.id, status: 'DELIVERED' }]);
    expect(await get(`/admin/products/${product}`)).toMatchObject({ stock: 0, waiting: 0 });
  });

  test('is refused where there is none, and where it is archived', async () => {
    expect(await grant({ rewardId: newId() })).toMatchObject(refusal(404, 'REWARD_NOT_FOUND'));
    const rewardId = await newPoints();
    await post(`/admin/rewards/${rewardId}/archive`);
    expect(await grant({ rewardId })).toMatchObject(refusal(404, 'REWARD_NOT_FOUND'));
    expect(await grant({ rewardId: 'mugs' })).toMatchObject(refusal(400, 'BAD_REQUEST'));
  });

  test('takes exactly the units that there are, while others buy and cancel', async () => {
    const product = await post('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: 12, pointsCost: 1 });
    const reward = await post('/admin/rewards', { name: 'Mug', type: 'PRODUCTS', amount: 1, productId: product.id });
    await act(onAccount('points/adjust'), { amount: 100 });
    const grants = Array.from({ length: 10 }, () => grant({ rewardId: reward.id }));
    const buys = Array.from({ length: 10 }, () =>
      service.rest('POST', `/loyalty/products/${product.id}/redeem`, { accountId: account }),
    );
    const [given, bought] = await Promise.all([Promise.all(grants), Promise.all(buys)]);
    const waiting = given.filter(({ body }) => body.status === 'PENDING_STOCK').map(({ body }) => body.id);
    const paid = bought.filter(({ status }) => status === 200).map(({ body }) => body.id);
    expect(given.length - waiting.length + paid.length).toBe(12);
    await Promise.all([
      ...waiting.slice(0, 2).map((id) => act(`/admin/earned-rewards/${id}/cancel`)),
      ...paid.map((id) => act(`/admin/redemptions/${id}/cancel`)),
      ...paid.map((id) => act(`/admin/redemptions/${id}/cancel`)),
      service.rest('POST', `/admin/products/${product.id}/stock`, { quantity: 4 }),
    ]);
    expect(await pointsOf()).toBe(100);
    const left = Math.max(0, waiting.length - 2);
    const after = await get(`/admin/products/${product.id}`);
    // A waiting reward may be delivered before its cancellation, which is then refused.
    expect(after.waiting).toBeLessThanOrEqual(left);
    const delivered = (await get(`/v1/gamification/missions/my-rewards/${account}`)).filter(
      ({ status }: { status: string }) => status === 'DELIVERED',
    );
    expect(after.stock).toBe(16 - paid.length - delivered.length);
  });
});

async function newChest(): Promise<string> {
  const entries = [{ rewardId: await newPoints(20), weight: 1 }];
  const { id: chestId } = await post('/admin/chests', { name: 'Box', entries });
  const reward = await post('/admin/rewards', { name: 'A box', type: 'CHEST', amount: 1, chestId });
  await ok(grant({ rewardId: reward.id }));
  return (await get(`/gamification/chests/account/${account}`))[0].id;
}

describe('a chest that support opens', () => {
  test('is drawn and delivered as the account’s own opening, once', async () => {
    const chest = await newChest();
    const path = onAccount(`chests/${chest}/open`);
    expect(await act(path)).toMatchObject({ status: 200, body: { rewards: [{ rewardType: 'POINTS' }] } });
    expect(await pointsOf()).toBe(20);
    expect(await act(path)).toMatchObject(refusal(409, 'CHEST_ALREADY_OPENED'));
    expect(await act(onAccount(`chests/${newId()}/open`))).toMatchObject(refusal(404, 'CHEST_NOT_FOUND'));
    expect(await recorded(service, chest)).toMatchObject([{ note: 'Asked by phone.' }]);
  });
});

async function newClaimable(stock = 1, claimPolicy = 'EXPLICIT'): Promise<string> {
  const code = `VISIT_${newId().slice(-8).toUpperCase()}`;
  const everyone = await post('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  await post('/admin/event-definitions', { programmaticCode: code, type: 'SINGLE' });
  const { reward } = await newReward(stock);
  const { id } = await post('/admin/campaigns', {
    name: 'To claim',
    claimPolicy,
    audienceIds: [everyone.id],
    rewardIds: [reward],
    missions: [{ type: 'MISSION', name: 'Come', programmaticCode: code, target: 1 }],
  });
  await post(`/admin/campaigns/${id}/activate`);
  await post('/gamification/triggers', { programmaticCode: code, accountId: account });
  return id;
}

describe('a campaign that support claims', () => {
  test('brings its rewards, also those that wait, and cannot be claimed again', async () => {
    const campaign = await newClaimable(0);
    const path = onAccount(`campaigns/${campaign}/claim`);
    expect(await act(path)).toMatchObject({ status: 200, body: { pendingRewards: [{ campaignId: campaign }] } });
    expect(await act(path)).toMatchObject(refusal(409, 'CAMPAIGN_ALREADY_CLAIMED'));
    expect(await recorded(service, account)).toMatchObject([{ note: `Campaign ${campaign}: Asked by phone.` }]);
  });

  test('is refused where there is none, it is not completed, paused, or closes by itself', async () => {
    expect(await act(onAccount(`campaigns/${newId()}/claim`))).toMatchObject(refusal(404, 'CAMPAIGN_NOT_FOUND'));
    const campaign = await newClaimable();
    const { id: other } = await post('/accounts');
    const path = `/admin/accounts/${other}/campaigns/${campaign}/claim`;
    expect(await act(path)).toMatchObject(refusal(409, 'CAMPAIGN_NOT_COMPLETED'));
    await post(`/admin/campaigns/${campaign}/pause`);
    expect(await act(onAccount(`campaigns/${campaign}/claim`))).toMatchObject(refusal(409, 'CAMPAIGN_NOT_ACTIVE'));
    const byItself = await newClaimable(1, 'AUTOMATIC');
    expect(await act(onAccount(`campaigns/${byItself}/claim`))).toMatchObject(refusal(409, 'CAMPAIGN_NOT_CLAIMABLE'));
  });
});

async function newHeld(quantity = 3): Promise<string> {
  const publicationId = await newOffer(service);
  return (await post('/marketplace/publications/freeze', { publicationId, accountId: account, quantity })).id;
}

describe('a reservation that support releases', () => {
  test('gives its units back, and only its own', async () => {
    const publicationId = await newOffer(service, { stock: 10 });
    const freeze = (quantity: number) =>
      post('/marketplace/publications/freeze', { publicationId, accountId: account, quantity });
    const [one, other] = [await freeze(3), await freeze(2)];
    const answer = await act(`/admin/reservations/${one.id}/release`);
    expect(answer).toMatchObject({ status: 200, body: { id: one.id, status: 'RELEASED', quantity: 3 } });
    expect(await get(`/admin/publications/${publicationId}`)).toMatchObject({ stock: 10, availableStock: 8 });
    expect(await recorded(service, one.id)).toMatchObject([
      { before: { status: 'ACTIVE' }, after: { status: 'RELEASED' }, note: 'Asked by phone.' },
    ]);
    expect(await act(`/admin/reservations/${one.id}/release`)).toMatchObject(refusal(409, 'RESERVATION_NOT_ACTIVE'));
    await post(`/marketplace/publications/redeem/${publicationId}`, { accountId: account, quantity: 2 });
    expect(await act(`/admin/reservations/${other.id}/release`)).toMatchObject(refusal(409, 'RESERVATION_NOT_ACTIVE'));
    expect(await act(`/admin/reservations/${newId()}/release`)).toMatchObject(refusal(404, 'RESERVATION_NOT_FOUND'));
  });
});

describe('an account that support removes', () => {
  test('is deleted, and gives back what it held; it can be erased afterwards', async () => {
    const held = await newHeld();
    const { reward } = await newReward(0);
    await grant({ rewardId: reward });
    expect((await act(onAccount('remove'))).status).toBe(200);
    expect(await act(onAccount('remove'))).toMatchObject(refusal(404, 'ACCOUNT_NOT_FOUND'));
    expect(await act(`/admin/reservations/${held}/release`)).toMatchObject(refusal(409, 'RESERVATION_NOT_ACTIVE'));
    expect((await act(onAccount('remove'), { erase: true })).status).toBe(200);
    expect(await recorded(service, account)).toMatchObject([
      { note: 'Deleted: Asked by phone.', after: null },
      { note: 'Erased: Asked by phone.', after: null },
    ]);
  });
});

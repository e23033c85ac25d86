import { CLIENT_ROW } from '../../../src/persistence/client-row.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientsWithUncountedBadges, countBadgeOwners } from '../../../src/rewards/badges/count-owners.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { MINUTE } from '../../../src/kernel/time/timestamp.ts';
import { newGame } from '../../support/game.ts';
import type { RestAnswer, Tenant } from '../../support/service.ts';
import { code, created, mission, reverse, send, service, shopper, useShopScene } from '../triggers/shop-scene.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

type Json = RestAnswer['body'];

useShopScene();

const PICTURE = 'https://shop.example/badges/first.png';
const newBadge = (fields: Json = {}) =>
  created('/admin/rewards', { name: 'First', type: 'BADGE', amount: 1, ...fields });

/** The badges for an account, by default for the shopper. */
async function badgesOf(accountId = shopper, token?: string): Promise<Json[]> {
  const answer = await service.rest('GET', `/v1/accounts/${accountId}/badges?idType=EXTERNAL`, undefined, token);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.rows;
}

/** One badge of them. */
const badgeOf = async (rewardId: string, accountId = shopper) =>
  (await badgesOf(accountId)).find((badge) => badge.rewardId === rewardId);

describe('the definition of a badge', () => {
  test.each([
    [{ productId: newId() }, '`productId` goes with the type PRODUCTS and FRAGMENTS only, this reward is BADGE'],
    [{ chestId: newId() }, '`chestId` goes with the type CHEST only'],
    [{ expiresInDays: 3 }, '`expiresInDays` goes with the type POINTS only'],
    [{ amount: 0, amountExpression: '1', amountMax: 1 }, '`amountExpression` goes with the type POINTS only'],
    [{ amountMax: 1 }, '`amountMax` goes with the type POINTS only'],
    [{ amount: 2 }, 'The `amount` of a reward of type BADGE must be 1.'],
    [{ imageUrl: 'ftp://shop.example/a.png' }, 'imageUrl'],
    [{ imageUrl: 'picture.png' }, 'imageUrl'],
    [{ description: 'x'.repeat(501) }, 'description'],
    [{ description: 'a\0b' }, 'description holds a NUL'],
    [{ type: 'POINTS', imageUrl: PICTURE }, '`imageUrl` goes with the type BADGE only, this reward is POINTS'],
    [{ type: 'POINTS', description: 'Ten.' }, '`description` goes with the type BADGE only'],
    [{ type: 'POINTS', secret: false }, '`secret` goes with the type BADGE only'],
  ])('is refused with %j, and the answer names the field', async (fields, message) => {
    const answer = await service.rest('POST', '/admin/rewards', { name: 'First', type: 'BADGE', amount: 1, ...fields });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(answer.body.message).toContain(message);
  });

  test('has neither picture nor text unless they are sent, and is no secret', async () => {
    const badge = await newBadge({ imageUrl: '', description: '' });
    expect(badge).toMatchObject({ type: 'BADGE', amount: 1, secret: false, onReversal: 'CLAW_BACK_UNUSED' });
    expect(badge).not.toHaveProperty('imageUrl');
    expect(badge).not.toHaveProperty('description');
  });

  test('changes name, picture, text and secret; what is left out stays, and an empty text is removed', async () => {
    const { id } = await newBadge({ imageUrl: PICTURE, description: 'The first.' });
    const change = async (body: Json) => (await service.rest('PUT', `/admin/rewards/${id}`, body)).body;
    expect(await change({ version: 1, name: 'Firsts', secret: true })).toMatchObject({
      ...{ name: 'Firsts', secret: true, imageUrl: PICTURE, description: 'The first.', version: 2 },
    });
    const after = await change({ version: 2, name: 'Firsts', imageUrl: '', description: 'New.' });
    expect(after).toMatchObject({ secret: true, description: 'New.', version: 3 });
    expect(after).not.toHaveProperty('imageUrl');
    expect((await service.rest('GET', `/admin/rewards/${id}`)).body).toEqual(after);
    const points = await created('/admin/rewards', { name: '5 points', type: 'POINTS', amount: 5 });
    expect(
      await service.rest('PUT', `/admin/rewards/${points['id']}`, { version: 1, name: 'Five', description: 'No.' }),
    ).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('`description` goes with the type BADGE') },
    });
  });
});

describe('a badge', () => {
  test('is earned once across two missions; the second one says why it gave nothing', async () => {
    const { id } = await newBadge({ imageUrl: PICTURE, description: 'The first.' });
    await mission({ target: 10, rewardIds: [id] });
    await mission({ target: 20, rewardIds: [id] });
    expect(await badgeOf(id)).toEqual({
      ...{ rewardId: id, name: 'First', imageUrl: PICTURE, description: 'The first.', secret: false },
    });
    expect((await send('a', 10)).body.rewards).toMatchObject([{ rewardId: id, rewardType: 'BADGE', amount: 1 }]);
    const skipped = { rewardId: id, name: 'First', reason: 'ALREADY_EARNED', explanation: expect.any(String) };
    const event = { programmaticCode: code, accountId: shopper, idType: 'EXTERNAL', metadata: { amount: 10 } };
    const simulated = (await service.rest('POST', '/gamification/triggers/simulate', event)).body;
    const told = simulated.flatMap(({ skippedRewards = [] }: Json) => skippedRewards);
    expect(told).toMatchObject([skipped]);
    const second = (await send('b', 10)).body;
    expect(second).toMatchObject({ rewards: [], skippedRewards: [skipped] });
    expect(await badgeOf(id)).toMatchObject({ earnedAt: expect.any(String) });
    const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'rewardType', value: 'BADGE' }] }));
    const list = await service.rest(
      'GET',
      `/v1/gamification/missions/my-rewards/${shopper}?idType=EXTERNAL&filters=${filters}`,
    );
    expect(list.body).toMatchObject([{ rewardId: id, rewardType: 'BADGE', status: 'DELIVERED' }]);
  });

  test('is earned once by two events at the same moment', async () => {
    const { id } = await newBadge();
    await mission({ target: 10, rewardIds: [id] });
    await mission({ target: 10, repeat: { max: 5 }, rewardIds: [id] });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((each) => send(each, 10)));
    expect(answers.flatMap(({ body }) => body.rewards)).toHaveLength(1);
    expect(answers.flatMap(({ body }) => body.skippedRewards ?? [])).toHaveLength(4);
  });

  test('that is secret shows nothing but its rarity before it is earned, wherever an account sees it', async () => {
    const [imageUrl, description] = ['https://shop.example/hidden.png', 'A hidden text.'];
    const { id } = await newBadge({ name: 'Hidden', imageUrl, description, secret: true });
    const box = await created('/admin/chests', { name: 'Box', entries: [{ rewardId: id, weight: 1 }] });
    const chest = await created('/admin/rewards', { name: 'A box', type: 'CHEST', amount: 1, chestId: box['id'] });
    const { campaignId } = await newGame(service, { missions: [{ rewardIds: [id, chest['id']] }] });
    expect(await badgeOf(id)).toEqual({ rewardId: id, secret: true });
    const told = await Promise.all([
      service.rest('GET', `/v1/feed/account/${shopper}?idType=EXTERNAL`),
      service.rest('GET', `/v1/campaigns/${campaignId}`),
      service.rest('GET', `/v1/chest-definitions/${box['id']}/odds`),
    ]);
    for (const { status, body } of told) {
      expect(status, JSON.stringify(body)).toBe(200);
      const text = JSON.stringify(body);
      expect(text).toContain(id);
      for (const hidden of ['Hidden', imageUrl, description]) expect(text).not.toContain(hidden);
    }
    await send('login', 1, { programmaticCode: 'LOGIN', metadata: {} });
    expect(await badgeOf(id)).toMatchObject({ name: 'Hidden', imageUrl, description, secret: true });
  });

  test('that is archived is shown to the accounts that have it', async () => {
    const { id } = await newBadge();
    const { body } = await service.rest('POST', `/accounts`, { externalId: shopper });
    const grant = { rewardId: id, reason: 'A test.' };
    expect((await service.rest('POST', `/admin/accounts/${body.id}/rewards/grant`, grant)).status).toBeLessThan(300);
    await service.rest('POST', `/admin/rewards/${id}/archive`);
    expect(await badgeOf(id)).toMatchObject({ name: 'First', earnedAt: expect.any(String) });
    expect(await badgeOf(id, 'nobody')).toBeUndefined();
  });

  test('goes with a reversal and can be earned again; by KEEP it stays and is not earned again', async () => {
    const { id } = await newBadge();
    const kept = await newBadge({ name: 'Kept', onReversal: 'KEEP' });
    await mission({ target: 10, rewardIds: [id, kept['id']] });
    await send('a', 10);
    const reversal = await reverse('a');
    const expected = [
      { rewardId: id, rewardType: 'BADGE', amountReversed: 1, amountKept: 0 },
      { rewardId: kept['id'], rewardType: 'BADGE', amountReversed: 0, amountKept: 1 },
    ];
    for (const each of expected) expect(reversal.body.rewards).toContainEqual(expect.objectContaining(each));
    expect(await badgeOf(id)).not.toHaveProperty('earnedAt');
    expect(await badgeOf(kept['id'])).toHaveProperty('earnedAt');
    const again = (await send('b', 10)).body;
    expect(again.rewards).toMatchObject([{ rewardId: id }]);
    expect(again.skippedRewards).toMatchObject([{ rewardId: kept['id'], reason: 'ALREADY_EARNED' }]);
    expect(await badgeOf(id)).toHaveProperty('earnedAt');
  });

  test('that two accounts have is one badge after their merge, and both have it again after the undo', async () => {
    const { id } = await newBadge();
    await mission({ target: 10, rewardIds: [id] });
    const other = `${shopper}-other`;
    await send('a', 10);
    await send('b', 10, { accountId: other });
    const before = [await badgeOf(id), await badgeOf(id, other)];
    const merge = await service.rest('POST', `/accounts/${shopper}/merge`, {
      ...{ intoAccountId: other, idType: 'EXTERNAL', progress: 'MAX', operationId: newId() },
    });
    expect(merge.status, JSON.stringify(merge.body)).toBe(200);
    const rows = (await badgesOf(other)).filter(({ rewardId }) => rewardId === id);
    expect(rows).toEqual([before[0]]);
    await countBadgeOwners(service.db, service.clientId, new Date());
    expect(await badgeOf(id, other)).toMatchObject({ rarity: { owners: 1 } });
    const { mergeId } = merge.body;
    const undo = await service.rest('POST', `/accounts/${other}/merges/${mergeId}/undo`, {
      idType: 'EXTERNAL',
    });
    expect(undo.status, JSON.stringify(undo.body)).toBe(200);
    for (const [index, accountId] of [shopper, other].entries())
      expect(await badgeOf(id, accountId)).toMatchObject({ earnedAt: before[index]['earnedAt'] });
  });

  test('of another client is neither listed nor counted', async () => {
    const { id } = await newBadge();
    await mission({ target: 10, rewardIds: [id] });
    await send('a', 10);
    const tenant = await service.newTenant();
    expect(await badgesOf(shopper, tenant.apiKey)).toEqual([]);
    await service.rest('POST', '/admin/rewards', { name: 'Ours', type: 'BADGE', amount: 1 }, tenant.adminToken);
    await countBadgeOwners(service.db, tenant.clientId, new Date());
    expect(await badgesOf(shopper, tenant.apiKey)).toMatchObject([{ name: 'Ours', rarity: { owners: 0, share: 0 } }]);
    expect(await badgeOf(id)).toMatchObject({ name: 'First' });
  });
});

describe('the rarity of a badge', () => {
  let tenant: Tenant;
  const rest = (method: string, path: string, body?: Json) =>
    service.rest(method, path, body, path.startsWith('/admin') ? tenant.adminToken : tenant.apiKey);
  const now = new Date();
  const count = (at: Date) => countBadgeOwners(service.db, tenant.clientId, at);
  const rarity = async () => (await badgesOf('a1', tenant.apiKey))[0]['rarity'];

  beforeEach(async () => {
    tenant = await service.newTenant();
  });

  test('is counted by the job over accounts that are there, and is absent before', async () => {
    const { id } = (await rest('POST', '/admin/rewards', { name: 'Rare', type: 'BADGE', amount: 1 })).body;
    const accounts: string[] = [];
    for (const externalId of ['a1', 'a2', 'a3', 'a4', 'a5'])
      accounts.push((await rest('POST', '/accounts', { externalId })).body.id);
    const give = (account: string) =>
      rest('POST', `/admin/accounts/${account}/rewards/grant`, { rewardId: id, reason: 'A test.' });
    for (const account of accounts.slice(0, 2)) expect((await give(account)).status).toBeLessThan(300);
    expect(await rarity()).toBeUndefined();
    const due = () => service.db.systemUnitOfWork((uow) => clientsWithUncountedBadges(uow, now));
    expect(await due()).toContain(tenant.clientId);
    expect(await count(now)).toBe(1);
    expect(await rarity()).toEqual({ owners: 2, share: 0.4, countedAt: now.toISOString() });
    expect(await due()).not.toContain(tenant.clientId);

    await rest('DELETE', `/accounts/${accounts[1]}`);
    expect(await count(new Date(now.getTime() + 10 * MINUTE))).toBe(0);
    expect(await rarity()).toMatchObject({ owners: 2 });
    expect(await count(new Date(now.getTime() + 60 * MINUTE))).toBe(1);
    expect(await rarity()).toMatchObject({ owners: 1, share: 0.25 });
  });

  test('counts thousands of owners in steps, each once', async () => {
    const { id } = (await rest('POST', '/admin/rewards', { name: 'Common', type: 'BADGE', amount: 1 })).body;
    const accounts = Array.from({ length: 4100 }, () => newId());
    const earned = [...accounts, ...accounts];
    await service.db.unitOfWork(tenant.clientId, async (uow) => {
      await uow.query(
        `insert into account (client_id, id, external_id)
         select client_row.client_id, a.id, a.id::text from ${CLIENT_ROW} cross join unnest($2::uuid[]) as a(id)`,
        [tenant.clientId, accounts],
      );
      await uow.query(
        `insert into earned_reward (client_id, id, account_id, reward_id, reward_type, amount, status, delivered_at)
         select client_row.client_id, e.id, e.account_id, $4::uuid, 'BADGE', 1, 'DELIVERED', $5::timestamptz
           from ${CLIENT_ROW} cross join unnest($2::uuid[], $3::uuid[]) as e(id, account_id)`,
        [tenant.clientId, earned.map(() => newId()), earned, id, new Date()],
      );
    });
    await count(now);
    expect(await rarity()).toMatchObject({ owners: 4100, share: 1 });
  });
});

describe('the webhooks of a closing with badges', () => {
  let tenant: Tenant;
  let receiver: Receiver;
  const admin = (method: string, path: string, body?: Json) => service.rest(method, path, body, tenant.adminToken);
  const emit = (programmaticCode: string, accountId = 'ada') =>
    service.rest('POST', '/gamification/triggers', { programmaticCode, accountId, idType: 'EXTERNAL' }, tenant.apiKey);
  /** The types that each request had, by its path. */
  const sent = () =>
    receiver.received
      .map(({ url, body }) => {
        const items = url === '/fixed' ? JSON.parse(body) : JSON.parse(body).data.rewards;
        return `${url} ${items.map(({ type }: { type: string }) => type).join(' ')}`;
      })
      .toSorted();

  /** Closes a campaign with a badge only, and one with a badge and points; each has its own event. */
  async function closeBoth(): Promise<void> {
    const badge = (name: string) => ({ name, type: 'BADGE', amount: 1 });
    const codes = { ONE: 'SINGLE', TWO: 'SINGLE' } as const;
    const game = (programmaticCode: string, rewards: Json[]) =>
      newGame(
        { ...service, adminToken: tenant.adminToken },
        { codes, missions: [{ programmaticCode }], rewards, adminToken: tenant.adminToken },
      );
    await game('ONE', [badge('Alone')]);
    await game('TWO', [badge('Beside points'), { name: 'Points', type: 'POINTS', amount: 5 }]);
    expect((await emit('ONE')).body.rewards).toHaveLength(1);
    expect((await emit('TWO')).body.rewards).toHaveLength(2);
  }

  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());
  beforeEach(async () => {
    tenant = await service.newTenant();
    await admin('PUT', '/webhooks/rewards', { endpoint: `${receiver.url}/fixed` });
    await admin('POST', '/webhooks/endpoints', {
      endpoint: { name: 'All', url: `${receiver.url}/endpoint`, types: ['REWARDS_DELIVERED'] },
    });
  });
  afterEach(() => {
    (receiver.received as unknown[]).length = 0;
  });

  /** Waits until nothing is left to be sent. */
  async function outboxIsEmpty(): Promise<void> {
    const waiting = () =>
      service.db.unitOfWork(tenant.clientId, (uow) =>
        uow.query('select 1 from outbox_message where client_id = $1', [uow.clientId]),
      );
    await expect.poll(waiting, { timeout: 8_000, interval: 20 }).toEqual([]);
  }

  test('leave badges out of the fixed webhook, which is not sent for badges only; endpoints have them', async () => {
    await closeBoth();
    await outboxIsEmpty();
    expect(sent()).toEqual(['/endpoint BADGE', '/endpoint BADGE POINTS', '/fixed POINTS']);
  });

  test('have badges in the fixed webhook when the client says so; the setting is in the audit log', async () => {
    const path = `/admin/clients/${tenant.clientId}`;
    const { name, timeZone, version, badgesInRewardsWebhook } = (await admin('GET', path)).body;
    expect(badgesInRewardsWebhook).toBe(false);
    const saved = await admin('PUT', path, { name, timeZone, version, badgesInRewardsWebhook: true });
    expect(saved.body).toMatchObject({ badgesInRewardsWebhook: true });
    await admin('PUT', path, { name, timeZone, version: version + 1 });
    expect((await admin('GET', path)).body).toMatchObject({ badgesInRewardsWebhook: true });
    const audit = (await admin('GET', '/admin/audit/paginated?page=1&limit=50')).body;
    expect(JSON.stringify(audit)).toContain('badgesInRewardsWebhook');
    await closeBoth();
    await outboxIsEmpty();
    expect(sent()).toEqual(['/endpoint BADGE', '/endpoint BADGE POINTS', '/fixed BADGE', '/fixed BADGE POINTS']);
  });

  test('have no item, and are no array without items, for a badge that the account has already', async () => {
    await closeBoth();
    await outboxIsEmpty();
    const requests = receiver.received.length;
    const rewards = (await admin('GET', '/admin/rewards/paginated?page=1&limit=10')).body.rows;
    const { id: audienceId } = (await admin('POST', '/admin/audiences', { name: 'All again', kind: 'EVERYONE' })).body;
    const badge = rewards.find(({ name }: { name: string }) => name === 'Alone');
    const campaign = await admin('POST', '/admin/campaigns', {
      ...{ name: 'Again', audienceIds: [audienceId], rewardIds: [badge.id] },
      missions: [{ type: 'MISSION', name: 'Once more', programmaticCode: 'ONE', target: 1 }],
    });
    await admin('POST', `/admin/campaigns/${campaign.body.id}/activate`);
    expect((await emit('ONE')).body).toMatchObject({
      ...{ rewards: [], skippedRewards: [{ rewardId: badge.id, reason: 'ALREADY_EARNED' }] },
    });
    await outboxIsEmpty();
    expect(receiver.received).toHaveLength(requests);
  });
});

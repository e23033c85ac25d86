import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await sharedService();
  tenant = await service.newTenant();
  const attributes = [
    { name: 'tier', type: 'STRING' },
    { name: 'score', type: 'NUMBER' },
    { name: 'salary', type: 'NUMBER', personal: true },
  ];
  await ok(admin('PUT', '/admin/account-attributes', { version: 1, attributes }));
  await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' }));
});
afterAll(() => service.close());

const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.adminToken);
const app = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.apiKey);

let names = 0;
const newReward = (amountExpression: string, amountMax = 1_000): Promise<{ id: string; name: string }> =>
  ok(admin('POST', '/admin/rewards', { name: `Reward ${(names += 1)}`, type: 'POINTS', amountExpression, amountMax }));
const newAccount = async (attributes?: object): Promise<string> =>
  (await ok(app('POST', '/accounts', { externalId: `rich-${(names += 1)}`, attributes }))).id;
const visit = (accountId: string) =>
  ok(app('POST', '/gamification/triggers', { programmaticCode: 'VISIT', accountId }));
const points = async (accountId: string) => (await ok(app('GET', `/loyalty/accounts/${accountId}/points`))).available;

/** An active campaign of one visit whose completion rewards are these, for one account only. */
async function newCampaign(accountId: string, rewardIds: readonly string[], campaign: object = {}) {
  const { audienceId, campaignId } = await newGame(service, {
    codes: {},
    adminToken: tenant.adminToken,
    audienceKind: 'MANUAL',
    missions: [{ programmaticCode: 'VISIT' }],
    rewards: [],
    campaign: { rewardIds, ...campaign },
  });
  await ok(app('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds: [accountId] }));
  return campaignId;
}

type Rewarded = { readonly rewards: readonly { amount: number }[]; readonly skippedRewards?: readonly object[] };
const amounts = ({ rewards }: Rewarded) => rewards.map(({ amount }) => amount);

/** The ways to give a reward without an event. Each answers what its call answered. */
const ways: Readonly<Record<string, (accountId: string, rewardId: string) => Promise<Rewarded>>> = {
  async 'the completion of a campaign'(accountId, rewardId) {
    await newCampaign(accountId, [rewardId]);
    return visit(accountId);
  },
  async 'the claim of a campaign'(accountId, rewardId) {
    const campaignId = await newCampaign(accountId, [rewardId], { claimPolicy: 'EXPLICIT' });
    await visit(accountId);
    return ok(app('POST', `/gamification/campaigns/${campaignId}/claim`, { accountId }));
  },
  async "an operator's claim of a campaign"(accountId, rewardId) {
    const campaignId = await newCampaign(accountId, [rewardId], { claimPolicy: 'EXPLICIT' });
    await visit(accountId);
    return ok(admin('POST', `/admin/accounts/${accountId}/campaigns/${campaignId}/claim`, { reason: 'Asked' }));
  },
  async 'a chest'(accountId, rewardId) {
    const chest = { name: 'Chest', entries: [{ rewardId, guaranteed: true }] };
    const { id: chestId } = await ok(admin('POST', '/admin/chests', chest));
    const prize = await ok(admin('POST', '/admin/rewards', { name: 'Prize', type: 'CHEST', amount: 1, chestId }));
    await ok(admin('POST', `/admin/accounts/${accountId}/rewards/grant`, { rewardId: prize.id, reason: 'Asked' }));
    const [chestOfAccount] = await ok(app('GET', `/gamification/chests/account/${accountId}`));
    return ok(app('POST', `/gamification/chests/${chestOfAccount.id}/open`, { accountId }));
  },
};

describe.each(Object.entries(ways))('%s', (_name, give) => {
  test('pays what the expression is for the account', async () => {
    const { id } = await newReward('account.tier == "GOLD" ? account.score * 1.5 : account.score', 40);
    for (const [attributes, paid] of [
      [{ tier: 'GOLD', score: 7 }, 10],
      [{ tier: 'SILVER', score: 7 }, 7],
      [{ tier: 'GOLD', score: 100 }, 40],
    ] as const) {
      const accountId = await newAccount(attributes);
      expect(amounts(await give(accountId, id))).toEqual([paid]);
      expect(await points(accountId)).toBe(paid);
    }
  });

  test('pays nothing, with the reason, for an expression below 1 or without a value', async () => {
    for (const [expression, attributes, reason, words] of [
      ['account.score', { score: 0 }, 'AMOUNT_BELOW_ONE', 'account.score is 0.'],
      ['account.score - 8', { score: 3 }, 'AMOUNT_BELOW_ONE', 'account.score is 3.'],
      ['account.score', undefined, 'AMOUNT_MISSING', 'account.score is missing.'],
      ['10 / account.salary', { salary: 0 }, 'AMOUNT_MISSING', 'account.salary is ***.'],
    ] as const) {
      const { id, name } = await newReward(expression);
      const accountId = await newAccount(attributes);
      const answer = await give(accountId, id);
      expect(answer.rewards).toEqual([]);
      expect(answer.skippedRewards).toMatchObject([
        { rewardId: id, name, reason, explanation: expect.stringContaining(words) },
      ]);
      expect(await points(accountId)).toBe(0);
      expect((await ok(app('GET', `/v1/gamification/missions/my-rewards/${accountId}`))).filter(isPoints)).toEqual([]);
    }
  });
});

const isPoints = ({ rewardType }: { readonly rewardType: string }) => rewardType === 'POINTS';

describe('a grant', () => {
  const grant = (accountId: string, rewardId: string) =>
    admin('POST', `/admin/accounts/${accountId}/rewards/grant`, { rewardId, reason: 'Asked' });

  test('pays what the expression is for the account', async () => {
    const { id } = await newReward('account.score * 2');
    expect(await ok(grant(await newAccount({ score: 6 }), id))).toMatchObject({ amount: 12, status: 'DELIVERED' });
  });

  test('is refused if the expression pays nothing, with its values', async () => {
    const { id, name } = await newReward('account.score * 2');
    const refused = (values: string) => ({
      status: 409,
      body: {
        code: 'REWARD_PAYS_NOTHING',
        message: `The amount of the reward '${name}' is account.score * 2, which pays this account nothing: account.score is ${values}. Give another one.`,
      },
    });
    expect(await grant(await newAccount({ score: 0 }), id)).toMatchObject(refused('0'));
    expect(await grant(await newAccount(), id)).toMatchObject(refused('missing'));
  });
});

test('a claim reads the account as it is then, and the pending points are what it would pay', async () => {
  const { id } = await newReward('account.score');
  const { id: nothing } = await newReward('account.score - 1000');
  const accountId = await newAccount({ score: 5 });
  const campaignId = await newCampaign(accountId, [id, nothing], { claimPolicy: 'EXPLICIT' });
  await visit(accountId);
  expect(await ok(app('GET', `/loyalty/accounts/${accountId}/points`))).toMatchObject({ available: 0, pending: 5 });
  await ok(app('PATCH', `/accounts/${accountId}`, { attributes: { score: 9 } }));
  expect(await ok(app('GET', `/loyalty/accounts/${accountId}/points`))).toMatchObject({ available: 0, pending: 9 });
  const claimed = await ok(app('POST', `/gamification/campaigns/${campaignId}/claim`, { accountId }));
  expect(amounts(claimed)).toEqual([9]);
  expect(claimed.skippedRewards).toMatchObject([{ rewardId: nothing, campaignId, reason: 'AMOUNT_BELOW_ONE' }]);
});

test('a skipped reward is in the simulation, the answer, its repeat, the journal and the timeline', async () => {
  const { id, name } = await newReward('account.score');
  const accountId = await newAccount({ score: 0.5 });
  const campaignId = await newCampaign(accountId, [id]);
  const skippedRewards = [
    {
      rewardId: id,
      name,
      campaignId,
      reason: 'AMOUNT_BELOW_ONE',
      explanation: 'The expression of its amount is below 1: it pays whole points. account.score is 0.5.',
    },
  ];
  const event = { programmaticCode: 'VISIT', accountId, operationId: `skipped-${accountId}` };
  const simulated = await ok(app('POST', '/gamification/triggers/simulate', { ...event, operationId: undefined }));
  const closing = simulated.find((mission: { campaignId: string }) => mission.campaignId === campaignId).closing;
  expect(closing).toMatchObject({ campaignId, skippedRewards });
  for (const answer of [
    await app('POST', '/gamification/triggers', event),
    await app('POST', '/gamification/triggers', event),
  ])
    expect(answer.body).toMatchObject({ rewards: [], skippedRewards });
  const journal = await ok(admin('GET', `/admin/journal?accountId=${accountId}`));
  expect(journal.rows[0]).toMatchObject({ rewards: [], skippedRewards });
  const timeline = await ok(admin('GET', `/admin/accounts/${accountId}/timeline`));
  const events = timeline.rows.flatMap(({ event: shown }: { event?: object }) => shown ?? []);
  expect(events).toMatchObject([{ skippedRewards }]);
});

test('an attribute that the amount of a reward uses cannot be removed, even if nothing gives the reward yet', async () => {
  const { name } = await newReward('account.tier == "GOLD" ? 5 : 1');
  const { version } = await ok(admin('GET', '/admin/account-attributes'));
  const answer = await admin('PUT', '/admin/account-attributes', { version, attributes: [] });
  expect(answer).toMatchObject({ status: 409, body: { code: 'ATTRIBUTE_IN_USE' } });
  expect(answer.body.message).toContain('account.tier of reward');
  expect(name).toContain('Reward');
});

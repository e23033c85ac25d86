import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import type { RestAnswer, Tenant, TestService } from '../support/service.ts';
import { keysOf, overBoth, page, UNKNOWN, where } from './support/both-protocols.ts';
import { type Caller, grpcCaller } from './support/callers.ts';
import { startContractService } from './support/contract-service.ts';
import { newPublication } from './support/shop.ts';

/** Roles and other clients' ids are tested in `roles.test.ts` and `isolation.test.ts`, which include every operation. */
let service: TestService;
let stranger: Tenant;
let grpc: Caller;

beforeAll(async () => {
  service = await startContractService();
  stranger = await service.newTenant();
  grpc = grpcCaller(service);
});
afterAll(async () => {
  grpc.close();
  await service.close();
});

const { ask, created, expectEach, refusal } = overBoth(() => ({ service, grpc }));

const INTERNAL = ['version', 'stock', 'free', 'allocated', 'waiting', 'archivedAt', 'createdAt', 'updatedAt', 'pauses'];
const newAccount = async (externalId: string) => (await created('/accounts', { externalId })).id;

describe('a campaign', () => {
  test('that is active is shown with its missions, rewards, claim policy, period and audiences, and nothing internal', async () => {
    const bonus = await created('/admin/rewards', { name: '5 points', type: 'POINTS', amount: 5 });
    const game = await newGame(service, {
      audienceKind: 'MANUAL',
      missions: [
        {
          name: 'Spend',
          programmaticCode: 'PURCHASE',
          target: 50,
          rewardIds: [bonus.id],
          conditions: { minAmount: 5 },
        },
        { name: 'Come back', rewardIds: [bonus.id] },
      ],
      campaign: { name: 'Open', description: 'All of it', claimPolicy: 'EXPLICIT', endsAt: '2100-01-01T00:00:00Z' },
    });
    const offer = {
      id: game.campaignId,
      name: 'Open',
      description: 'All of it',
      phase: 'ACTIVE',
      claimPolicy: 'EXPLICIT',
      audiences: [{ id: game.audienceId, kind: 'MANUAL', name: expect.stringContaining('Audience') }],
      rewards: [{ id: game.rewardIds[0], type: 'POINTS', amount: 10 }],
      missions: [
        { id: game.missionIds[0], name: 'Spend', target: 50, conditions: { minAmount: 5 }, rewardIds: [bonus.id] },
        { id: game.missionIds[1], name: 'Come back' },
      ],
      missionRewards: [{ id: bonus.id, name: '5 points', amount: 5 }],
    };
    await expectEach('CampaignService.getOfferedCampaign', { id: game.campaignId }, offer);
    await expectEach('CampaignService.listOfferedCampaigns', { ...page, ...where('name', 'Open') }, { rows: [offer] });
    const [{ body }] = (await ask('CampaignService.getOfferedCampaign', { id: game.campaignId })) as [RestAnswer];
    expect(new Date(body.endsAt)).toEqual(new Date('2100-01-01T00:00:00Z'));
    expect(keysOf(body).filter((key) => INTERNAL.includes(key))).toEqual([]);
  });

  test('that is a draft is neither found nor listed, and one of another client neither', async () => {
    const draft = await newGame(service, { activate: false, campaign: { name: 'Hidden' } });
    const active = await newGame(service, { campaign: { name: 'Ours' } });
    await refusal('CampaignService.getOfferedCampaign', { id: draft.campaignId }, 404, 'CAMPAIGN_NOT_FOUND');
    await refusal('CampaignService.getOfferedCampaign', { id: UNKNOWN }, 404, 'CAMPAIGN_NOT_FOUND');
    await refusal('CampaignService.getOfferedCampaign', { id: active.campaignId }, 404, 'CAMPAIGN_NOT_FOUND', stranger);
    await refusal('CampaignService.getOfferedCampaign', { id: 'x' }, 400, 'BAD_REQUEST');
    const byId = { ...page, ...where('id', [draft.campaignId]) };
    await expectEach('CampaignService.listOfferedCampaigns', byId, { rows: [], totalRows: 0 });
    const phases = where('phase', ['SCHEDULED', 'ACTIVE', 'PAUSED', 'FINISHED']);
    for (const { body } of await ask('CampaignService.listOfferedCampaigns', { ...page, ...phases })) {
      const ids = body.rows.map(({ id }: { id: string }) => id);
      expect(ids).toContain(active.campaignId);
      expect(ids).not.toContain(draft.campaignId);
    }
    await refusal('CampaignService.listOfferedCampaigns', { ...page, ...where('phase', 'DRAFT') }, 400, 'BAD_REQUEST');
    await expectEach('CampaignService.listOfferedCampaigns', page, { rows: [] }, 200, stranger);
  });

  test('that is paused, scheduled or finished is read by its id, and listed only where its phase is asked for', async () => {
    const phases = [
      ['PAUSED', {}, 'pause'],
      ['FINISHED', {}, 'end'],
      ['SCHEDULED', { startsAt: '2100-01-01T00:00:00Z' }, undefined],
    ] as const;
    for (const [phase, campaign, action] of phases) {
      const { campaignId: id } = await newGame(service, { campaign: { name: phase, ...campaign } });
      if (action) await created(`/admin/campaigns/${id}/${action}`);
      await expectEach('CampaignService.getOfferedCampaign', { id }, { id, phase });
      await expectEach('CampaignService.listOfferedCampaigns', { ...page, ...where('id', id) }, { rows: [] });
      await expectEach(
        'CampaignService.listOfferedCampaigns',
        { ...page, ...where('phase', phase) },
        { rows: [{ id }] },
      );
    }
  });

  test('of a page without its number, or filtered by what it is not, is a 400', async () => {
    for (const name of ['CampaignService.listOfferedCampaigns', 'AudienceService.listAudienceSummaries']) {
      await refusal(name, { limit: 1 }, 400, 'BAD_REQUEST');
      await refusal(name, { ...page, ...where('version', 1) }, 400, 'BAD_REQUEST');
    }
  });
});

describe('an audience', () => {
  test('is listed by name and read by its id, without what is for operators', async () => {
    const body = { name: 'Zebras', kind: 'MANUAL', description: 'for operators' };
    const { id } = await created('/admin/audiences', body);
    const first = await created('/admin/audiences', { ...body, name: 'Aardvarks' });
    const shown = { id, name: 'Zebras', kind: 'MANUAL' };
    for (const answer of await ask('AudienceService.getAudienceSummary', { id })) expect(answer.body).toEqual(shown);
    const both = { ...page, ...where('id', [id, first.id]) };
    await expectEach('AudienceService.listAudienceSummaries', both, { rows: [{ id: first.id }, shown], totalRows: 2 });
    await refusal('AudienceService.getAudienceSummary', { id }, 404, 'AUDIENCE_NOT_FOUND', stranger);
    await refusal('AudienceService.getAudienceSummary', { id: 'x' }, 400, 'BAD_REQUEST');
    await expectEach('AudienceService.listAudienceSummaries', page, { rows: [] }, 200, stranger);
    await service.rest('DELETE', `/admin/audiences/${id}`);
    await refusal('AudienceService.getAudienceSummary', { id }, 404, 'AUDIENCE_NOT_FOUND');
    const deleted = { filters: JSON.stringify({ filters: [{ field: 'id', value: id }], includeDeleted: true }) };
    await expectEach('AudienceService.listAudienceSummaries', { ...page, ...deleted }, { rows: [] });
  });

  test('of an account is among its memberships, those for everyone too, page by page', async () => {
    const account = await newAccount('member');
    const mine = await created('/admin/audiences', { name: 'A mine', kind: 'MANUAL' });
    await created('/admin/audiences', { name: 'A not mine', kind: 'MANUAL' });
    const everyone = await created('/admin/audiences', { name: 'A of all', kind: 'EVERYONE' });
    await created(`/gamification/audiences/${mine.id}/accounts/assign`, { accountIds: [account] });
    const list = { ...page, ...where('name', 'A ') };
    const rows = [
      { audience: { id: mine.id, name: 'A mine', kind: 'MANUAL' }, joinedAt: expect.stringMatching(/^\d{4}-/) },
      { audience: { id: everyone.id, name: 'A of all', kind: 'EVERYONE' } },
    ];
    for (const { body } of await ask('AudienceService.listAudienceMemberships', { accountId: account, ...list })) {
      expect(body).toMatchObject({ rows, totalRows: 2 });
      expect(body.rows[1]).not.toHaveProperty('joinedAt');
    }
    const external = { accountId: 'member', idType: 'EXTERNAL', ...list, limit: 1, page: 2 };
    await expectEach('AudienceService.listAudienceMemberships', external, {
      rows: [rows[1]],
      previous: true,
      next: false,
    });
    const name = 'AudienceService.listAudienceMemberships';
    await expectEach(name, { accountId: 'nobody', idType: 'EXTERNAL', ...page }, { rows: [], totalRows: 0 });
    await refusal(name, { accountId: UNKNOWN, ...page }, 404, 'ACCOUNT_NOT_FOUND');
    await refusal(name, { accountId: account, ...page }, 404, 'ACCOUNT_NOT_FOUND', stranger);
    await refusal(name, { accountId: 'x', ...page }, 400, 'BAD_REQUEST');
  });
});

describe('what points buy', () => {
  test('is listed with its price, whether a unit is there, and whether the account can afford it', async () => {
    const account = await newAccount('buyer');
    await created(`/admin/accounts/${account}/points/adjust`, { amount: 20, reason: 'test' });
    const product = async (name: string, more: object) => (await created('/admin/products', { name, ...more })).id;
    const cheap = await product('P cheap', { stockMode: 'COUNTED', pointsCost: 20 });
    await created(`/admin/products/${cheap}/stock`, { quantity: 1 });
    const dear = await product('P dear', { stockMode: 'UNLIMITED', pointsCost: 20.0001 });
    const sold = await product('P sold out', { stockMode: 'COUNTED', pointsCost: 1 });
    const priceless = await product('P without a price', { stockMode: 'UNLIMITED' });
    const archived = await product('P archived', { stockMode: 'UNLIMITED', pointsCost: 1 });
    await created(`/admin/products/${archived}/archive`);
    const rows = [
      { id: cheap, name: 'P cheap', pointsCost: 20, inStock: true, affordable: true },
      { id: dear, pointsCost: 20.0001, inStock: true, affordable: false },
      { id: sold, inStock: false, affordable: true },
    ];
    const list = { ...page, ...where('name', 'P ') };
    const name = 'LoyaltyService.listRedeemableProducts';
    await expectEach(name, { ...list, accountId: account }, { rows, totalRows: 3 });
    const stranger1 = { ...list, accountId: 'nobody', idType: 'EXTERNAL' };
    await expectEach(name, stranger1, { rows: rows.map(({ id }) => ({ id, affordable: false })) });
    for (const { body } of await ask(name, list)) {
      expect(body.rows).toHaveLength(3);
      expect(keysOf(body.rows).filter((key) => [...INTERNAL, 'affordable', 'stockMode'].includes(key))).toEqual([]);
    }
    await expectEach(
      'LoyaltyService.getRedeemableProduct',
      { id: cheap },
      { id: cheap, pointsCost: 20, inStock: true },
    );
    for (const id of [priceless, archived, UNKNOWN]) {
      await refusal('LoyaltyService.getRedeemableProduct', { id }, 404, 'PRODUCT_NOT_FOUND');
    }
    await refusal('LoyaltyService.getRedeemableProduct', { id: cheap }, 404, 'PRODUCT_NOT_FOUND', stranger);
    await refusal('LoyaltyService.getRedeemableProduct', { id: 'x' }, 400, 'BAD_REQUEST');
    await refusal(name, { ...list, accountId: UNKNOWN }, 404, 'ACCOUNT_NOT_FOUND');
    await refusal(name, { ...list, accountId: account }, 404, 'ACCOUNT_NOT_FOUND', stranger);
    await refusal(name, { ...page, ...where('stockMode', 'CODES') }, 400, 'BAD_REQUEST');
    await expectEach(name, page, { rows: [] }, 200, stranger);
    // The list predicts the result of a purchase.
    const buy = (id: string) => service.rest('POST', `/loyalty/products/${id}/redeem`, { accountId: account });
    expect((await buy(dear)).body).toMatchObject({ code: 'INSUFFICIENT_POINTS' });
    expect((await buy(sold)).body).toMatchObject({ code: 'OUT_OF_STOCK' });
    expect((await buy(cheap)).status).toBe(200);
    await expectEach('LoyaltyService.getRedeemableProduct', { id: cheap }, { inStock: false });
  });

  test('is not in stock while the units that are left belong to a publication', async () => {
    const { id } = await created('/admin/products', { name: 'Allocated', stockMode: 'COUNTED', pointsCost: 1 });
    await created(`/admin/products/${id}/stock`, { quantity: 2 });
    await expectEach('LoyaltyService.getRedeemableProduct', { id }, { inStock: true });
    await created('/admin/publications', { name: 'All of it', productId: id, stock: 2 });
    await expectEach('LoyaltyService.getRedeemableProduct', { id }, { inStock: false });
  });

  test('is in stock beside a reward that waits for more units than there are, as a purchase finds it', async () => {
    const { id } = await created('/admin/products', { name: 'Awaited', stockMode: 'COUNTED', pointsCost: 0.0001 });
    const pair = { name: 'a pair', type: 'PRODUCTS', amount: 2, productId: id };
    await newGame(service, { codes: { PAIRS: 'SINGLE' }, missions: [{ programmaticCode: 'PAIRS' }], rewards: [pair] });
    const account = await newAccount('waiting');
    await created(`/admin/accounts/${account}/points/adjust`, { amount: 1, reason: 'test' });
    await created('/gamification/triggers', { programmaticCode: 'PAIRS', accountId: account });
    await expectEach('LoyaltyService.getRedeemableProduct', { id }, { inStock: false });
    await created(`/admin/products/${id}/stock`, { quantity: 1 });
    await expectEach('LoyaltyService.getRedeemableProduct', { id }, { inStock: true });
    await created(`/loyalty/products/${id}/redeem`, { accountId: account });
    await expectEach('LoyaltyService.getRedeemableProduct', { id }, { inStock: false });
  });

  test('on the marketplace is shown as affordable where an account is named, and drafts are not listed', async () => {
    const account = await newAccount('marketplace-buyer');
    const dear = await newPublication(service, { name: 'M dear', pointsCost: 1 });
    const gift = await newPublication(service, { name: 'M gift' });
    await newPublication(service, { name: 'M draft', publish: false });
    const list = { ...page, ...where('name', 'M ') };
    const name = 'MarketplaceService.listPublishedPublications';
    const rows = [
      { id: dear, affordable: false },
      { id: gift, affordable: true },
    ];
    await expectEach(name, { ...list, accountId: account }, { rows, totalRows: 2 });
    for (const { body } of await ask(name, list)) expect(body.rows[0]).not.toHaveProperty('affordable');
    await refusal(name, { ...list, accountId: UNKNOWN }, 404, 'ACCOUNT_NOT_FOUND');
  });
});

describe('the odds of a chest', () => {
  test('are shown before it is opened, and of its kind while it can be won, also out of another chest', async () => {
    const reward = (name: string, more: object) => created('/admin/rewards', { name, amount: 1, ...more });
    const small = await reward('small', { type: 'POINTS' });
    const rare = await reward('rare', { type: 'POINTS' });
    const always = await reward('always', { type: 'POINTS' });
    const inner = await created('/admin/chests', { name: 'Inner', entries: [{ rewardId: small.id, weight: 1 }] });
    const innerReward = await reward('an inner chest', { type: 'CHEST', chestId: inner.id });
    const entries = [
      { rewardId: small.id, weight: 333_333 },
      { rewardId: rare.id, weight: 1 },
      { rewardId: innerReward.id, weight: 166_666 },
      { rewardId: always.id, guaranteed: true },
    ];
    const chest = await created('/admin/chests', { name: 'Outer', entries, totalWeight: 1_000_000 });
    const outerReward = { name: 'an outer chest', type: 'CHEST', amount: 1, chestId: chest.id };
    const codes = { CHESTS: 'SINGLE' } as const;
    const missions = [{ programmaticCode: 'CHESTS' }];
    const game = await newGame(service, { codes, missions, rewards: [outerReward], activate: false });
    const ofKind = 'ChestService.getChestDefinitionOdds';
    for (const { id } of [chest, inner]) await refusal(ofKind, { id }, 404, 'CHEST_DEFINITION_NOT_FOUND');
    await created(`/admin/campaigns/${game.campaignId}/activate`);
    const odds = {
      chestId: chest.id,
      name: 'Outer',
      prizes: [
        { reward: { id: small.id, name: 'small' }, guaranteed: false, weight: 333_333, percent: '33.33' },
        { reward: { id: rare.id }, guaranteed: false, probability: 0.000_001, percent: '0.0001' },
        { reward: { id: innerReward.id, chestId: inner.id }, percent: '16.67' },
        { reward: { id: always.id }, guaranteed: true, weight: 0, probability: 1, percent: '100' },
      ],
      totalWeight: 1_000_000,
      nothingPercent: '50',
    };
    await expectEach(ofKind, { id: chest.id }, odds);
    await expectEach(ofKind, { id: inner.id }, { prizes: [{ percent: '100' }], nothingPercent: '0' });
    await refusal(ofKind, { id: UNKNOWN }, 404, 'CHEST_DEFINITION_NOT_FOUND');
    await refusal(ofKind, { id: chest.id }, 404, 'CHEST_DEFINITION_NOT_FOUND', stranger);
    await refusal(ofKind, { id: 'x' }, 400, 'BAD_REQUEST');

    const account = await newAccount('winner');
    await created('/gamification/triggers', { programmaticCode: 'CHESTS', accountId: account });
    const [won] = (await service.rest('GET', `/gamification/chests/account/${account}`)).body;
    await expectEach('ChestService.getChestOdds', { id: won.id }, odds);
    await created(`/gamification/chests/${won.id}/open`, { accountId: account });
    await expectEach('ChestService.getChestOdds', { id: won.id }, odds);
    await refusal('ChestService.getChestOdds', { id: UNKNOWN }, 404, 'CHEST_NOT_FOUND');
    await refusal('ChestService.getChestOdds', { id: won.id }, 404, 'CHEST_NOT_FOUND', stranger);
    await refusal('ChestService.getChestOdds', { id: 'x' }, 400, 'BAD_REQUEST');
    for (const { body } of await ask('ChestService.getChestOdds', { id: won.id })) {
      expect(keysOf(body).filter((key) => INTERNAL.includes(key))).toEqual([]);
    }
  });
});

// The history of one account from all modules, in one order.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { newOffer } from '../marketplace/shop.ts';
import { closeRuns } from '../../../src/leaderboards/runs/close-runs.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
type Entry = Record<string, any> & { readonly kind: string; readonly id: string; readonly happenedAt: string };

let service: TestService;
let stranger: Tenant;
let ada: string;
let bea: string;

const post = (path: string, body: object = {}) => ok(service.rest('POST', path, body));
const pathOf = (account: string, query: string) => `/admin/accounts/${account}/timeline?${query}`;
const page = (account: string, query = '', token?: string) =>
  service.rest('GET', pathOf(account, query), undefined, token);
const entries = async (account: string, query = 'limit=200'): Promise<Entry[]> => (await ok(page(account, query))).rows;
const refusal = (status: number, code: string) => ({ status, body: { code } });
const positions = (rows: readonly Entry[]) => rows.map(({ kind, id, at }) => `${at} ${kind} ${id}`);

/** All entries, in pages of `limit`. */
async function byPages(account: string, limit: number, query = ''): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let cursor = ''; ;) {
    const { rows, nextCursor } = await ok(page(account, `limit=${limit}&${query}${cursor && `&cursor=${cursor}`}`));
    all.push(...rows);
    if (nextCursor === undefined) return all;
    expect(rows.length).toBe(limit);
    cursor = nextCursor;
  }
}

/** An account with one entry of every kind. */
async function everythingHappensTo(account: string): Promise<void> {
  const code = `CODE_${newId().slice(-12)}`;
  const prize = await post('/admin/rewards', { name: 'A prize', type: 'POINTS', amount: 7 });
  const definition = await post('/admin/chests', {
    name: 'Gold',
    entries: [{ rewardId: prize.id, weight: 3 }],
    totalWeight: 4,
  });
  const chest = await post('/admin/rewards', { name: 'Chest', type: 'CHEST', amount: 1, chestId: definition.id });
  const mug = await post('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: 0 });
  const waiting = await post('/admin/rewards', { name: 'Mugs', type: 'PRODUCTS', amount: 1, productId: mug.id });
  await newGame(service, { codes: { [code]: 'SINGLE' }, missions: [{ programmaticCode: code }] });
  const event = () => ({ programmaticCode: code, accountId: account, metadata: {}, operationId: newId() });
  await post('/gamification/triggers', event());
  await post('/gamification/triggers', event());
  const reason = 'Asked by phone.';
  for (const rewardId of [chest.id, waiting.id]) {
    await post(`/admin/accounts/${account}/rewards/grant`, { rewardId, reason });
  }
  await post(`/admin/accounts/${account}/points/adjust`, { amount: 100, reason: 'Made up for.' });
  const [{ id: chestId }] = await ok(service.rest('GET', `/gamification/chests/account/${account}`));
  await post(`/admin/accounts/${account}/chests/${chestId}/open`, { reason });
  const held = await newOffer(service, { stock: 5, pointsCost: 1 });
  await post('/marketplace/publications/freeze', { publicationId: held, accountId: account, quantity: 2 });
  await post(`/marketplace/publications/redeem/${held}`, { accountId: account, quantity: 1 });
  const { clientId } = service;
  const { version, name, timeZone } = await ok(service.rest('GET', `/admin/clients/${clientId}`));
  const streaks = { freezesMax: 3, vacationDaysMax: 30 };
  await ok(service.rest('PUT', `/admin/clients/${clientId}`, { version, name, timeZone, streaks }));
  await post(`/admin/accounts/${account}/streak-freezes`, { reason });
  const { today } = await ok(service.rest('GET', `/v1/accounts/${account}/vacations`));
  const ahead = (days: number) => Temporal.PlainDate.from(today).add({ days }).toString();
  const vacations = [{ since: ahead(2), until: ahead(4) }];
  await ok(service.rest('PUT', `/v1/accounts/${account}/vacations`, { vacations }));
  await competeInLeague(account);
  await post(`/admin/accounts/${account}/edit`, { account: { name: 'Ada L.' }, reason });
}

let runs = 0;

/** The account is the only one of a group of a day that is closed by hand. */
async function competeInLeague(accountId: string): Promise<void> {
  const code = `RUN_${(runs += 1)}`;
  await post('/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
  const statisticDefinition = { code, programmaticCode: code, aggregation: 'SUM', period: 'DAY' };
  await post('/admin/statistic-definitions', { statisticDefinition });
  const leagues = { names: ['Bronze', 'Silver'], groupSize: 10, promoted: 2, relegated: 2 };
  const { id } = await post('/admin/leaderboards', {
    leaderboard: { name: 'League', statisticCode: code, leagues },
  });
  await post(`/admin/leaderboards/${id}/activate`, {});
  await post('/gamification/triggers', { programmaticCode: code, accountId, metadata: { amount: 5 } });
  const { run } = await ok(service.rest('GET', `/v1/leaderboards/${id}`));
  await post(`/admin/leaderboards/${id}/runs/${run.id}/close`, {});
  await closeRuns(service.db, service.clientId, new Date());
}

beforeAll(async () => {
  service = await startService();
  stranger = await service.newTenant();
  ({ id: ada } = await post('/accounts', { externalId: 'ada' }));
  ({ id: bea } = await post('/accounts', { externalId: 'bea' }));
  await everythingHappensTo(ada);
}, 60_000);
afterAll(() => service.close());

const KINDS = [
  'EVENT',
  'MISSION',
  'CAMPAIGN',
  'REWARD',
  'POINTS',
  'CHEST',
  'REDEMPTION',
  'RESERVATION',
  'CHANGE',
  'STREAK_FREEZE',
  'VACATION',
  'LEAGUE',
];

describe('the entries', () => {
  test('every kind is there, the latest first, and each kind alone', async () => {
    const all = await entries(ada);
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(KINDS));
    expect(all.map(({ at }) => Date.parse(at))).toEqual(
      all.map(({ at }) => Date.parse(at)).toSorted((one, other) => other - one),
    );
    for (const kind of KINDS) {
      expect(await entries(ada, `limit=200&kinds=${kind}`), kind).toEqual(all.filter((entry) => entry.kind === kind));
    }
    expect(await entries(ada, 'limit=200&kinds=CHEST&kinds=POINTS')).toEqual(
      all.filter(({ kind }) => kind === 'CHEST' || kind === 'POINTS'),
    );
  });

  test('events tell what they did or why they did nothing', async () => {
    expect(await entries(ada, 'kinds=EVENT')).toMatchObject([
      { event: { effect: 'NOTHING', programmaticCode: expect.stringContaining('RUN') } },
      { event: { effect: 'NOTHING', uncountedReason: 'ALREADY_COMPLETED', missionName: 'Mission 1' } },
      { event: { effect: 'CAMPAIGN_COMPLETED' } },
    ]);
  });

  test('missions and campaigns are shown by name, with when they closed', async () => {
    const [mission] = await entries(ada, 'kinds=MISSION');
    const [campaign] = await entries(ada, 'kinds=CAMPAIGN');
    expect(mission).toMatchObject({
      mission: { name: 'Mission 1', periodKey: '', campaignName: campaign!['campaign'].name },
    });
    expect(campaign).toMatchObject({ campaign: { closedAt: campaign!.happenedAt } });
  });

  test('rewards are shown as they stand: delivered or waiting, with who gave them', async () => {
    const rewards = await entries(ada, 'kinds=REWARD');
    const granted = { operation: 'AccountAdminService.GrantReward', note: 'Asked by phone.' };
    expect(rewards.find(({ reward }) => reward.status === 'PENDING_STOCK')).toMatchObject({
      reward: { rewardType: 'PRODUCTS' },
      interventions: [{ ...granted, actorName: 'test CLIENT_ADMIN' }],
    });
    expect(rewards.filter(({ reward }) => reward.status === 'DELIVERED').length).toBeGreaterThan(1);
  });

  test('points are shown with source, reason and who adjusted them', async () => {
    const points = await entries(ada, 'kinds=POINTS');
    expect(points.find(({ points: { type } }) => type === 'ADJUST')).toMatchObject({
      points: { amount: 100, reason: 'Made up for.' },
      interventions: [{ actorName: 'test CLIENT_ADMIN', operation: 'LoyaltyAdminService.AdjustPoints' }],
    });
    expect(points.find(({ points: { type } }) => type === 'EARN')).toMatchObject({
      points: { sourceType: 'EARNED_REWARD' },
      interventions: [],
    });
  });

  test('the result in a league is shown with group, rank and outcome', async () => {
    const place = { league: 1, leagueName: 'Bronze', group: 1, rank: 1, outcome: 'KEPT' };
    expect(await entries(ada, 'kinds=LEAGUE')).toMatchObject([{ league: { name: 'League', place } }]);
  });

  test('freezes are shown with who gave them, and vacations with their days', async () => {
    expect(await entries(ada, 'kinds=STREAK_FREEZE')).toMatchObject([
      {
        streakFreeze: { type: 'GRANT', amount: 1 },
        interventions: [{ note: expect.stringMatching(/: Asked by phone\.$/) }],
      },
    ]);
    const { rows } = await ok(service.rest('GET', `/v1/accounts/${ada}/vacations`));
    expect(await entries(ada, 'kinds=VACATION')).toMatchObject([{ vacation: rows[0] }]);
  });

  test('a chest is shown with its draw and the odds of then', async () => {
    expect(await entries(ada, 'kinds=CHEST')).toMatchObject([
      { chest: { name: 'Gold', roll: { totalWeight: 4, entries: [{ weight: 3 }] } } },
    ]);
  });

  test('purchases and reservations are shown, without codes; changes with their reason', async () => {
    expect(await entries(ada, 'kinds=REDEMPTION')).toMatchObject([
      { redemption: { source: 'MARKETPLACE', quantity: 1, redeemables: [] } },
    ]);
    expect(await entries(ada, 'kinds=RESERVATION')).toMatchObject([{ reservation: { status: 'ACTIVE' } }]);
    expect(await entries(ada, 'kinds=CHANGE')).toMatchObject([
      { change: { operation: 'AccountAdminService.EditAccount', note: expect.stringContaining('Asked by phone.') } },
    ]);
  });
});

describe('pages', () => {
  test.each([1, 2, 3, 7])('of %i give every entry once, in the order of the whole', async (limit) => {
    const all = await entries(ada);
    expect(all.length).toBeGreaterThan(10);
    expect(positions(await byPages(ada, limit))).toEqual(positions(all));
  });

  test('of entries of one moment give every one once', async () => {
    const { id } = await post('/accounts', { externalId: 'ties' });
    const at = new Date('2026-11-01T12:00:00.123Z');
    await service.db.unitOfWork(service.clientId, async (uow) => {
      await uow.query(
        `insert into assignment (client_id, account_id, mission_id, period_key, id, progress, status, started_at, completed_at)
         select $1, $2, gen_random_uuid(), 'p' || n, gen_random_uuid(), 1, 'COMPLETED', $3, $3 from generate_series(1, 5) n`,
        [uow.clientId, id, at],
      );
      await uow.query(
        `insert into campaign_completion (client_id, account_id, campaign_id, completed_at)
         select $1, $2, gen_random_uuid(), $3 from generate_series(1, 5) n`,
        [uow.clientId, id, at],
      );
      await uow.query(
        `insert into point_entry (client_id, id, account_id, type, amount, balance_after, created_at)
         select $1, gen_random_uuid(), $2, 'EARN', 0, 0, $3::timestamptz + n * interval '1 microsecond'
           from generate_series(-3, 3) n`,
        [uow.clientId, id, at],
      );
    });
    const all = await entries(id);
    expect(all).toHaveLength(17);
    for (const limit of [1, 2, 4]) expect(positions(await byPages(id, limit))).toEqual(positions(all));
    const mid = encodeURIComponent(at.toISOString());
    expect(
      [...(await byPages(id, 2, `since=${mid}`)), ...(await byPages(id, 2, `until=${mid}`))].map(
        ({ id: each }) => each,
      ),
    ).toEqual(all.map(({ id: each }) => each));
  });

  test('by period give what is within it, its beginning included and its end not', async () => {
    const all = await entries(ada);
    const { happenedAt: at } = all[Math.floor(all.length / 2)]!;
    const moment = encodeURIComponent(at);
    const before = await entries(ada, `limit=200&until=${moment}`);
    const since = await entries(ada, `limit=200&since=${moment}`);
    expect([...since, ...before].length).toBe(all.length);
    // Compared as times, because the text of a whole second has no fraction and sorts behind texts that have one.
    expect(before.every((entry) => Date.parse(entry.happenedAt) < Date.parse(at))).toBe(true);
    expect(since.every((entry) => Date.parse(entry.happenedAt) >= Date.parse(at))).toBe(true);
  });

  test('a cursor that comes from no answer, a kind that is none and a page too long are refused', async () => {
    for (const query of [
      'cursor=x',
      `cursor=${'9'.repeat(18)}.1.${newId()}`,
      'kinds=NOTHING',
      'limit=201',
      'limit=0',
    ]) {
      expect(await page(ada, query), query).toMatchObject(refusal(400, 'BAD_REQUEST'));
    }
  });
});

describe('whose', () => {
  test('another account has its own, and may have nothing', async () => {
    expect(await ok(page(bea))).toEqual({ rows: [] });
  });

  test('another client finds no account, and an integrator is not let in', async () => {
    expect(await page(ada, '', stranger.adminToken)).toMatchObject(refusal(404, 'ACCOUNT_NOT_FOUND'));
    expect(await page(ada, '', service.apiKey)).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect(await page(newId())).toMatchObject(refusal(404, 'ACCOUNT_NOT_FOUND'));
  });

  test.each([false, true])('an account that was removed has no timeline any more (erased: %s)', async (erase) => {
    const { id } = await post('/accounts', { externalId: `gone ${erase}` });
    await everythingHappensTo(id);
    await post(`/admin/accounts/${id}/remove`, { erase, reason: 'Asked to.' });
    expect(await page(id)).toMatchObject(refusal(404, 'ACCOUNT_NOT_FOUND'));
  });
});

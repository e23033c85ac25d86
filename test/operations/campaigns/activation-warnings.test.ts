import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY } from '../../../src/kernel/time/timestamp.ts';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const path = (id: string) => `/admin/campaigns/${id}`;

describe('what cannot work is a warning, and activation goes on to take', () => {
  /** Midnights in the client's zone, UTC: campaigns begin tomorrow and last `days`. */
  const lasts = (days: number) => {
    const tomorrow = Math.floor(Date.now() / DAY) * DAY + DAY;
    return { startsAt: new Date(tomorrow).toISOString(), endsAt: new Date(tomorrow + days * DAY).toISOString() };
  };
  const isOfMission = ({ field }: { field: string }) => field.startsWith('missions[');

  /** The warnings in the preview of a campaign with this mission; the activation succeeds all the same. */
  async function warnedOf(mission: Record<string, unknown>, window: Record<string, unknown> = lasts(3)) {
    const { campaignId: id } = await newGame(service, { activate: false, missions: [mission], campaign: window });
    const { problems, warnings } = await ok(service.rest('GET', `${path(id)}/activation-preview`));
    expect(problems).toEqual([]);
    expect(await service.rest('POST', `${path(id)}/activate`)).toMatchObject({ status: 200 });
    return inEnglish(warnings.filter(isOfMission));
  }

  test('a streak longer than its campaign', async () => {
    expect(await warnedOf({ type: 'STREAK', name: 'Daily', target: 4 })).toEqual([
      {
        field: 'missions[0].target',
        message: expect.stringMatching(
          /^'Daily' needs 4 days, .* UTC, has 3 of them\. Lower target to 3 or move its end\.$/,
        ),
      },
    ]);
    expect(await warnedOf({ type: 'STREAK', target: 3 })).toEqual([]);
    expect(await warnedOf({ type: 'STREAK', target: 4 }, {})).toEqual([]);
  });

  test('a streak that has fewer days than its campaign, because of its days of the week', async () => {
    const conditions = { daysOfWeek: ['SATURDAY', 'SUNDAY'] };
    expect(await warnedOf({ type: 'STREAK', target: 5, conditions }, lasts(14))).toMatchObject([
      { field: 'missions[0].target', message: expect.stringContaining('has 4 of them') },
    ]);
    expect(await warnedOf({ type: 'STREAK', target: 4, conditions }, lasts(14))).toEqual([]);
  });

  test('a routine of more periods than are left', async () => {
    expect(await warnedOf({ type: 'ROUTINE', occurrences: 4 })).toMatchObject([
      { field: 'missions[0].occurrences', message: expect.stringContaining('Lower occurrences to 3') },
    ]);
    expect(await warnedOf({ type: 'ROUTINE', occurrences: 3 })).toEqual([]);
  });

  test('a target that no number of events can reach by caps', async () => {
    const capped = (target: number) => ({
      type: 'MISSION',
      name: 'Capped',
      programmaticCode: 'PURCHASE',
      target,
      period: 'MONTH',
      conditions: { maxPerPeriod: 10 },
    });
    const year = { startsAt: '2100-01-15T00:00:00Z', endsAt: '2100-03-15T00:00:00Z' };
    expect(await warnedOf(capped(30.5), year)).toEqual([
      {
        field: 'missions[0].conditions.maxPerPeriod',
        message: expect.stringMatching(
          /^'Capped' .* 30 .* 30\.5\. Raise maxPerPeriod, lower target, or move its end\.$/,
        ),
      },
    ]);
    expect(await warnedOf(capped(30), year)).toEqual([]);
    expect(await warnedOf(capped(30.5), {})).toEqual([]);
  });

  test('a target that no number of events can reach while a challenge lasts', async () => {
    const capped = (target: number) => ({
      type: 'CHALLENGE',
      name: 'Sprint',
      target,
      durationDays: 7,
      period: 'MONTH',
      conditions: { maxPerPeriod: 2 },
    });
    const open = { startsAt: lasts(1).startsAt };
    expect(await warnedOf(capped(5), open)).toEqual([
      {
        field: 'missions[0].conditions.maxPerPeriod',
        message: expect.stringMatching(
          /^'Sprint' .* 4 .* 5\. Raise maxPerPeriod, lower target, or raise durationDays\.$/,
        ),
      },
    ]);
    expect(await warnedOf(capped(4), open)).toEqual([]);
  });

  test('opening hours that never meet its window', async () => {
    const conditions = { timeFrom: '18:00', timeTo: '20:00' };
    const on = (from: string, until: string) => ({ startsAt: `2100-01-15T${from}Z`, endsAt: `2100-01-15T${until}Z` });
    expect(await warnedOf({ name: 'Evening', conditions }, on('10:00:00', '18:00:00'))).toEqual([
      {
        field: 'missions[0].conditions',
        message: expect.stringMatching(/^'Evening' is never open .* Change daysOfWeek, timeFrom and timeTo, or move/),
      },
    ]);
    expect(await warnedOf({ conditions }, on('10:00:00', '18:00:01'))).toEqual([]);
  });

  test('nothing of a mission that is a problem already', async () => {
    const endsAt = '2020-01-01T00:00:00Z';
    const missions = [{ type: 'STREAK', target: 4, endsAt }];
    const { campaignId } = await newGame(service, { activate: false, missions });
    const { problems, warnings } = await ok(service.rest('GET', `${path(campaignId)}/activation-preview`));
    expect(problems).toMatchObject([{ field: 'missions[0].endsAt' }]);
    expect(warnings.filter(isOfMission)).toEqual([]);
  });

  test('counts a campaign that is resumed from its first activation, and says nothing of what is over', async () => {
    const streak = (target: number) => ({ type: 'STREAK', target });
    const game = await newGame(service, { missions: [streak(3), streak(5), streak(5)] });
    await ok(service.rest('POST', `${path(game.campaignId)}/pause`));
    // Three local days, or four an hour before midnight. Accounts may have most of them behind them.
    await service.db.unitOfWork(service.clientId, async (uow) => {
      await uow.query(
        `update campaign set activated_at = now() - interval '2 days', ends_at = now() + interval '1 hour'
          where client_id = $1 and id = $2`,
        [uow.clientId, game.campaignId],
      );
      await uow.query(`update mission set ends_at = now() - interval '1 hour' where client_id = $1 and id = $2`, [
        uow.clientId,
        game.missionIds[2],
      ]);
    });
    const { warnings } = await ok(service.rest('GET', `${path(game.campaignId)}/activation-preview`));
    expect(warnings.filter(isOfMission)).toMatchObject([{ field: 'missions[1].target' }]);
  });
});

describe('a product with less stock than accounts in the audience', () => {
  const PLAYERS = 3;

  /** The warnings in the preview of a campaign for three accounts whose rewards are units of products. */
  async function warnedOf(products: readonly string[], routine: Record<string, unknown> = {}) {
    const rewards = products.map((productId) => ({ name: 'Mug', type: 'PRODUCTS', amount: 1, productId }));
    const game = await newGame(service, {
      activate: false,
      audienceKind: 'MANUAL',
      missions: [routine],
      ...(rewards.length > 0 && { rewards }),
    });
    await ok(service.rest('POST', `/gamification/audiences/${game.audienceId}/accounts/assign`, { accountIds }));
    const { problems, warnings } = await ok(service.rest('GET', `${path(game.campaignId)}/activation-preview`));
    expect(problems).toEqual([]);
    expect(await service.rest('POST', `${path(game.campaignId)}/activate`)).toMatchObject({ status: 200 });
    return inEnglish(warnings);
  }

  async function mugs(stock: number, stockMode = 'COUNTED'): Promise<string> {
    const { id } = await ok(service.rest('POST', '/admin/products', { name: 'Mug', stockMode }));
    if (stock > 0) await ok(service.rest('POST', `/admin/products/${id}/stock`, { quantity: stock }));
    return id;
  }

  const accountIds: string[] = [];
  beforeAll(async () => {
    for (let count = 0; count < PLAYERS; count += 1) {
      accountIds.push((await ok(service.rest('POST', '/accounts', {}))).id);
    }
  });

  test('is reported in numbers, and one with as many is not', async () => {
    expect(await warnedOf([await mugs(2)])).toEqual([
      {
        field: 'rewardIds[0]',
        message:
          "'Mug' has 2 free units; 3 accounts could earn up to 3. Add units, or who earns it last waits for a restock.",
      },
    ]);
    expect(await warnedOf([await mugs(3)])).toEqual([]);
  });

  test('is reported once for all rewards of it, added up', async () => {
    const mug = await mugs(5);
    expect(await warnedOf([mug, mug])).toMatchObject([
      { field: 'rewardIds[0]', message: expect.stringContaining('5 free units; 3 accounts could earn up to 6.') },
    ]);
    await ok(service.rest('POST', `/admin/products/${mug}/stock`, { quantity: 1 }));
    expect(await warnedOf([mug, mug])).toEqual([]);
  });

  test('counts the reward of a routine once for each of its periods', async () => {
    const reward = await ok(
      service.rest('POST', '/admin/rewards', { name: 'Mugs', type: 'PRODUCTS', amount: 2, productId: await mugs(29) }),
    );
    const routine = { type: 'ROUTINE', occurrences: 5, rewardIds: [reward.id] };
    expect(await warnedOf([], routine)).toMatchObject([
      { field: 'missions[0].rewardIds[0]', message: expect.stringContaining('could earn up to 30.') },
    ]);
    await ok(service.rest('POST', `/admin/products/${reward.productId}/stock`, { quantity: 1 }));
    expect(await warnedOf([], routine)).toEqual([]);
  });

  test('says of a campaign that was active before that some may have been earned', async () => {
    const rewards = [{ name: 'Mug', type: 'PRODUCTS', amount: 1, productId: await mugs(2) }];
    const { campaignId, audienceId } = await newGame(service, { audienceKind: 'MANUAL', rewards });
    await ok(service.rest('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds }));
    const { warnings } = await ok(service.rest('GET', `${path(campaignId)}/activation-preview`));
    expect(warnings).toMatchObject([
      { message: expect.stringContaining('up to 3, less what they have earned before.') },
    ]);
  });

  test('counts what is free: units of publications are for their buyers', async () => {
    const mug = await mugs(3);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('update product set allocated = 1 where client_id = $1 and id = $2', [uow.clientId, mug]),
    );
    expect(await warnedOf([mug])).toMatchObject([{ message: expect.stringContaining('has 2 free units') }]);
  });

  test('is reported as out of stock where nothing is left, once, and never where units are not counted', async () => {
    const mug = await mugs(0);
    expect(await warnedOf([mug, mug])).toEqual([
      { field: 'rewardIds[0]', message: "'Mug' is out of stock: who earns it waits for a restock." },
    ]);
    expect(await warnedOf([await mugs(0, 'UNLIMITED')])).toEqual([]);
  });

  test('is not reported for pieces, of which many make one unit', async () => {
    const { id } = await ok(
      service.rest('POST', '/admin/products', { name: 'Bike', stockMode: 'COUNTED', fragmentsRequired: 9 }),
    );
    await ok(service.rest('POST', `/admin/products/${id}/stock`, { quantity: 1 }));
    const piece = { name: 'Piece', type: 'FRAGMENTS', amount: 1, productId: id };
    const { id: reward } = await ok(service.rest('POST', '/admin/rewards', piece));
    expect(await warnedOf([], { rewardIds: [reward] })).toEqual([]);
  });
});

/** Findings without the parts of their texts. */
function inEnglish(findings: ReadonlyArray<{ readonly field: string; readonly message: string }>) {
  return findings.map(({ field, message }) => ({ field, message }));
}

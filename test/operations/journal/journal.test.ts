import { create, toJson } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JournalEntry_EffectSchema } from '../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { MissionConditionsSchema } from '../../../gen/laurel/v1/mission_pb.ts';
import { Uncounted_ReasonSchema } from '../../../gen/laurel/v1/uncounted_pb.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { completeReachedTargets } from '../../../src/triggers/complete-reached.ts';
import { amountToNumber, ONE } from '../../../src/kernel/amount.ts';
import { samples } from '../../engine/condition-samples.ts';
import { MONDAY } from '../../engine/fixtures.ts';
import { newGame, newProduct } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { holdAccount, untilApplied, untilBlocked } from '../triggers/inbox-fixture.ts';
import { codedGame, type Entry, type Game, journalOf, newCode } from './fixture.ts';

const HOUR = 3_600_000;

let service: TestService;
let journal: ReturnType<typeof journalOf>;
/** Every effect and reason that the tests have seen. */
const seen = new Set<string>();

beforeAll(async () => {
  service = await startService({ asyncAttempts: 2 });
  journal = journalOf(service);
});
afterAll(() => service.close());

async function emitAndReadEntry(code: string, account: string, more: Record<string, unknown> = {}): Promise<Entry> {
  const entry = await journal.emitAndReadEntry(code, account, more);
  seen.add(entry.effect);
  if (entry.uncountedReason) seen.add(entry.uncountedReason);
  return entry;
}

/** A game whose only mission counts a new code. */
const gameOf = (...what: Game) => codedGame(service, ...what);

const nothing = (reason: string, missionId?: string) => ({
  effect: 'NOTHING',
  uncountedReason: reason,
  ...(missionId && { missionId, missionName: 'Mission 1' }),
});
const on = (id: string, what: string) =>
  service.rest('POST', `/admin/campaigns/${id}/${what}`, {}).then(({ status, body }) => {
    if (status !== 200) throw new Error(JSON.stringify(body));
  });

describe('what an event did', () => {
  test('progress is recorded with the mission, its campaign and the amounts', async () => {
    const { code, missionIds, campaignId } = await gameOf({ target: 3 });
    await emitAndReadEntry(code, 'ada');
    const entry = await emitAndReadEntry(code, 'ada');
    expect(entry).toEqual({
      id: expect.any(String),
      accountId: await journal.accountId('ada'),
      programmaticCode: code,
      operationId: expect.any(String),
      effect: 'PROGRESSED',
      missions: [
        {
          missionId: missionIds[0],
          name: 'Mission 1',
          campaignId,
          previousProgress: 1,
          progress: 2,
          target: 3,
          completed: false,
        },
      ],
      campaigns: [],
      rewards: [],
      skippedRewards: [],
      recordedAt: expect.any(String),
      occurredAt: expect.any(String),
    });
    expect(Math.abs(Date.parse(entry.recordedAt) - Date.now())).toBeLessThan(60_000);
  });

  test('a completed mission and a completed campaign are recorded with what they earned', async () => {
    const product = await newProduct(service, []);
    const code = 'TWO';
    const game = await newGame(service, {
      codes: { TWO: 'SINGLE', OTHER: 'SINGLE' },
      missions: [{ programmaticCode: code }, { programmaticCode: 'OTHER' }],
      rewards: [
        { name: 'Five points', type: 'POINTS', amount: 5 },
        { name: 'A coupon', type: 'PRODUCTS', productId: product, amount: 1 },
      ],
    });
    expect(await emitAndReadEntry(code, 'bea')).toMatchObject({
      effect: 'COMPLETED',
      missions: [{ completed: true }],
      campaigns: [],
      rewards: [],
    });
    const last = await emitAndReadEntry('OTHER', 'bea');
    expect(last).toMatchObject({
      effect: 'CAMPAIGN_COMPLETED',
      campaigns: [{ campaignId: game.campaignId, name: expect.stringMatching(/^Campaign/) }],
      rewards: [
        { rewardId: game.rewardIds[0], name: 'Five points', amount: 5, pending: false },
        { rewardId: game.rewardIds[1], name: 'A coupon', amount: 1, pending: true },
      ],
    });
    const earned = await service.rest('GET', `/gamification/rewards/${last.accountId}`);
    if (earned.status === 200) {
      expect(JSON.stringify(earned.body)).toContain(String(last.rewards[0]!['earnedRewardId']));
    }
  });

  test('an event that was accepted and could not be applied is recorded with its dead trigger', async () => {
    const { code } = await gameOf({ target: 100 });
    const id = await journal.accountId('cleo');
    const release = await holdAccount(service, 'cleo', { thenDelete: true });
    await service.rest('POST', '/gamification/triggers/async', { programmaticCode: code, accountId: id });
    await untilBlocked(service);
    await release();
    await untilApplied(service);
    const dead = (await service.rest('GET', '/admin/dead-triggers/paginated?page=1&limit=1')).body.rows[0];
    const [entry] = await journal.entries({ effect: 'DEAD' });
    expect(entry).toMatchObject({
      programmaticCode: code,
      effect: 'DEAD',
      deadTriggerId: dead.id,
      errorCode: dead.errorCode,
    });
    expect(entry!.uncountedReason).toBeUndefined();
    seen.add('DEAD');
  });

  test('an event that was taken back is recorded once more, with its missions, its rewards and the reason', async () => {
    const { code } = await gameOf({ target: 1 });
    const event = await emitAndReadEntry(code, 'dora');
    await service.rest('POST', '/gamification/triggers/reversals', { journalEntryId: event.id, reason: 'Returned' });
    const [entry] = await journal.entries({ effect: 'REVERSED' });
    expect(entry).toMatchObject({
      programmaticCode: code,
      accountId: event.accountId,
      missions: [{ previousProgress: 1, progress: 0, target: 1, completed: false }],
      rewards: [],
      reversal: { journalEntryId: event.id, amount: 1, reason: 'Returned' },
    });
    seen.add('REVERSED');
  });

  test('a run that support restored is recorded with its length before and after', async () => {
    const { code, missionIds } = await gameOf({ type: 'STREAK', target: 30 });
    const accountId = await journal.accountId('elsa');
    const body = { missionId: missionIds[0], length: 9, reason: 'An outage.' };
    const restored = await service.rest('POST', `/admin/accounts/${accountId}/streaks/restore`, body);
    expect(restored).toMatchObject({ status: 200, body: { previous: 0, current: 9 } });
    expect(await journal.entries({ effect: 'RESTORED' })).toMatchObject([
      { programmaticCode: code, accountId, missions: [{ missionId: missionIds[0], previousProgress: 0, progress: 9 }] },
    ]);
    seen.add('RESTORED');
  });

  test('a mission that a lower target completed is recorded with its rewards, as no event', async () => {
    const { code, missionIds, campaignId } = await gameOf({ target: 3 });
    await emitAndReadEntry(code, 'fay');
    await emitAndReadEntry(code, 'fay');
    const { version } = (await service.rest('GET', `/admin/campaigns/${campaignId}`)).body;
    await service.rest('POST', `/admin/missions/${missionIds[0]}/improve`, { version, target: 2 });
    expect(await completeReachedTargets(service.db, service.clientId, new Date(), createCatalogs())).toBe(1);
    const [entry] = await journal.entries({ effect: 'TARGET_LOWERED' });
    expect(entry).toMatchObject({
      programmaticCode: code,
      accountId: await journal.accountId('fay'),
      missions: [{ missionId: missionIds[0], previousProgress: 2, progress: 2, target: 2, completed: true }],
      campaigns: [{ campaignId }],
    });
    expect(entry!.operationId).toBeUndefined();
    const reversal = await service.rest('POST', '/gamification/triggers/reversals', { journalEntryId: entry!.id });
    expect(reversal).toMatchObject({ status: 404, body: { code: 'TRIGGER_NOT_FOUND' } });
    seen.add('TARGET_LOWERED');
  });

  test('events of a batch and events that are applied later are recorded like those of single calls', async () => {
    const { code } = await gameOf({ target: 100 });
    const event = (accountId: string) => ({ programmaticCode: code, accountId, idType: 'EXTERNAL', metadata: {} });
    await service.rest('POST', '/gamification/triggers/batch', {
      triggers: [event('b-1'), event('b-2'), event('b-1')],
    });
    await service.rest('POST', '/gamification/triggers/async', event('b-1'));
    await untilApplied(service);
    const entries = await journal.entries({ programmaticCode: code });
    expect(entries.map(({ missions }) => missions[0]!['progress'])).toEqual([3, 2, 1, 1]);
    expect(await journal.entries({ accountId: await journal.accountId('b-1') })).toHaveLength(3);
  });
});

describe('why an event did nothing', () => {
  test('no mission counts the code', async () => {
    await gameOf({});
    await service.rest('POST', '/admin/event-definitions', { programmaticCode: 'ALONE', type: 'SINGLE' });
    expect(await emitAndReadEntry('ALONE', 'ada')).toMatchObject(nothing('NO_MISSION'));
  });

  test('the campaign is a draft, paused, ended or outside its dates', async () => {
    const draft = await gameOf({}, { activate: false });
    expect(await emitAndReadEntry(draft.code, 'ada')).toMatchObject(
      nothing('CAMPAIGN_NOT_ACTIVE', draft.missionIds[0]),
    );
    const paused = await gameOf({ target: 9 });
    await on(paused.campaignId, 'pause');
    expect(await emitAndReadEntry(paused.code, 'ada')).toMatchObject({
      ...nothing('CAMPAIGN_PAUSED', paused.missionIds[0]),
      campaignId: paused.campaignId,
      campaignName: expect.stringMatching(/^Campaign/),
    });
    const later = await gameOf({}, { campaign: { startsAt: new Date(Date.now() + HOUR).toISOString() } });
    expect(await emitAndReadEntry(later.code, 'ada')).toMatchObject(
      nothing('CAMPAIGN_NOT_ACTIVE', later.missionIds[0]),
    );
  });

  test('the account has done it', async () => {
    const { code, missionIds } = await gameOf({ target: 1 });
    await emitAndReadEntry(code, 'ada');
    expect(await emitAndReadEntry(code, 'ada')).toMatchObject(nothing('ALREADY_COMPLETED', missionIds[0]));
  });

  test('the amount is not positive, below what counts or above', async () => {
    const { code, missionIds } = await gameOf(
      { target: 100, conditions: { minAmount: 5, maxAmount: 10 } },
      { type: 'AMOUNT' },
    );
    const paid = (amount: number) => emitAndReadEntry(code, 'ada', { metadata: { amount } });
    expect(await paid(0)).toMatchObject(nothing('NOT_POSITIVE', missionIds[0]));
    expect(await paid(4)).toMatchObject(nothing('BELOW_MINIMUM', missionIds[0]));
    expect(await paid(11)).toMatchObject(nothing('ABOVE_MAXIMUM', missionIds[0]));
    expect(await paid(7)).toMatchObject({ effect: 'PROGRESSED', missions: [{ progress: 7 }] });
  });

  test('of several missions the reason is of the one that came nearest', async () => {
    const { code } = await gameOf(
      { target: 100, conditions: { minAmount: 50 } },
      { type: 'AMOUNT', audienceKind: 'MANUAL' },
    );
    const near = await newGame(service, {
      codes: {},
      missions: [{ programmaticCode: code, target: 100, conditions: { minAmount: 5 } }],
    });
    expect(await emitAndReadEntry(code, 'ada', { metadata: { amount: 1 } })).toMatchObject(
      nothing('BELOW_MINIMUM', near.missionIds[0]),
    );
  });
});

describe('why an event at a certain time did nothing', () => {
  const NOON = Date.parse('2027-06-02T12:00:00Z');
  let now = NOON;
  let then: TestService;
  let timed: ReturnType<typeof journalOf>;
  beforeAll(async () => {
    then = await startService({ clock: () => new Date(now), journal: 'byHash' });
    timed = journalOf(then);
  });
  afterAll(() => then.close());

  const at = (ms: number) => new Date(ms).toISOString();
  async function reason(code: string, account: string, occurredAt = now): Promise<string | undefined> {
    const entry = await timed.emitAndReadEntry(code, account, { occurredAt: at(occurredAt) });
    if (entry.uncountedReason) seen.add(entry.uncountedReason);
    return entry.uncountedReason;
  }
  async function game(mission: object, more: object = {}) {
    const code = newCode();
    const own = await newGame(then, {
      codes: { [code]: 'SINGLE' },
      missions: [{ programmaticCode: code, ...mission }],
      ...more,
    });
    return { ...own, code };
  }

  test('the account is in no audience, or joined it later', async () => {
    const { code, audienceId } = await game({ target: 9 }, { audienceKind: 'MANUAL' });
    expect(await reason(code, 'dora')).toBe('NOT_IN_AUDIENCE');
    const accountIds = [await timed.accountId('dora')];
    expect(
      (await then.rest('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds })).status,
    ).toBe(200);
    expect(await reason(code, 'dora', now - HOUR)).toBe('BEFORE_JOINING');
  });

  test('the campaign holds the account back', async () => {
    const { code } = await game({ target: 9 }, { campaign: { controlGroupPercent: 90 } });
    const reasons = new Set<string | undefined>();
    for (let who = 0; who < 12; who += 1) reasons.add(await reason(code, `guest ${who}`));
    expect(reasons).toContain('CONTROL_GROUP');
  });

  test('the campaign, or the mission before it, came later', async () => {
    const { code, campaignId, missionIds } = await game({ target: 1 });
    expect(await reason(code, 'ada', now - HOUR)).toBe('BEFORE_ACTIVATION');
    const next = await game({ target: 9, conditions: { prerequisiteMissionIds: missionIds } });
    now += HOUR;
    expect(await timed.emitAndReadEntry(code, 'ada')).toMatchObject({ campaigns: [{ campaignId }] });
    expect(await reason(next.code, 'ada', now - HOUR / 2)).toBe('BEFORE_PREREQUISITE');
  });

  test('the mission has not begun, or is over', async () => {
    const audience = (await then.rest('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' })).body.id;
    await then.rest('POST', '/admin/event-definitions', { programmaticCode: 'WINDOW', type: 'SINGLE' });
    const mission = { type: 'MISSION', name: 'Window', programmaticCode: 'WINDOW', target: 9 };
    const window = { startsAt: at(now - 2 * HOUR), endsAt: at(now + HOUR) };
    const { status, body } = await then.rest('POST', '/admin/missions', {
      audienceId: audience,
      mission: { ...mission, ...window },
    });
    expect(body, String(status)).toMatchObject({ name: 'Window' });
    expect(await reason('WINDOW', 'ada', now - 3 * HOUR)).toBe('NOT_STARTED');
    now += 2 * HOUR;
    expect(await reason('WINDOW', 'ada')).toBe('EXPIRED');
  });

  const { prerequisiteMissionIds: _, ...alone } = samples;
  test.each(Object.entries(alone))('the condition %s refuses the last of several events', async (name, sample) => {
    // A Monday, like that of the samples.
    const later = 53 * 7 * 24 * HOUR;
    now = MONDAY + later - 24 * HOUR;
    const conditions = toJson(MissionConditionsSchema, create(MissionConditionsSchema, { [name]: sample.value }));
    const code = newCode();
    await newGame(then, {
      codes: { [code]: 'AMOUNT' },
      missions: [{ programmaticCode: code, target: 1_000_000, conditions }],
    });
    const outcomes: unknown[] = [];
    for (const { at: moment = MONDAY, amount = ONE } of sample.events) {
      const occurredAt = new Date(moment).getTime() + later;
      now = Math.max(now, occurredAt);
      const more = { occurredAt: at(occurredAt), metadata: { amount: amountToNumber(amount) } };
      const entry = await timed.emitAndReadEntry(code, 'ada', more);
      outcomes.push(entry.uncountedReason ?? entry.effect);
    }
    expect(outcomes).toEqual([...sample.events.slice(1).map(() => 'PROGRESSED'), sample.reason]);
    seen.add(sample.reason);
  });

  test('an expression does not hold, or an attribute is missing; the entry says which part, with its values', async () => {
    const code = newCode();
    const attributes = [{ name: 'drink', type: 'STRING' }];
    await then.rest('POST', '/admin/event-definitions', { programmaticCode: code, type: 'SINGLE', attributes });
    await newGame(then, {
      codes: {},
      missions: [{ programmaticCode: code, conditions: { expression: 'event.drink in ["tea", "coffee"]' } }],
    });
    const tried = async (metadata: object) => {
      const entry = await timed.emitAndReadEntry(code, 'ada', { occurredAt: at(now), metadata });
      seen.add(entry.uncountedReason!);
      return entry;
    };
    expect(await tried({ drink: 'milk' })).toMatchObject({
      uncountedReason: 'CONDITION_NOT_MET',
      explanation: 'event.drink is "milk", needed one of "tea", "coffee"',
      attributes: { drink: 'milk' },
    });
    const missing = await tried({});
    expect(missing).toMatchObject({ uncountedReason: 'ATTRIBUTE_MISSING', explanation: 'event.drink is missing' });
    expect(missing).not.toHaveProperty('attributes');
  });

  test('a streak has its period, or the period is settled', async () => {
    const streak = await game({ type: 'STREAK', target: 5 });
    expect(await reason(streak.code, 'ada')).toBeUndefined();
    expect(await reason(streak.code, 'ada')).toBe('PERIOD_KEPT');
  });

  test('an event that waited until its period was settled came too late', async () => {
    const streak = await game({ type: 'STREAK', target: 5 });
    await timed.accountId('late');
    const release = await holdAccount(then, 'late');
    const event = { programmaticCode: streak.code, accountId: 'late', idType: 'EXTERNAL', occurredAt: at(now) };
    expect((await then.rest('POST', '/gamification/triggers/async', event)).status).toBe(200);
    // Its first attempt has yielded to the holder of the account.
    const wait = () => then.db.unitOfWork(then.clientId, (uow) => uow.query('select error_code from trigger_inbox'));
    await expect.poll(wait, { timeout: 10_000 }).toEqual([{ error_code: 'DATABASE_BUSY' }]);
    now += 5 * 24 * HOUR;
    const settled = () => then.db.unitOfWork(then.clientId, (uow) => uow.query(`select not_before from trigger_inbox`));
    const [before] = await settled();
    await expect.poll(settled, { timeout: 10_000 }).not.toEqual([before]);
    await release();
    await untilApplied(then);
    const [entry] = await timed.entries({ programmaticCode: streak.code });
    seen.add(entry!.uncountedReason!);
    expect(entry).toMatchObject({ effect: 'NOTHING', uncountedReason: 'TOO_LATE' });
  });

  test('a mission comes before', async () => {
    const { code, campaignId, missionIds, audienceId, rewardIds } = await game({ target: 1 }, { activate: false });
    const after = `${code}_AFTER`;
    await then.rest('POST', '/admin/event-definitions', { programmaticCode: after, type: 'SINGLE' });
    const { body } = await then.rest('GET', `/admin/campaigns/${campaignId}`);
    const mission = { type: 'MISSION', target: 1 };
    const missions = [
      { ...mission, id: missionIds[0], name: 'First', programmaticCode: code },
      { ...mission, name: 'Second', programmaticCode: after, conditions: { prerequisiteMissionIds: [missionIds[0]] } },
    ];
    const campaign = { name: 'In order', audienceIds: [audienceId], rewardIds, missions };
    const changed = await then.rest('PUT', `/admin/campaigns/${campaignId}`, { version: body.version, campaign });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect((await then.rest('POST', `/admin/campaigns/${campaignId}/activate`)).status).toBe(200);
    expect(await reason(after, 'ada')).toBe('PREREQUISITE_MISSING');
  });
});

test('every effect and every reason came from an event', () => {
  const every = [JournalEntry_EffectSchema, Uncounted_ReasonSchema].flatMap(({ values }) =>
    values.filter(({ number }) => number !== 0).map(({ localName }) => localName),
  );
  expect(every.filter((word) => !seen.has(word))).toEqual([]);
});

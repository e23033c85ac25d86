import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bumpCatalogVersion } from '../../src/clients/catalog-version.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type EventOptions, instantOf, type Journey, type Player, startJourney, type Stage } from './stage.ts';

let journey: Journey;
let stage: Stage;
let ada: Player;
beforeAll(async () => {
  journey = await startJourney('2027-06-01T12:00Z');
});
beforeEach(async () => {
  journey.clock.set('2027-06-01T12:00Z');
  stage = await journey.stage('Europe/Madrid');
  ada = stage.player('ada');
});
afterAll(() => journey.service.close());

function emitAt(moment: string | number, code: string, options?: EventOptions) {
  journey.clock.set(moment);
  return ada.emit(code, options);
}

/** The instant after a number of days of 24 hours. */
const daysAfter = (moment: string, days: number) => instantOf(moment) + days * 86_400_000;

const PROGRESS = '/v1/gamification/missions/progress/{id}';
const COMPLETED = '/v1/gamification/missions/completed/{id}';

describe('a MISSION', () => {
  test('counts occurrences of a SINGLE event to its target, once', async () => {
    await stage.game({ missions: [{ target: 2 }] });
    expect(await ada.emit('LOGIN')).toMatchObject({
      progressedMissions: [{ type: 'MISSION', previousProgress: 0, progress: 1, target: 2, status: 'ACTIVE' }],
      rewards: [],
    });
    expect(await ada.get(PROGRESS)).toMatchObject([{ progress: 1, startedAt: '2027-06-01T12:00:00Z' }]);
    expect(await emitAt('2027-06-02T12:00Z', 'LOGIN')).toMatchObject({
      progressedMissions: [{ progress: 2, status: 'COMPLETED', completedAt: '2027-06-02T12:00:00Z' }],
      rewards: [{ status: 'DELIVERED' }],
    });
    expect(await ada.emit('LOGIN')).toEqual({ progressedMissions: [], rewards: [] });
    expect(await ada.feed()).toEqual([]);
    expect(await ada.feed('COMPLETED')).toMatchObject([{ progress: 2, completedAt: '2027-06-02T12:00:00Z' }]);
    expect(await ada.get(COMPLETED)).toMatchObject([{ progress: 2, status: 'COMPLETED' }]);
    expect(await ada.get(PROGRESS)).toEqual([]);
  });

  test('sums the amounts of an AMOUNT event exactly, and stops at its target', async () => {
    await stage.game({ missions: [{ programmaticCode: 'PURCHASE', target: 0.35 }] });
    await ada.emit('PURCHASE', { amount: 0.1 });
    const { progressedMissions } = await ada.emit('PURCHASE', { amount: 0.2 });
    expect(progressedMissions).toMatchObject([{ previousProgress: 0.1, progress: 0.3 }]);
    const last = await ada.emit('PURCHASE', { amount: 1000 });
    expect(last.progressedMissions).toMatchObject([{ progress: 0.35, status: 'COMPLETED' }]);
  });

  test('delivers its own rewards when it completes, and the campaign its own with the last of them', async () => {
    const bonus = await stage.admin('/admin/rewards', { name: 'Bonus', type: 'POINTS', amount: 1 });
    const game = await stage.game({
      missions: [{ rewardIds: [bonus.id] }, { programmaticCode: 'PURCHASE', target: 5 }],
    });
    const first = await ada.emit('LOGIN');
    expect(first.rewards).toMatchObject([{ rewardId: bonus.id, missionId: game.missionIds[0] }]);
    const last = await ada.emit('PURCHASE', { amount: 5 });
    expect(last.rewards).toMatchObject([{ rewardId: game.rewardIds[0], campaignId: game.campaignId, missionId: null }]);
  });

  test('moves together with others that count the same event', async () => {
    await stage.game({ missions: [{ target: 1 }, { target: 2 }] });
    await stage.game({ missions: [{ target: 3 }] });
    expect((await ada.emit('LOGIN')).progressedMissions).toHaveLength(3);
    expect((await ada.emit('LOGIN')).progressedMissions).toMatchObject([{ target: 2 }, { target: 3 }]);
  });
});

describe('a CHALLENGE', () => {
  const END = '2027-06-10T00:00:00Z';

  test('closes at endsAt: what is unfinished is EXPIRED in the feed, and gone without a status filter', async () => {
    await stage.game({ missions: [{ type: 'CHALLENGE', target: 3, endsAt: END }] });
    await stage.player('bob').id();
    await ada.emit('LOGIN');
    expect((await emitAt(instantOf(END) - 1, 'LOGIN')).progressedMissions).toMatchObject([{ progress: 2 }]);
    expect(await ada.feed()).toMatchObject([{ status: 'ACTIVE', expiresAt: END }]);
    expect(await emitAt(END, 'LOGIN')).toEqual({ progressedMissions: [], rewards: [] });
    expect(await ada.feed()).toEqual([]);
    expect(await ada.feed('ACTIVE', 'COMPLETED')).toEqual([]);
    expect(await ada.feed('EXPIRED')).toMatchObject([{ type: 'CHALLENGE', status: 'EXPIRED', progress: 2, target: 3 }]);
    expect(await ada.get(PROGRESS)).toEqual([]);
    expect(await stage.player('bob').feed('EXPIRED'), 'also where it was never begun').toMatchObject([{ progress: 0 }]);
    expect(await stage.player('eve').feed('EXPIRED'), 'but not to who came later').toEqual([]);
  });

  test('counts an event that occurred in time and arrives late, and then is completed, not expired', async () => {
    await stage.game({ missions: [{ type: 'CHALLENGE', target: 2, endsAt: END }] });
    await ada.emit('LOGIN');
    const late = await emitAt(instantOf(END) + 3_600_000, 'LOGIN', { occurredAt: instantOf(END) - 1 });
    expect(late).toMatchObject({ progressedMissions: [{ status: 'COMPLETED' }], rewards: [{ status: 'DELIVERED' }] });
    expect(await ada.feed('EXPIRED', 'COMPLETED')).toMatchObject([{ status: 'COMPLETED' }]);
  });

  test('with durationDays lasts that many days of 24 hours from its first progress, clock changes or not', async () => {
    const start = '2027-10-28T10:00:00Z';
    await stage.game({ missions: [{ type: 'CHALLENGE', target: 3, durationDays: 7 }] });
    journey.clock.set('2027-10-01T10:00Z');
    const [waiting] = await ada.feed();
    expect(waiting).toMatchObject({ status: 'ACTIVE' });
    expect(waiting).not.toHaveProperty('expiresAt');
    await emitAt(start, 'LOGIN');
    expect(await ada.feed()).toMatchObject([{ expiresAt: '2027-11-04T10:00:00Z' }]);
    expect((await emitAt(daysAfter(start, 7) - 1, 'LOGIN')).progressedMissions).toMatchObject([{ progress: 2 }]);
    expect((await emitAt(daysAfter(start, 7), 'LOGIN')).progressedMissions).toEqual([]);
    expect(await ada.feed('EXPIRED')).toMatchObject([{ progress: 2 }]);
    expect(await stage.player('bob').feed(), 'everybody has days of their own').toHaveLength(1);
  });

  test('closes its campaign when it is met in time', async () => {
    const game = await stage.game({ missions: [{ type: 'CHALLENGE', target: 1, durationDays: 1 }] });
    expect((await ada.emit('LOGIN')).rewards).toMatchObject([{ campaignId: game.campaignId }]);
    journey.clock.set('2027-07-01T12:00Z');
    expect(await ada.feed('COMPLETED', 'EXPIRED')).toMatchObject([{ status: 'COMPLETED' }]);
  });
});

describe('a ROUTINE', () => {
  const day = (date: number, time = '12:00') => `2027-06-0${date}T${time}[Europe/Madrid]`;
  const login = async (moment: string, occurredAt?: string) => {
    const { progressedMissions, rewards } = await emitAt(moment, 'LOGIN', { occurredAt });
    const [moved] = progressedMissions;
    return moved && `${moved.periodKey}: ${moved.progress}/${moved.target} ${moved.status} +${rewards.length}`;
  };

  test('is fresh in every period; occurrences of completed ones complete it and close the campaign', async () => {
    const each = await stage.admin('/admin/rewards', { name: 'Each day', type: 'POINTS', amount: 2 });
    const routine = { type: 'ROUTINE', target: 2, occurrences: 3, rewardIds: [each.id] };
    const { rewardIds } = await stage.game({ missions: [routine] });
    expect(await login(day(1))).toBe('2027-06-01: 1/2 ACTIVE +0');
    expect(await login(day(1, '23:59:59'))).toBe('2027-06-01: 2/2 COMPLETED +1');
    expect(await login(day(1, '23:59:59'))).toBeUndefined();
    expect(await ada.feed('COMPLETED')).toMatchObject([{ periodKey: '2027-06-01', progress: 2, target: 2 }]);

    expect(await login(day(2, '00:00'))).toBe('2027-06-02: 1/2 ACTIVE +0');
    expect(await ada.feed()).toMatchObject([
      {
        periodKey: '2027-06-02',
        progress: 1,
        startsAt: '2027-06-01T22:00:00Z',
        expiresAt: '2027-06-02T22:00:00Z',
        rewards: [{ id: each.id }],
      },
    ]);
    expect(await ada.get(PROGRESS)).toMatchObject([{ periodKey: '2027-06-02' }]);

    expect(await login(day(3))).toBe('2027-06-03: 1/2 ACTIVE +0');
    expect(await ada.get(PROGRESS), 'the second day expired').toMatchObject([{ periodKey: '2027-06-03' }]);
    expect(await login(day(3), day(2, '23:59:59')), 'late, and in its own day').toBe('2027-06-02: 2/2 COMPLETED +1');
    const last = await emitAt(day(3), 'LOGIN');
    expect(last.rewards.map((reward: { rewardId: string }) => reward.rewardId)).toEqual([each.id, ...rewardIds]);

    expect(await login(day(4))).toBeUndefined();
    expect(await ada.feed()).toEqual([]);
    expect(await ada.feed('COMPLETED')).toMatchObject([{ progress: 3, target: 3, periodKey: '' }]);
    expect(await ada.get(COMPLETED)).toHaveLength(3);
    expect((await ada.points()).lifetimeEarned).toBe(3 * 2 + 10);
  });

  test('gives the ids of its periods before they begin to count', async () => {
    await stage.game({ missions: [{ type: 'ROUTINE', target: 2, occurrences: 3 }] });
    const ids = new Set<string>();
    for (const date of [1, 2, 3]) {
      journey.clock.set(day(date));
      const [{ id }] = await ada.feed();
      expect((await ada.emit('LOGIN')).progressedMissions).toMatchObject([{ assignmentId: id }]);
      ids.add(id);
    }
    expect(ids.size).toBe(3);
  });

  test('counts weeks from Monday and months by the calendar', async () => {
    const routine = { type: 'ROUTINE', target: 2, occurrences: 5 };
    const missions = [
      { ...routine, period: 'WEEK' },
      { ...routine, period: 'MONTH' },
    ];
    await stage.game({ missions });
    const keysAt = async (moment: string) => {
      const { progressedMissions } = await emitAt(moment, 'LOGIN');
      return progressedMissions.map((moved: { periodKey: string; progress: number }) => [
        moved.periodKey,
        moved.progress,
      ]);
    };
    // A Sunday that is the last day of its month, then the Monday after it.
    expect(await keysAt('2027-01-31T23:59:59[Europe/Madrid]')).toEqual([
      ['2027-W04', 1],
      ['2027-01', 1],
    ]);
    expect(await keysAt('2027-02-01T00:00[Europe/Madrid]')).toEqual([
      ['2027-W05', 1],
      ['2027-02', 1],
    ]);
    expect(await keysAt('2027-02-07T23:59:59[Europe/Madrid]')).toEqual([
      ['2027-W05', 2],
      ['2027-02', 2],
    ]);
  });
});

describe('an item of no campaign', () => {
  /** This state has no operation of the API. */
  async function standalone(mission: { type: string; target: number; audienceId?: string }): Promise<string> {
    const id = newId();
    await journey.service.db.unitOfWork(stage.clientId, async (uow) => {
      await uow.query(
        `insert into mission (client_id, id, audience_id, type, name, programmatic_code, target, period)
         values ($1, $2, $3, $4, 'Standalone', 'LOGIN', $5, 'DAY')`,
        [stage.clientId, id, mission.audienceId, mission.type, mission.target],
      );
      await bumpCatalogVersion(uow);
    });
    return id;
  }

  test('is found by campaignId null, beside those of campaigns', async () => {
    const game = await stage.game({});
    const missionId = await standalone({ type: 'MISSION', target: 2, audienceId: game.audienceId });
    expect(await ada.feed()).toMatchObject([{ campaignId: game.campaignId }, { missionId, campaignId: null }]);
    expect(await ada.get('/v1/feed/account/{id}', { campaignId: null })).toMatchObject([{ missionId }]);
    expect((await ada.emit('LOGIN')).progressedMissions).toMatchObject([{}, { missionId, campaignId: null }]);
  });

  test('that is a ROUTINE without occurrences never ends', async () => {
    const { audienceId } = await stage.game({ activate: false });
    await standalone({ type: 'ROUTINE', target: 1, audienceId });
    for (const date of [1, 2, 3, 4, 5]) {
      const { progressedMissions } = await emitAt(`2027-06-0${date}T12:00Z`, 'LOGIN');
      expect(progressedMissions).toMatchObject([{ periodKey: `2027-06-0${date}`, status: 'COMPLETED' }]);
      expect((await ada.emit('LOGIN')).progressedMissions).toEqual([]);
    }
  });
});

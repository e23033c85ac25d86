import { expect } from 'vitest';
import type { Database } from '../../../src/persistence/database.ts';
import { type Game, newGame, newProduct } from '../../support/game.ts';
import type { Rest, Tenant } from '../../support/service.ts';
import type { AnsweredEvent } from './event-load.ts';
import { expectExact } from './expect-exact.ts';

/**
 * A game in which every event can be counted afterwards: by a mission that never ends, by campaigns that close, by a statistic, by its
 * levels, by a leaderboard over it, and by a streak whose first milestone gives a freeze.
 */
export type CountedGame = {
  readonly counterId: string;
  /** The campaigns by the number of events that close them for an account. */
  readonly closings: ReadonlyMap<number, Game>;
  /** The product of which closings give a unit. */
  readonly couponId: string;
  /** The code of the statistic that counts the events, and of the track over it. */
  readonly counted: string;
  /** The reward of each level, by its threshold. */
  readonly levels: ReadonlyMap<number, string>;
  readonly leaderboardId: string;
  readonly streakId: string;
};

/** The points of a closing; it also gives a coupon while they last. */
const POINTS = 10;

/** The thresholds of levels that give points, and of one that gives a badge. */
const LEVELS = [2, 7, 25];
const BADGE_LEVEL = 5;

/** Creates the game for a tenant. The first accounts to close a campaign get the coupons, the others wait for more. */
export async function newCountedGame(rest: Rest, tenant: Tenant, code = 'LOGIN', coupons = 20): Promise<CountedGame> {
  const service = { rest, adminToken: tenant.adminToken };
  const codes = { [code]: 'SINGLE' } as const;
  const mission = (target: number) => ({ codes, missions: [{ programmaticCode: code, target }] });
  const counter = await newGame(service, mission(1_000_000));
  const couponId = await newProduct(
    service,
    Array.from({ length: coupons }, (_, index) => `${code}-${index}`),
  );
  const closings = new Map<number, Game>();
  for (const target of [1, 3, 10, 30]) {
    const points = { name: 'Points', type: 'POINTS', amount: POINTS };
    const coupon = { name: 'Coupon', type: 'PRODUCTS', amount: 1, productId: couponId };
    closings.set(target, await newGame(service, { ...mission(target), rewards: [points, coupon] }));
  }
  const counted = code.toLowerCase().replaceAll(/\W/g, '_');
  return {
    counterId: counter.missionIds[0]!,
    closings,
    couponId,
    counted,
    levels: await newLevels(rest, code, counted),
    leaderboardId: await newLeaderboard(rest, counted),
    streakId: await newStreak(rest, tenant, code),
  };
}

/** A statistic of the events, and levels over it. */
async function newLevels(rest: Rest, programmaticCode: string, code: string): Promise<Map<number, string>> {
  const created = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const answer = await rest('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const statistic = { code, programmaticCode, aggregation: 'COUNT', period: 'ALL_TIME' };
  await created('/admin/statistic-definitions', { statisticDefinition: statistic });
  const levels = new Map<number, string>();
  for (const threshold of [...LEVELS, BADGE_LEVEL].toSorted((one, other) => one - other)) {
    const reward =
      threshold === BADGE_LEVEL
        ? { name: `Badge of ${code}`, type: 'BADGE', amount: 1 }
        : { name: `Level ${threshold}`, type: 'POINTS', amount: POINTS };
    levels.set(threshold, (await created('/admin/rewards', reward)).id);
  }
  const stated = [...levels].map(([threshold, id]) => ({ code: `level_${threshold}`, threshold, rewardIds: [id] }));
  await created('/admin/level-tracks', { levelTrack: { code, statisticCode: code, levels: stated } });
  return levels;
}

/** An active leaderboard over a statistic. */
async function newLeaderboard(rest: Rest, statisticCode: string): Promise<string> {
  const leaderboard = { name: `Most of ${statisticCode}`, statisticCode };
  const { body, status } = await rest('POST', '/admin/leaderboards', { leaderboard });
  expect(status, JSON.stringify(body)).toBe(201);
  const activated = await rest('POST', `/admin/leaderboards/${body.id}/activate`);
  expect(activated.status, JSON.stringify(activated.body)).toBeLessThan(300);
  return body.id;
}

/** A streak without an end, whose first milestone is reached by the first event of an account. */
async function newStreak(rest: Rest, { clientId }: Tenant, programmaticCode: string): Promise<string> {
  const client = `/admin/clients/${clientId}`;
  const { version, name, timeZone } = (await rest('GET', client)).body;
  const changed = await rest('PUT', client, { version, name, timeZone, streaks: { freezesMax: 50 } });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const audience = await rest('POST', '/admin/audiences', {
    name: `Everyone of ${programmaticCode}`,
    kind: 'EVERYONE',
  });
  expect(audience.status, JSON.stringify(audience.body)).toBe(201);
  const milestones = [{ length: 1, freezes: 1 }];
  const mission = { type: 'STREAK', name: `Days of ${programmaticCode}`, programmaticCode, endless: true, milestones };
  const { body, status } = await rest('POST', '/admin/missions', { audienceId: audience.body.id, mission });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

/** Compares the stored data with the answers: every event is stored once. */
export async function expectCounted(
  { rest, db }: { rest: Rest; db: Database },
  game: CountedGame,
  answered: readonly AnsweredEvent[],
): Promise<void> {
  expect(answered.length).toBeGreaterThan(0);
  expect(new Set(answered.map(({ operationId }) => operationId)).size).toBe(answered.length);
  for (const [accountId, events] of Map.groupBy(answered, (event) => event.accountId)) {
    // Each event increased the counter by one: the answers have every value from 1 to their number, in some order.
    const steps = events.map(({ answer }) => counterStep(answer, game.counterId));
    expect(steps.toSorted((a, b) => a - b)).toEqual(events.map((_, index) => index + 1));

    const read = async (path: string) => (await rest('GET', `${path}?idType=EXTERNAL`)).body;
    const progress = await read(`/v1/gamification/missions/progress/${accountId}`);
    expect(progress).toContainEqual(expect.objectContaining({ missionId: game.counterId, progress: events.length }));
    const closed = [...game.closings]
      .filter(([target]) => target <= events.length)
      .map(([, { rewardIds }]) => rewardIds);
    const reached = [...game.levels].filter(([threshold]) => threshold <= events.length);
    const rewards: Array<{ rewardId: string }> = await read(`/v1/gamification/missions/my-rewards/${accountId}`);
    const earned = [...closed.flat(), ...reached.map(([, rewardId]) => rewardId)];
    expect(rewards.map(({ rewardId }) => rewardId).toSorted()).toEqual(earned.toSorted());
    const points = await read(`/loyalty/accounts/${accountId}/points`);
    const paid = (closed.length + reached.filter(([threshold]) => threshold !== BADGE_LEVEL).length) * POINTS;
    expect(points).toMatchObject({ available: paid, lifetimeEarned: paid });
    const { rows: statistics } = await read(`/v1/accounts/${accountId}/statistics`);
    expect(statistics).toContainEqual(expect.objectContaining({ code: game.counted, value: events.length }));
    const { entry } = await read(`/v1/accounts/${accountId}/leaderboards/${game.leaderboardId}`);
    expect(entry).toMatchObject({ value: events.length });
    const { rows: levels } = await read(`/v1/accounts/${accountId}/levels`);
    const level = reached.length === 0 ? {} : { level: expect.objectContaining({ number: reached.length }) };
    expect(levels).toContainEqual(expect.objectContaining({ trackCode: game.counted, ...level }));
    const { rows: freezes } = await read(`/v1/accounts/${accountId}/streak-freezes`);
    const ofStreak = freezes.filter((line: { missionId?: string }) => line.missionId === game.streakId);
    expect(ofStreak).toMatchObject([{ type: 'EARN', amount: 1, milestone: 1 }]);
  }
  await expectExact(db);
}

/** Repeats some of the events: each has its first answer, and no effect. */
export async function expectReplayed(rest: Rest, answered: readonly AnsweredEvent[], sample = 20): Promise<void> {
  const step = Math.max(1, Math.floor(answered.length / sample));
  for (const { answer, ...event } of answered.filter((_, index) => index % step === 0)) {
    const again = await rest('POST', '/gamification/triggers', { ...event, idType: 'EXTERNAL' });
    expect(again).toMatchObject({ status: 200, body: answer });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  }
}

function counterStep(answer: unknown, counterId: string): number {
  const { progressedMissions } = answer as { progressedMissions: Array<{ missionId: string; progress: number }> };
  return progressedMissions.find(({ missionId }) => missionId === counterId)?.progress ?? 0;
}

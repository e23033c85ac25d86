import { expect } from 'vitest';
import type { Database } from '../../../src/persistence/database.ts';
import { type Game, newGame, newProduct } from '../../support/game.ts';
import type { Rest, Tenant } from '../../support/service.ts';
import type { AnsweredEvent } from './event-load.ts';
import { expectExact } from './expect-exact.ts';

/** A game in which every event can be counted afterwards: by a mission that never ends, and by campaigns that close. */
export type CountedGame = {
  readonly counterId: string;
  /** The campaigns by the number of events that close them for an account. */
  readonly closings: ReadonlyMap<number, Game>;
  /** The product of which closings give a unit. */
  readonly couponId: string;
};

/** The points of a closing; it also gives a coupon while they last. */
const POINTS = 10;

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
  return { counterId: counter.missionIds[0]!, closings, couponId };
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
    const rewards: Array<{ rewardId: string }> = await read(`/v1/gamification/missions/my-rewards/${accountId}`);
    expect(rewards.map(({ rewardId }) => rewardId).toSorted()).toEqual(closed.flat().toSorted());
    const points = await read(`/loyalty/accounts/${accountId}/points`);
    expect(points).toMatchObject({ available: closed.length * POINTS, lifetimeEarned: closed.length * POINTS });
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

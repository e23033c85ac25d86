import { expect } from 'vitest';
import { newGame } from '../../support/game.ts';
import type { Rest, Tenant } from '../../support/service.ts';

/** A mission whose sum decides what an account has of it. */
export type SummedMission = { readonly id: string; readonly target: number; readonly max: number };

/** A random catalogue in which events are sent, taken back and backfilled, and accounts buy, claim and become one. */
export type CorrectedGame = {
  /** The code of all events: an amount. */
  readonly code: string;
  /** The missions of campaigns that are always open. */
  readonly missions: readonly SummedMission[];
  /** The ids of those without a last round, each of which pays {@link POINTS}. */
  readonly endless: ReadonlySet<string>;
  /** A campaign that is closed by a claim. */
  readonly claimableId: string;
  /** A campaign that the test pauses and resumes. */
  readonly pausedId: string;
  /** A product with few units that accounts win and buy, and one that is made of pieces. */
  readonly mugId: string;
  readonly puzzleId: string;
};

/** The points of a round of an endless mission. */
export const POINTS = 10;

/** The pieces that make a unit of the puzzle. */
export const PIECES = 3;

const UNBOUNDED = 1_000_000_000;

/** Creates a catalogue for a tenant, by the random numbers. */
export async function newCorrectedGame(rest: Rest, tenant: Tenant, random: () => number): Promise<CorrectedGame> {
  const service = { rest, adminToken: tenant.adminToken };
  const created = async (path: string, body: object): Promise<string> => {
    const answer = await rest('POST', path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(201);
    return answer.body.id;
  };
  const reward = (type: string, amount: number, more: object = {}) =>
    created('/admin/rewards', { name: `${type} ${amount}`, type, amount, ...more });
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));

  const mugId = await created('/admin/products', { name: 'Mug', stockMode: 'COUNTED', pointsCost: between(3, 9) });
  const puzzle = { name: 'Puzzle', stockMode: 'COUNTED', fragmentsRequired: PIECES };
  const puzzleId = await created('/admin/products', puzzle);
  const points = await reward('POINTS', POINTS);
  const pieces = await reward('FRAGMENTS', 2, { productId: puzzleId });
  const mug = await reward('PRODUCTS', 1, { productId: mugId });
  const bonus = { name: 'Bonus', type: 'POINTS', amount: 25 };

  const code = 'BUY';
  const codes = { [code]: 'AMOUNT' } as const;
  /** A mission with a random target, and at most `max` rounds. */
  const mission = (max: number, rewardId: string, more: object = {}) => ({
    ...{ name: 'Spend', programmaticCode: code, target: between(10, 60), rewardIds: [rewardId] },
    ...(max > 1 && { repeat: max === UNBOUNDED ? {} : { max } }),
    ...more,
  });
  const open = [mission(1, points), mission(UNBOUNDED, points), mission(between(2, 4), pieces), mission(1_000, mug)];
  const main = await newGame(service, { codes, missions: open, rewards: [bonus] });
  const once = [mission(1, mug), mission(1, pieces)];
  const claimable = await newGame(service, {
    ...{ codes, missions: once, rewards: [bonus] },
    campaign: { claimPolicy: 'EXPLICIT' },
  });
  const paused = await newGame(service, { codes, missions: [mission(3, points)], rewards: [bonus] });
  // Counts backfilled events, too.
  const startsAt = new Date(Date.now() - 25 * 86_400_000).toISOString();
  const old = mission(UNBOUNDED, points, { type: 'MISSION', startsAt });
  const oldId = await created('/admin/missions', { audienceId: main.audienceId, mission: old });

  const summed = (
    { missionIds }: { missionIds: readonly string[] },
    drafts: readonly { target: number; repeat?: object }[],
  ) =>
    drafts.map(({ target, repeat }, index) => ({
      id: missionIds[index]!,
      target,
      max: repeat === undefined ? 1 : ((repeat as { max?: number }).max ?? UNBOUNDED),
    }));
  const missions = [...summed(main, open), ...summed(claimable, once), ...summed({ missionIds: [oldId] }, [old])];
  return {
    ...{ code, missions, mugId, puzzleId, claimableId: claimable.campaignId, pausedId: paused.campaignId },
    endless: new Set(missions.filter(({ max }) => max === UNBOUNDED).map(({ id }) => id)),
  };
}

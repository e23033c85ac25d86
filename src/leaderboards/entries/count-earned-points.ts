import { type EarnedPoints, pointEffects } from '../../engine/statistics/statistic-plan.ts';
import type { StatisticEffect } from '../../engine/statistics/statistic-value.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { isEarned, type OrderOutcome, pointsOf } from '../../rewards/delivery/earned-reward.ts';
import { pointStatistics } from '../../statistics/statistic-plans.ts';
import { moveStatistics } from '../../statistics/values/move-statistics.ts';
import { rankChanged } from './rank-accounts.ts';

/** Points that an account has earned, see {@link EarnedPoints}. */
export type PointsOfAccount = EarnedPoints & { readonly accountId: string };

/**
 * Counts the points that accounts have earned otherwise than by events: by chests, claims, prizes and support. They count at `now`, and rank
 * the accounts. The caller has locked the accounts and added the points. Without points, it runs no statement.
 */
export async function countEarnedPoints(uow: UnitOfWork, earned: readonly PointsOfAccount[], now: Date): Promise<void> {
  if (earned.length === 0) return;
  const statistics = await pointStatistics(uow);
  const moves = earned.map(({ accountId, ...points }) => {
    return { accountId, effects: pointEffects(statistics, [points], now.getTime()) };
  });
  await moveAndRank(uow, moves, now);
}

/** The same for the rewards that accounts have earned. */
export function countEarnedRewards(uow: UnitOfWork, outcomes: readonly OrderOutcome[], now: Date): Promise<void> {
  const earned = outcomes
    .filter(isEarned)
    .flatMap((outcome) => pointsOf([outcome]).map((points) => ({ ...points, accountId: outcome.accountId })));
  return countEarnedPoints(uow, earned, now);
}

/** Moves statistics otherwise than by an event, and ranks the accounts. The caller has locked them. */
export async function moveAndRank(
  uow: UnitOfWork,
  moves: ReadonlyArray<{ readonly accountId: string; readonly effects: readonly StatisticEffect[] }>,
  now: Date,
): Promise<void> {
  const moved = moves.filter(({ effects }) => effects.length > 0);
  if (moved.length === 0) return;
  await moveStatistics(
    uow,
    moved.map((each) => ({ ...each, entryId: undefined })),
  );
  await rankChanged(
    uow,
    moved.flatMap(({ accountId, effects }) => effects.map((effect) => ({ ...effect, accountId }))),
    now,
  );
}

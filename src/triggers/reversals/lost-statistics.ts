import type { StatisticEffect } from '../../engine/statistics/statistic-value.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { rewardTypeRules } from '../../rewards/definitions/reward-types.ts';
import type { StatisticPlans } from '../../statistics/statistic-plans.ts';
import type { StatisticKey } from '../../statistics/values/account-statistics.queries.ts';
import { takePoints } from '../../statistics/values/statistic-events.queries.ts';
import { takeCompletions } from '../../statistics/values/statistic-missions.queries.ts';
import type { DoneReversal } from './batch-reversal.ts';

/** An effect by its index among what was lost. */
type Taken = StatisticKey & { readonly index: number; readonly amount: bigint };

/**
 * Adds the effects on statistics of points and missions: points that are taken back, and rounds that are not completed any more. The accounts
 * are locked.
 */
export async function withLostStatistics(
  uow: UnitOfWork,
  { byId, ofPoints, ofMissions }: StatisticPlans,
  done: readonly DoneReversal[],
): Promise<DoneReversal[]> {
  const points =
    ofPoints.length === 0
      ? []
      : done.flatMap(({ account, rewards }, position) =>
          rewards
            .filter(({ rewardType, reversed }) => rewardTypeRules[rewardType].isPoints && reversed > 0n)
            .map(({ id, reversed }) => ({ accountId: account.id, earnedRewardId: id, amount: reversed, position })),
        );
  const rounds =
    ofMissions.length === 0
      ? []
      : done.flatMap(({ account, missions }, position) =>
          missions
            .filter(({ roundsLost }) => roundsLost > 0)
            .map(({ roundsLost, assignment: { missionId, periodKey } }) => {
              return { accountId: account.id, missionId, periodKey, rounds: roundsLost, position };
            }),
        );
  const [ofRewards, ofRounds] = await Promise.all([
    takePoints(uow, points),
    takeCompletions(
      uow,
      rounds,
      ofMissions.map(({ id }) => id),
    ),
  ]);
  const effects = done.map((): StatisticEffect[] => []);
  const add = (lost: ReadonlyArray<{ readonly position: number }>, taken: readonly Taken[]) => {
    for (const { index, statisticId, period, amount } of taken) {
      const plan = byId.get(statisticId);
      const { position } = lost[index]!;
      const occurredAt = done[position]!.event.occurredAt.getTime();
      // The values of a deleted statistic are being removed.
      if (plan !== undefined)
        effects[position]!.push({ statisticId, aggregation: plan.aggregation, period, amount, occurredAt });
    }
  };
  add(points, ofRewards);
  add(rounds, ofRounds);
  return done.map((each, index) => {
    const own = effects[index]!;
    return own.length === 0 ? each : { ...each, statistics: [...each.statistics, ...own] };
  });
}

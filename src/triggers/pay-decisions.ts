import { countActivity } from '../activity/activity-counts.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { missionEffects, pointEffects } from '../engine/statistics/statistic-plan.ts';
import { moveAndRank } from '../leaderboards/entries/count-earned-points.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { pointsOf } from '../rewards/delivery/earned-reward.ts';
import { announceCompletions } from './announce-completions.ts';
import type { Rewardable, Rewarded } from './batch-trigger.ts';
import { rewardDecisions } from './reward-decisions.ts';

/**
 * Pays what locked accounts have reached otherwise than by an event, as an event would pay it: rewards, announcements and statistics. The
 * caller has saved their assignments.
 */
export async function payDecisions<Item extends Rewardable>(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  decided: readonly Item[],
  now: Date,
): Promise<readonly (Item & Rewarded)[]> {
  if (decided.length === 0) return [];
  const rewarded = await rewardDecisions(uow, catalog, decided, now);
  await announceCompletions(uow, catalog, rewarded);
  const { ofPoints, ofMissions } = catalog.statistics;
  const moves = rewarded.map(({ account, decisions, outcomes }) => ({
    accountId: account.id,
    effects: [
      ...missionEffects(ofMissions, decisions, now.getTime()),
      ...pointEffects(ofPoints, pointsOf(outcomes), now.getTime()),
    ],
  }));
  await moveAndRank(uow, moves, now);
  countActivity(uow, { missionsCompleted: roundsCompleted(decided) });
  return rewarded;
}

/** The number of missions, or rounds of them, that decisions complete. */
export function roundsCompleted(decided: readonly Pick<Rewardable, 'decisions'>[]): number {
  return decided
    .flatMap(({ decisions }) => decisions)
    .reduce((sum, decision) => sum + (decision.kind === 'completed' ? decision.rounds : 0), 0);
}

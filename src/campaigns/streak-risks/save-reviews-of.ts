import type { AccountContext } from '../../engine/account-context.ts';
import { missionTypes } from '../../engine/missions/mission-types.ts';
import { nextReviewAt, runAtRisk } from '../../engine/missions/streaks/streak-risk.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { ClientCatalog } from '../catalog/client-catalog.ts';
import { riskRulesOf } from './review-streaks.ts';
import { type RiskRow, saveReviews } from './streak-risks.queries.ts';

/** The streaks of an account whose runs, or whose periods, have changed. */
export type ChangedStreaks = { readonly context: AccountContext; readonly missionIds: readonly string[] };

/** Stores when changed runs are reviewed next, for the warning that they are at risk. The caller has locked the accounts. */
export async function saveReviewsOf(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  changed: readonly ChangedStreaks[],
  now: Date,
): Promise<void> {
  const rules = riskRulesOf(catalog);
  if (rules === undefined) return;
  const rows = new Map<string, RiskRow>();
  for (const { context, missionIds } of changed)
    for (const missionId of missionIds) {
      const plan = catalog.rules.missions.get(missionId);
      if (plan === undefined || !missionTypes[plan.type].usesFreezes) continue;
      const run = runAtRisk(plan, context, rules, now.getTime());
      const { accountId } = context;
      const key = `${accountId} ${missionId}`;
      if (run === undefined) rows.delete(key);
      else rows.set(key, { accountId, missionId, nextAt: new Date(nextReviewAt(run, undefined)) });
    }
  await saveReviews(uow, [...rows.values()]);
}

import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { riskRulesOf } from '../campaigns/streak-risks/review-streaks.ts';
import { type RiskRow, saveLooks } from '../campaigns/streak-risks/streak-risks.queries.ts';
import { missionTypes } from '../engine/missions/mission-types.ts';
import { nextLookAt, runAtRisk } from '../engine/missions/streak-risk.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { DecidedTrigger } from './batch-trigger.ts';

/** Stores when the runs that a batch of events moved are looked at next, for the warning that they are at risk. */
export async function storeStreakLooks(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  decided: readonly DecidedTrigger[],
  now: Date,
): Promise<void> {
  const rules = riskRulesOf(catalog);
  if (rules === undefined) return;
  const rows = new Map<string, RiskRow>();
  for (const { account, context, decisions } of decided)
    for (const decision of decisions) {
      if (decision.kind !== 'progressed') continue;
      const { missionId } = decision;
      const plan = catalog.rules.missions.get(missionId);
      if (plan === undefined || !missionTypes[plan.type].usesFreezes) continue;
      const run = runAtRisk(plan, context, rules, now.getTime());
      const key = `${account.id} ${missionId}`;
      if (run === undefined) rows.delete(key);
      else rows.set(key, { accountId: account.id, missionId, nextAt: new Date(nextLookAt(run, undefined)) });
    }
  await saveLooks(uow, [...rows.values()]);
}

import type { Account } from '../../accounts/account.ts';
import { type AssignmentState, NO_PERIOD } from '../../engine/assignment.ts';
import { renewFreezes } from '../../engine/freezes/account-freezes.ts';
import { shownTarget } from '../../engine/missions/milestones.ts';
import { missionTypes } from '../../engine/missions/mission-types.ts';
import { restoreStreak, type RestoreRefusal } from '../../engine/missions/streaks/restore-streak.ts';
import { type AssignmentView, viewMission } from '../../engine/missions/view-mission.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadAccountContexts } from '../assignments/account-contexts.ts';
import { saveAssignments } from '../assignments/assignments.queries.ts';
import type { ClientCatalog } from '../catalog/client-catalog.ts';
import { freezingPlans, usesToStore } from '../freezes/freezes-of-accounts.ts';
import { settleFreezes } from '../freezes/settle-freezes.ts';
import { insertFreezeEntries } from '../freezes/streak-freezes.queries.ts';
import { saveReviewsOf } from '../streak-risks/save-reviews-of.ts';

/** A restored run, as reads showed it before and show it now. */
export type RestoredRun = {
  readonly programmaticCode: string;
  /** As the API shows it. */
  readonly target: number;
  readonly before: AssignmentView;
  readonly after: AssignmentView;
};

/**
 * Restores a run of a locked account. @param length undefined for the last lost run and the present one together
 * @throws DomainError `MISSION_NOT_FOUND`, `STREAK_NOT_RESTORABLE`
 */
export async function restoreRun(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  account: Account,
  { missionId, length, now }: { readonly missionId: string; readonly length: number | undefined; readonly now: Date },
): Promise<RestoredRun> {
  const plan = catalog.rules.missions.get(missionId);
  if (plan === undefined)
    throw new DomainError(
      'MISSION_NOT_FOUND',
      'There is no such mission, or it is switched off. List the existing ones.',
    );
  if (!missionTypes[plan.type].usesFreezes) throw refusalOf('NO_STREAK');
  // Uses that nobody has looked at yet are as final as those that somebody has.
  if (freezingPlans(catalog).length > 0) await settleFreezes(uow, catalog, account, now);
  const selection = { missionsOf: new Map([[account.id, [missionId]]]), periodKeys: [NO_PERIOD] };
  const context = (await loadAccountContexts(uow, catalog, [account], selection, now)).get(account.id)!;
  const before = viewMission(plan, context, now.getTime());
  if (before?.status !== 'ACTIVE') throw refusalOf('NOT_ACTIVE');
  const restored: AssignmentState | RestoreRefusal = restoreStreak(plan, context, length, now.getTime());
  if (typeof restored === 'string') throw refusalOf(restored);
  context.assignments.set(missionId, restored);
  renewFreezes(freezingPlans(catalog), context, now.getTime());
  await saveAssignments(uow, [restored], now);
  await insertFreezeEntries(uow, usesToStore(catalog, account.id, context.freezes), now);
  await saveReviewsOf(uow, catalog, [{ context, missionIds: [missionId] }], now);
  const { programmaticCode, target } = plan;
  return { programmaticCode, target: shownTarget(target), before, after: viewMission(plan, context, now.getTime())! };
}

function refusalOf(reason: RestoreRefusal | 'NO_STREAK' | 'NOT_ACTIVE'): DomainError {
  switch (reason) {
    case 'NO_STREAK':
      return new DomainError('STREAK_NOT_RESTORABLE', 'The mission is no STREAK: there is no run to restore.');
    case 'NOT_ACTIVE':
      return new DomainError(
        'STREAK_NOT_RESTORABLE',
        'The streak is not open to the account now: it is completed or over, or its campaign is paused.',
      );
    case 'NOTHING_LOST':
      return new DomainError('STREAK_NOT_RESTORABLE', 'No lost run of the streak is known: fill in `length`.');
    case 'TOO_LONG':
      return new DomainError(
        'STREAK_NOT_RESTORABLE',
        'A restored run completes no streak: `length` must be below its target.',
      );
  }
}

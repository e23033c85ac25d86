import { ONE } from '../../../kernel/amount.ts';
import type { Timestamp } from '../../../kernel/time/timestamp.ts';
import type { AccountContext } from '../../account-context.ts';
import { assignmentId, type AssignmentState, NO_PERIOD } from '../../assignment.ts';
import { sumOf } from '../../time/period-sums.ts';
import { periodAt } from '../../time/calendar.ts';
import type { MissionPlan } from '../mission-plan.ts';
import { lastRuns, runAt } from './streak-run.ts';

/** The reasons for which a run is not restored. */
export type RestoreRefusal = 'NOTHING_LOST' | 'TOO_LONG';

/**
 * Gives a STREAK a run that ends in the period before the present one, with all grace periods. Events of the present
 * period still count, and nothing that happened before it changes the run any more. It pays nothing: the next event that counts pays the
 * milestones that its run reaches.
 * @param length the length with the present period, if that is kept; without it the last lost run and the present one together
 */
export function restoreStreak(
  plan: MissionPlan,
  account: AccountContext,
  length: number | undefined,
  now: Timestamp,
): AssignmentState | RestoreRefusal {
  const before = account.assignments.get(plan.missionId);
  const wanted = length ?? lastRuns(plan, before, account, now);
  if (wanted === undefined) return 'NOTHING_LOST';
  if (BigInt(wanted) * ONE >= plan.target) return 'TOO_LONG';
  const present = periodAt(plan.periodUnit, account.calendar, now);
  const { open = [], surplus = [] } = before?.detail?.streak ?? {};
  const isKept = sumOf(open, present) >= Number(plan.perPeriodTarget);
  const current = wanted - Number(isKept);
  const longest = Math.max(wanted, runAt(plan, before, account, now).longest);
  const left = surplus.filter(([period]) => period >= present);
  return {
    id: before?.id ?? assignmentId(plan.missionId, account.accountId, NO_PERIOD),
    missionId: plan.missionId,
    accountId: account.accountId,
    periodKey: NO_PERIOD,
    progress: BigInt(wanted) * ONE,
    target: plan.target,
    status: 'ACTIVE',
    startedAt: before?.startedAt ?? now,
    detail: {
      ...before?.detail,
      streak: {
        settled: { current, longest, freezesLeft: plan.gracePeriods, lastKept: present - 1 },
        open: open.filter(([period]) => period >= present),
        ...(left.length > 0 && { surplus: left }),
      },
    },
  };
}

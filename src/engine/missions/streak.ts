import { ONE } from '../../kernel/amount.ts';
import type { AccountContext } from '../account-context.ts';
import { earliest, type Advance } from './accumulate.ts';
import { assignmentId, NO_PERIOD, type AssignmentState, type Run, type StreakDetail } from '../assignment.ts';
import { admit } from './cap.ts';
import type { IgnoreReason } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { MissionPlan } from './mission-plan.ts';
import { isOpenOn } from './opening-hours.ts';
import { sumOf, withSum } from '../time/period-sums.ts';
import { oldestOpenPeriod, periodAt, type PeriodNumber } from '../time/period.ts';
import type { Timestamp } from '../time/timestamp.ts';

/**
 * Adds an event to its period of a STREAK. A period that reaches `perPeriodTarget` is kept; the streak completes once a run
 * of kept periods reaches the target.
 */
export function advanceStreak(
  plan: MissionPlan,
  account: AccountContext,
  event: GameEvent,
  now: Timestamp,
): Advance | IgnoreReason {
  const { timeZone } = account;
  const before = account.assignments.get(plan.missionId);
  const oldest = oldestOpenPeriod(plan.unit, timeZone, now);
  const streak = settle(plan, before?.detail?.streak ?? unbegun(plan), oldest);
  const period = periodAt(plan.unit, timeZone, event.occurredAt);
  if (period < oldest || period <= (streak.settled.lastKept ?? -Infinity)) return 'TOO_LATE';

  const sum = sumOf(streak.open, period);
  const goal = Number(plan.perPeriodTarget);
  if (sum >= goal) return 'PERIOD_KEPT';
  const admitted = admit(plan, timeZone, event, before?.detail?.counted, now);
  if (typeof admitted === 'string') return admitted;

  const grown = { ...streak, open: withSum(streak.open, period, Math.min(goal, sum + Number(admitted.amount))) };
  const run = seenFrom(plan, grown, periodAt(plan.unit, timeZone, now));
  const isComplete = BigInt(run.longest) * ONE >= plan.target;
  const assignment: AssignmentState = {
    id: before?.id ?? assignmentId(plan.missionId, account.accountId, NO_PERIOD),
    missionId: plan.missionId,
    accountId: account.accountId,
    periodKey: NO_PERIOD,
    progress: isComplete ? plan.target : BigInt(run.current) * ONE,
    target: plan.target,
    status: isComplete ? 'COMPLETED' : 'ACTIVE',
    startedAt: earliest(before, event),
    completedAt: isComplete ? now : undefined,
    detail: { streak: grown, counted: admitted.counted },
  };
  return { previousProgress: BigInt(runAt(plan, before, timeZone, now).current) * ONE, assignment };
}

/** A streak as somebody sees it at an instant: lapsed, if more periods have been missed since than it had freezes. */
export function runAt(
  plan: MissionPlan,
  state: Pick<AssignmentState, 'detail'> | undefined,
  timeZone: string,
  now: Timestamp,
): Run {
  return seenFrom(plan, state?.detail?.streak ?? unbegun(plan), periodAt(plan.unit, timeZone, now));
}

/** No run yet, all freezes there. */
function unbegun(plan: MissionPlan): StreakDetail {
  return { settled: { current: 0, longest: 0, freezesLeft: plan.gracePeriods, lastKept: null }, open: [] };
}

/** Folds the periods before `oldest` into the settled run. */
function settle(plan: MissionPlan, streak: StreakDetail, oldest: PeriodNumber): StreakDetail {
  if (streak.open.every(([period]) => period >= oldest)) return streak;
  const past = streak.open.filter(([period]) => period < oldest);
  const open = streak.open.filter(([period]) => period >= oldest);
  return { settled: replay(plan, { settled: streak.settled, open: past }), open };
}

/** The run at the last kept period. */
function replay(plan: MissionPlan, { settled, open }: StreakDetail): Run {
  const goal = Number(plan.perPeriodTarget);
  return open.reduce((run, [period, sum]) => (sum < goal ? run : extend(plan, run, period)), settled);
}

/** The run with one kept period more: the next of the run if its freezes bridge the gap, the first of a new run if not. */
function extend(plan: MissionPlan, run: Run, period: PeriodNumber): Run {
  const missed = missedBetween(plan, run.lastKept, period);
  const goesOn = missed <= run.freezesLeft;
  const current = goesOn ? run.current + 1 : 1;
  return {
    current,
    longest: Math.max(run.longest, current),
    freezesLeft: goesOn ? run.freezesLeft - missed : plan.gracePeriods,
    lastKept: period,
  };
}

/** The present period is not missed yet: it may still be kept. */
function seenFrom(plan: MissionPlan, streak: StreakDetail, present: PeriodNumber): Run {
  const run = replay(plan, streak);
  const missed = missedBetween(plan, run.lastKept, present);
  if (missed <= run.freezesLeft) return { ...run, freezesLeft: run.freezesLeft - missed };
  return { ...run, current: 0, freezesLeft: plan.gracePeriods };
}

/** Missed periods after `last` and before `period`. A day on which no event can count is not missed. */
function missedBetween(plan: MissionPlan, last: PeriodNumber | null, period: PeriodNumber): number {
  if (last === null) return 0;
  if (plan.unit !== 'DAY' || plan.hours === undefined) return Math.max(0, period - last - 1);
  let missed = 0;
  for (let day = last + 1; day < period; day += 1) if (isOpenOn(plan.hours, day)) missed += 1;
  return missed;
}

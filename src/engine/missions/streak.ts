import { type Amount, ONE } from '../../kernel/amount.ts';
import type { AccountContext, PeriodsOfAccount } from '../account-context.ts';
import { type Advance, reversedOf } from './accumulate.ts';
import { type MissionReversal, oldestReversible } from './reverse.ts';
import {
  assignmentId,
  NO_PERIOD,
  type AssignmentDetail,
  type AssignmentState,
  type PeriodSums,
  type Run,
  type StreakDetail,
} from '../assignment.ts';
import { countedPart, mergedLimits, reversedLimits } from './limits.ts';
import { commonOf, type MergeOfType, type MergeRules } from './merge.ts';
import type { UncountedReason, LostRun } from '../decision.ts';
import { type GameEvent, judgedAt } from '../game-event.ts';
import type { MissionPlan, TakenPart } from './mission-plan.ts';
import type { Milestone } from './mission-rule.ts';
import { milestoneReachedBy, newMilestones } from './milestones.ts';
import { isOpenOn, type OpeningHours } from './opening-hours.ts';
import { combinedSums, sumOf, withSum } from '../time/period-sums.ts';
import {
  type Calendar,
  oldestOpenPeriod,
  periodAt,
  periodEnd,
  type PeriodRange,
  shortenedPeriods,
} from '../time/calendar.ts';
import { periodKey, type PeriodNumber } from '../time/period.ts';
import { NO_VACATIONS, vacationPeriods } from '../time/vacation.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';

/**
 * Adds an event to its period of a STREAK. A period that reaches `perPeriodTarget` is kept; the streak completes once a run
 * of kept periods reaches the target.
 */
export function advanceStreak(
  plan: MissionPlan,
  account: AccountContext,
  event: GameEvent,
  now: Timestamp,
): Advance | UncountedReason {
  const { calendar } = account;
  const before = account.assignments.get(plan.missionId);
  const judged = judgedAt(event, now);
  const oldest = oldestOpenPeriod(plan.periodUnit, calendar, judged);
  const rules = { plan, excused: excusedPeriods(plan, account, judged) };
  const streak = settle(rules, before?.detail?.streak ?? emptyStreak(plan), oldestReversible(plan, calendar, judged));
  const period = periodAt(plan.periodUnit, calendar, event.occurredAt);
  if (period < oldest || period <= settledThrough(streak)) return 'TOO_LATE';

  const sum = sumOf(streak.open, period);
  const goal = Number(plan.perPeriodTarget);
  if (sum >= goal) return 'PERIOD_KEPT';
  const part = countedPart(plan, calendar, event, before?.detail, now);
  if (typeof part === 'string') return part;

  const grown = withPeriod(streak, period, sum + Number(part.amount), goal);
  const { isComplete, longest, ...reached } = reachedBy(rules, grown, periodAt(plan.periodUnit, calendar, judged));
  const milestones = newMilestones(plan.milestones, before?.detail, longest);
  const assignment: AssignmentState = {
    id: before?.id ?? assignmentId(plan.missionId, account.accountId, NO_PERIOD),
    missionId: plan.missionId,
    accountId: account.accountId,
    periodKey: NO_PERIOD,
    target: plan.target,
    ...reached,
    startedAt: before?.startedAt ?? event.occurredAt,
    completedAt: isComplete ? now : undefined,
    completionOccurredAt: isComplete ? event.occurredAt : undefined,
    detail: { ...part.detail, ...reversedOf(before), ...milestoneOf(before, milestones), streak: grown },
  };
  const seen = runAt(plan, before, account, judged);
  const lost = seen.current === 0 ? lostRun(rules, streak, period, calendar) : undefined;
  const rounds = isComplete ? 1 : 0;
  const counted = { amount: part.amount, period };
  return {
    previousProgress: BigInt(seen.current) * ONE,
    ...{ assignment, rounds, counted },
    ...(lost && { lostRun: lost }),
    ...(milestones.length > 0 && { milestones }),
  };
}

/**
 * Takes a part of an event from its period of a STREAK, and judges the streak again from the earliest reversible period on.
 * @returns none if the period is over: it stays as it was
 */
export function reverseStreak(
  plan: MissionPlan,
  account: Pick<AccountContext, 'assignments'> & PeriodsOfAccount,
  taken: TakenPart,
  now: Timestamp,
): readonly MissionReversal[] {
  const { assignments, calendar } = account;
  const period = taken.period!;
  const before = assignments.get(plan.missionId);
  const reachable = oldestReversible(plan, calendar, now);
  const oldest = taken.wasBackfilled ? Math.min(reachable, period) : reachable;
  const rules = { plan, excused: excusedPeriods(plan, account, now) };
  const streak = settle(rules, before?.detail?.streak ?? emptyStreak(plan), oldest);
  if (before === undefined || period < oldest || period <= settledThrough(streak)) return [];
  const goal = Number(plan.perPeriodTarget);
  const sum = sumOf(streak.open, period) + sumOf(streak.surplus ?? [], period) - Number(taken.amount);
  // A merge by MAX keeps less than the sum of both.
  const left = withPeriod(streak, period, Math.max(0, sum), goal);
  const { isComplete, longest, ...reached } = reachedBy(rules, left, periodAt(plan.periodUnit, calendar, now));
  const isLost = before.status === 'COMPLETED' && !isComplete;
  const { milestone = 0, ...detail } = reversedLimits(plan, before.detail, taken) ?? {};
  const milestoneLeft = Math.min(milestone, milestoneReachedBy(plan.milestones, longest));
  const losesMilestone = milestoneLeft < milestone;
  return [
    {
      previousProgress: before.progress,
      roundsLost: isLost ? 1 : 0,
      roundsLeft: isComplete ? 1 : 0,
      ...(losesMilestone && { milestoneLeft }),
      assignment: {
        ...before,
        ...reached,
        completedAt: isComplete ? before.completedAt : undefined,
        completionOccurredAt: isComplete ? before.completionOccurredAt : undefined,
        detail: {
          ...detail,
          ...(milestoneLeft > 0 && { milestone: milestoneLeft }),
          ...((isLost || losesMilestone) && { reversed: true }),
          streak: left,
        },
      },
    },
  ];
}

/**
 * Combines two streaks: each open period by the rules of the merge, and before them the longer of the runs that still live, with the fewer
 * grace periods left.
 */
export const mergeStreaks: MergeOfType = (plan, one, other, rules) => {
  const { calendar, how, now, before = { from: rules, into: rules } } = rules;
  const details = [one, other].map(({ detail }) => detail?.streak ?? emptyStreak(plan));
  // Nothing that happened before a restored run reaches it.
  const oldest = Math.max(oldestReversible(plan, calendar, now), ...details.map((each) => settledThrough(each) + 1));
  const own: StreakRules = { plan, excused: excusedPeriods(plan, rules, now) };
  const [first, second] = [before.from, before.into].map((account, index) =>
    closedBefore({ plan, excused: excusedPeriods(plan, account, now) }, details[index]!, oldest),
  );
  const goal = Number(plan.perPeriodTarget);
  const settled = longerOf(first!.settled, second!.settled);
  const through = Math.max(settledThrough(first!), settledThrough(second!));
  let streak: StreakDetail = {
    settled,
    open: [],
    ...(through > (settled.lastKept ?? -Infinity) && through > -Infinity && { dropped: through }),
  };
  for (const [period, sum] of combinedSums(sumsOf(first!), sumsOf(second!), how))
    streak = withPeriod(streak, period, sum, goal);
  const {
    isComplete: isReached,
    longest,
    ...reached
  } = reachedBy(own, streak, periodAt(plan.periodUnit, calendar, now));
  const wasComplete = one.status === 'COMPLETED' || other.status === 'COMPLETED';
  const isNew = isReached && !wasComplete;
  const isComplete = wasComplete || isNew;
  const further = (one.detail?.milestone ?? 0) >= (other.detail?.milestone ?? 0) ? one : other;
  const milestones = newMilestones(plan.milestones, further.detail, longest);
  return {
    rounds: isNew ? 1 : 0,
    milestones,
    assignment: {
      ...commonOf(one, other, rules, { isComplete, isNew }),
      progress: isComplete ? plan.target : reached.progress,
      target: plan.target,
      status: isComplete ? 'COMPLETED' : 'ACTIVE',
      detail: { ...mergedLimits(plan, one, other, how), ...milestoneOf(further, milestones), streak },
    },
  };
};

/**
 * A streak before the freezes and vacations of another account join: its run as its account has it when the first open period begins. The
 * other account bridges no gap of it.
 */
export function closeStreak(
  plan: MissionPlan,
  state: AssignmentState,
  account: PeriodsOfAccount,
  { calendar, now }: Pick<MergeRules, 'calendar' | 'now'>,
): AssignmentState {
  const streak = state.detail?.streak;
  if (streak === undefined || state.status === 'COMPLETED') return state;
  const rules = { plan, excused: excusedPeriods(plan, account, now) };
  const oldest = Math.max(oldestReversible(plan, calendar, now), settledThrough(streak) + 1);
  const closed = closedBefore(rules, streak, oldest);
  return closed === streak ? state : { ...state, detail: { ...state.detail, streak: closed } };
}

/** A streak whose run is judged as of the beginning of a period, and depends on no earlier one any more. */
function closedBefore(rules: StreakRules, streak: StreakDetail, period: PeriodNumber): StreakDetail {
  const past = settle(rules, streak, period);
  const { settled, dropped: _, ...others } = past;
  if (settled.lastKept === null || settled.lastKept >= period - 1) return past;
  const left = settled.freezesLeft - missedBetween(rules, settled, period);
  if (settled.current > 0 && left >= 0)
    return { ...others, settled: { ...settled, freezesLeft: left, lastKept: period - 1 } };
  const run = { current: 0, longest: settled.longest, freezesLeft: rules.plan.gracePeriods, lastKept: null };
  return { ...others, settled: run, dropped: settledThrough(past) };
}

/** The sums of open periods, with what is beyond their goal. */
function sumsOf({ open, surplus = [] }: StreakDetail): PeriodSums {
  return open.map(([period, sum]) => [period, sum + sumOf(surplus, period)]);
}

/** The run of both at the beginning of a period. */
function longerOf(one: Run, other: Run): Run {
  const longest = Math.max(one.longest, other.longest);
  if (one.current === 0 || other.current === 0) return { ...(one.current > 0 ? one : other), longest };
  const freezesLeft = Math.min(one.freezesLeft, other.freezesLeft);
  return { ...(one.current > other.current ? one : other), longest, freezesLeft };
}

/** A streak with the sum of one open period: up to its goal, and the surplus beyond it. */
function withPeriod(streak: StreakDetail, period: PeriodNumber, sum: number, goal: number): StreakDetail {
  const { surplus: before = [], ...others } = streak;
  const rest = before.filter(([other]) => other !== period);
  const surplus = sum > goal ? withSum(rest, period, sum - goal) : rest;
  return {
    ...others,
    open: withSum(streak.open, period, Math.min(goal, sum)),
    ...(surplus.length > 0 && { surplus }),
  };
}

/** The progress and the status of a streak in the present period. */
function reachedBy(rules: StreakRules, streak: StreakDetail, present: PeriodNumber) {
  const { target } = rules.plan;
  const run = runAsOf(rules, streak, present);
  const isComplete = BigInt(run.longest) * ONE >= target;
  const progress = isComplete ? target : BigInt(run.current) * ONE;
  return { isComplete, longest: run.longest, progress, status: isComplete ? 'COMPLETED' : 'ACTIVE' } as const;
}

/** The part of an assignment's state that has its longest milestone. @param reached those that are reached now */
function milestoneOf(
  before: Pick<AssignmentState, 'detail'> | undefined,
  reached: readonly Milestone[],
): Pick<AssignmentDetail, 'milestone'> {
  const milestone = reached.at(-1)?.length ?? before?.detail?.milestone;
  return milestone === undefined ? {} : { milestone };
}

/** The run of a streak that has ended; undefined if none had begun. */
function lostRun(
  rules: StreakRules,
  streak: StreakDetail,
  period: PeriodNumber,
  calendar: Calendar,
): LostRun | undefined {
  const { current, lastKept } = replay(rules, streak);
  if (current === 0 || lastKept === null) return undefined;
  const { periodUnit } = rules.plan;
  const names = { lastKept: periodKey(periodUnit, lastKept), period: periodKey(periodUnit, period) };
  return { periods: current, ...names, timeZone: calendar.timeZone };
}

/** A streak at an instant. Its run has ended if more periods were missed than it had grace periods left. */
export function runAt(
  plan: MissionPlan,
  state: Pick<AssignmentState, 'detail'> | undefined,
  account: PeriodsOfAccount,
  now: Timestamp,
): Run {
  const rules = { plan, excused: excusedPeriods(plan, account, now) };
  return runAsOf(rules, state?.detail?.streak ?? emptyStreak(plan), periodAt(plan.periodUnit, account.calendar, now));
}

/** The length of the last run that was lost, with that of the run after it; undefined if no lost run is known. */
export function lastRuns(
  plan: MissionPlan,
  state: Pick<AssignmentState, 'detail'> | undefined,
  account: PeriodsOfAccount,
  now: Timestamp,
): number | undefined {
  const rules = { plan, excused: excusedPeriods(plan, account, now) };
  const streak = state?.detail?.streak ?? emptyStreak(plan);
  const goal = Number(plan.perPeriodTarget);
  let [run, lost] = [streak.settled, 0];
  for (const [period, sum] of streak.open) {
    if (sum < goal) continue;
    const next = extend(rules, run, period);
    if (next.current === 1) lost = run.current;
    run = next;
  }
  const isLost = runAsOf(rules, streak, periodAt(plan.periodUnit, account.calendar, now)).current === 0;
  if (isLost) return run.current === 0 ? undefined : run.current;
  return lost === 0 ? undefined : lost + run.current;
}

/** The present period of a STREAK, and the end of the run. */
export type StreakToday = {
  /** The sum of the period until now, at most `target`. */
  readonly progress: Amount;
  /** The sum that keeps the period. */
  readonly target: Amount;
  readonly isKept: boolean;
  /** The first instant after the period. */
  readonly endsAt: Timestamp;
  /** The time at which the run is lost if no period is kept before; undefined without a run. */
  readonly keepUntil: Timestamp | undefined;
};

/** The present period of a streak that has not been completed. @param run the result of {@link runAt} for the same instant */
export function todayAt(
  plan: MissionPlan,
  state: Pick<AssignmentState, 'detail'>,
  run: Run,
  account: PeriodsOfAccount,
  now: Timestamp,
): StreakToday {
  const { calendar } = account;
  const { periodUnit, perPeriodTarget: target } = plan;
  const present = periodAt(periodUnit, calendar, now);
  const sum = BigInt(sumOf(state.detail?.streak?.open ?? [], present));
  const rules = { plan, excused: excusedPeriods(plan, account, now) };
  return {
    progress: sum < target ? sum : target,
    target,
    isKept: sum >= target,
    endsAt: periodEnd(periodUnit, present, calendar),
    keepUntil: run.current === 0 ? undefined : periodEnd(periodUnit, lastChance(rules, run, present), calendar),
  };
}

/** A STREAK, and its excused periods: the account could not keep them because of a pause, a vacation or a change of its zone. */
type StreakRules = { readonly plan: MissionPlan; readonly excused: readonly PeriodRange[] };

/** The usual case: no pause, no vacation and no change of the zone. */
const NONE: readonly PeriodRange[] = [];

/** Periods that touch a pause or a vacation, those shortened by a change of the zone, and those that a freeze bridges. */
function excusedPeriods(
  { missionId, periodUnit, campaign }: MissionPlan,
  { calendar, freezes, vacations = NO_VACATIONS }: PeriodsOfAccount,
  now: Timestamp,
): readonly PeriodRange[] {
  const pauses = campaign?.pauses ?? [];
  const frozen = freezes?.present.periods.get(missionId) ?? NONE;
  if (pauses.length === 0 && calendar.past.length === 0 && vacations.length === 0) return frozen;
  const paused = pauses.map(({ from, until }) => ({
    first: periodAt(periodUnit, calendar, from),
    // A pause that has ended counts as a whole, also where the streak is judged as of a moment before its end.
    last: periodAt(periodUnit, calendar, until === Infinity ? Math.max(from, now) : until - 1),
  }));
  const away = vacationPeriods(periodUnit, vacations);
  return [...paused, ...away, ...shortenedPeriods(periodUnit, calendar), ...frozen];
}

/**
 * The missed periods that would end the run of a streak, from its settled run on: each is answered by whether a freeze bridges it. Periods
 * to come count as missed if no event is stored for them, so the last one is answered by no. A completed streak misses nothing after its last
 * kept period.
 */
export function* demandsOf(
  plan: MissionPlan,
  { detail, status }: Pick<AssignmentState, 'detail' | 'status'>,
  { calendar, vacations }: Omit<PeriodsOfAccount, 'freezes'>,
  now: Timestamp,
): Generator<PeriodNumber, void, boolean> {
  const { settled, open } = detail?.streak ?? emptyStreak(plan);
  const excused = excusedPeriods(plan, { calendar, vacations }, now);
  const hours = plan.periodUnit === 'DAY' ? plan.hours : undefined;
  const goal = Number(plan.perPeriodTarget);
  let { current, freezesLeft, lastKept } = settled;
  const all = open.filter(([, sum]) => sum >= goal).map(([period]) => period);
  for (const kept of status === 'COMPLETED' ? all : [...all, Infinity]) {
    for (let period = (lastKept ?? kept) + 1; current > 0 && period < kept; period += 1) {
      if (!canBeMissed(hours, excused, period)) continue;
      if (freezesLeft > 0) freezesLeft -= 1;
      else if (!(yield period)) current = 0;
    }
    if (current === 0) freezesLeft = plan.gracePeriods;
    current += 1;
    lastKept = kept;
  }
}

/** A streak without a run, with all its grace periods. */
function emptyStreak(plan: MissionPlan): StreakDetail {
  return { settled: { current: 0, longest: 0, freezesLeft: plan.gracePeriods, lastKept: null }, open: [] };
}

/** Merges the periods before `oldest` into the settled run. */
function settle(rules: StreakRules, streak: StreakDetail, oldest: PeriodNumber): StreakDetail {
  if (streak.open.every(([period]) => period >= oldest)) return streak;
  const past = streak.open.filter(([period]) => period < oldest);
  const open = streak.open.filter(([period]) => period >= oldest);
  const surplus = (streak.surplus ?? []).filter(([period]) => period >= oldest);
  const settled = replay(rules, { settled: streak.settled, open: past });
  const dropped = Math.max(settledThrough(streak), past.at(-1)![0]);
  return {
    settled,
    open,
    ...(dropped > (settled.lastKept ?? -Infinity) && { dropped }),
    ...(surplus.length > 0 && { surplus }),
  };
}

/** The latest settled period: nothing is added to it, nor to those before it. `-Infinity` for none. */
function settledThrough({ settled: { lastKept }, dropped }: StreakDetail): PeriodNumber {
  return Math.max(lastKept ?? -Infinity, dropped ?? -Infinity);
}

/** The run at the last kept period. */
function replay(rules: StreakRules, { settled, open }: StreakDetail): Run {
  const goal = Number(rules.plan.perPeriodTarget);
  return open.reduce((run, [period, sum]) => (sum < goal ? run : extend(rules, run, period)), settled);
}

/** The run with one more kept period. It continues if the remaining grace periods cover the gap; otherwise a new run begins. */
function extend(rules: StreakRules, run: Run, period: PeriodNumber): Run {
  const missed = missedBetween(rules, run, period);
  const continues = missed <= run.freezesLeft;
  const current = continues ? run.current + 1 : 1;
  return {
    current,
    longest: Math.max(run.longest, current),
    freezesLeft: continues ? run.freezesLeft - missed : rules.plan.gracePeriods,
    lastKept: period,
  };
}

/** The run in the present period, which is not missed yet: it may still be kept. */
function runAsOf(rules: StreakRules, streak: StreakDetail, present: PeriodNumber): Run {
  const run = replay(rules, streak);
  const missed = missedBetween(rules, run, present);
  if (missed <= run.freezesLeft) return { ...run, freezesLeft: run.freezesLeft - missed };
  return { ...run, current: 0, freezesLeft: rules.plan.gracePeriods };
}

/**
 * Missed periods between the last kept one and `period`; at most one more than the grace periods of the run. Excused periods and days
 * on which no event can count are not missed.
 */
function missedBetween({ plan, excused }: StreakRules, { lastKept, freezesLeft }: Run, period: PeriodNumber): number {
  if (lastKept === null) return 0;
  const hours = plan.periodUnit === 'DAY' ? plan.hours : undefined;
  if (hours === undefined && excused === NONE) return Math.max(0, period - lastKept - 1);
  let missed = 0;
  for (let other = lastKept + 1; other < period && missed <= freezesLeft; other += 1) {
    if (canBeMissed(hours, excused, other)) missed += 1;
  }
  return missed;
}

/** The period whose end loses the run if no period is kept before: the first missed period without a grace period. */
function lastChance(
  { plan, excused }: StreakRules,
  { lastKept, freezesLeft }: Run,
  present: PeriodNumber,
): PeriodNumber {
  const hours = plan.periodUnit === 'DAY' ? plan.hours : undefined;
  let period = Math.max(present, (lastKept ?? present) + 1);
  if (hours === undefined && excused === NONE) return period + freezesLeft;
  for (let left = freezesLeft; ; period += 1) {
    if (!canBeMissed(hours, excused, period)) continue;
    if (left === 0) return period;
    left -= 1;
  }
}

/** Whether a period must be kept by an event: events count in it, and no pause, vacation or change of the zone excuses it. */
export function isRequired(
  plan: MissionPlan,
  { calendar, vacations }: Omit<PeriodsOfAccount, 'freezes'>,
  period: PeriodNumber,
  now: Timestamp,
): boolean {
  const hours = plan.periodUnit === 'DAY' ? plan.hours : undefined;
  return canBeMissed(hours, excusedPeriods(plan, { calendar, vacations }, now), period);
}

function canBeMissed(hours: OpeningHours | undefined, excused: readonly PeriodRange[], period: PeriodNumber): boolean {
  return (hours === undefined || isOpenOn(hours, period)) && !isExcused(excused, period);
}

function isExcused(excused: readonly PeriodRange[], period: PeriodNumber): boolean {
  return excused.some(({ first, last }) => first <= period && period <= last);
}

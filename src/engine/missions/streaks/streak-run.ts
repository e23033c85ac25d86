import type { Timestamp } from '../../../kernel/time/timestamp.ts';
import type { PeriodsOfAccount } from '../../account-context.ts';
import type { AssignmentState, Run, StreakDetail } from '../../assignment.ts';
import { periodAt, type PeriodRange, shortenedPeriods } from '../../time/calendar.ts';
import type { PeriodNumber } from '../../time/period.ts';
import { NO_VACATIONS, vacationPeriods } from '../../time/vacation.ts';
import type { MissionPlan } from '../mission-plan.ts';
import { isOpenOn, type OpeningHours } from '../opening-hours.ts';

/** A STREAK, and its excused periods: the account could not keep them because of a pause, a vacation or a change of its zone. */
export type StreakRules = { readonly plan: MissionPlan; readonly excused: readonly PeriodRange[] };

/** The usual case: no pause, no vacation and no change of the zone. */
const NONE: readonly PeriodRange[] = [];

/** The rules of a STREAK for an account at an instant. */
export function rulesOf(plan: MissionPlan, account: PeriodsOfAccount, now: Timestamp): StreakRules {
  return { plan, excused: excusedPeriods(plan, account, now) };
}

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

/** A streak at an instant. Its run has ended if more periods were missed than it had grace periods left. */
export function runAt(
  plan: MissionPlan,
  state: Pick<AssignmentState, 'detail'> | undefined,
  account: PeriodsOfAccount,
  now: Timestamp,
): Run {
  const rules = rulesOf(plan, account, now);
  return runAsOf(rules, state?.detail?.streak ?? emptyStreak(plan), periodAt(plan.periodUnit, account.calendar, now));
}

/** The length of the last run that was lost, with that of the run after it; undefined if no lost run is known. */
export function lastRuns(
  plan: MissionPlan,
  state: Pick<AssignmentState, 'detail'> | undefined,
  account: PeriodsOfAccount,
  now: Timestamp,
): number | undefined {
  const rules = rulesOf(plan, account, now);
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

/**
 * The missed periods that would end the run of a streak, from its settled run on: each is answered by whether a freeze bridges it. Periods
 * to come count as missed if no event is stored for them, so the last one is answered by no. A completed streak misses nothing after its
 * last kept period.
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
export function emptyStreak(plan: MissionPlan): StreakDetail {
  return { settled: { current: 0, longest: 0, freezesLeft: plan.gracePeriods, lastKept: null }, open: [] };
}

/** Merges the periods before `oldest` into the settled run. */
export function settle(rules: StreakRules, streak: StreakDetail, oldest: PeriodNumber): StreakDetail {
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
export function settledThrough({ settled: { lastKept }, dropped }: StreakDetail): PeriodNumber {
  return Math.max(lastKept ?? -Infinity, dropped ?? -Infinity);
}

/** The run at the last kept period. */
export function replay(rules: StreakRules, { settled, open }: StreakDetail): Run {
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
export function runAsOf(rules: StreakRules, streak: StreakDetail, present: PeriodNumber): Run {
  const run = replay(rules, streak);
  const missed = missedBetween(rules, run, present);
  if (missed <= run.freezesLeft) return { ...run, freezesLeft: run.freezesLeft - missed };
  return { ...run, current: 0, freezesLeft: rules.plan.gracePeriods };
}

/**
 * Missed periods between the last kept one and `period`; at most one more than the grace periods of the run. Excused periods and days
 * on which no event can count are not missed.
 */
export function missedBetween(
  { plan, excused }: StreakRules,
  { lastKept, freezesLeft }: Run,
  period: PeriodNumber,
): number {
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
export function lastChance(
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

import type { MissionRule } from '../../src/engine/missions/mission-rule.ts';
import type { PeriodUnit } from '../../src/engine/time/period.ts';
import { ONE, type Amount } from '../../src/kernel/amount.ts';
import { DAY, type Timestamp } from '../../src/engine/time/timestamp.ts';

/** An event and when it arrived. */
export type Arrival = { readonly at: Timestamp; readonly now: Timestamp; readonly amount: Amount };

/** What a mission has come to, said as plainly as possible. */
export type Outcome = {
  readonly progress: Amount;
  readonly isComplete: boolean;
  readonly streak?: { readonly current: number; readonly longest: number; readonly freezesLeft: number };
};

/**
 * The rules told a second time, in the most naive way: after every arrival all events so far are added up from scratch, on
 * Temporal's calendar. It keeps no state between arrivals but the list, so it cannot go wrong where the engine could.
 */
export function replay(rule: MissionRule, zone: string, arrivals: readonly Arrival[], now: Timestamp): Outcome {
  for (let count = 1; count <= arrivals.length; count += 1) {
    const seen = arrivals.slice(0, count);
    const outcome = addUp(rule, zone, seen, seen.at(-1)!.now);
    if (outcome.isComplete) return outcome;
  }
  return addUp(rule, zone, arrivals, now);
}

/** The progress of each period of a ROUTINE by its key, the periods that come after its last occurrence left out. */
export function replayRoutine(rule: MissionRule, zone: string, arrivals: readonly Arrival[]): Map<string, Amount> {
  const progress = new Map<string, Amount>();
  for (const arrival of arrivals) {
    const complete = [...progress.values()].filter((sum) => sum === rule.target).length;
    if (complete === rule.occurrences) break;
    const key = keyOf(unitOf(rule), periodOf(unitOf(rule), zone, arrival.at));
    const sum = (progress.get(key) ?? 0n) + arrival.amount;
    progress.set(key, sum < rule.target ? sum : rule.target);
  }
  return progress;
}

function addUp(rule: MissionRule, zone: string, arrivals: readonly Arrival[], now: Timestamp): Outcome {
  return rule.type === 'STREAK' ? walk(rule, zone, arrivals, now) : total(rule, zone, arrivals);
}

function total(rule: MissionRule, zone: string, arrivals: readonly Arrival[]): Outcome {
  const large = arrivals.filter(({ amount }) => amount >= (rule.conditions?.minAmount ?? 0n));
  const first = Math.min(...large.map(({ at }) => at));
  const counting = large.filter(({ at }) => at < first + (rule.durationDays ?? Infinity) * DAY);
  const sum = [...sumsByPeriod(rule, zone, counting).values()].reduce((a, b) => a + b, 0n);
  const isComplete = sum >= rule.target;
  return { progress: isComplete ? rule.target : sum, isComplete };
}

/** Goes through the calendar from the first period to the present one. */
function walk(rule: MissionRule, zone: string, arrivals: readonly Arrival[], now: Timestamp): Outcome {
  const { perPeriodTarget = ONE, gracePeriods = 0 } = rule;
  const sums = sumsByPeriod(rule, zone, arrivals);
  const present = periodOf(unitOf(rule), zone, now);
  let [current, longest, freezesLeft] = [0, 0, gracePeriods];
  const first = [...sums.keys()].toSorted()[0];
  let period = first === undefined ? present : Temporal.PlainDate.from(first);
  for (; Temporal.PlainDate.compare(period, present) <= 0; period = next(unitOf(rule), period)) {
    if ((sums.get(period.toString()) ?? 0n) >= perPeriodTarget) {
      current += 1;
      longest = Math.max(longest, current);
    } else if (period.equals(present) || current === 0) {
      continue;
    } else if (freezesLeft > 0) {
      freezesLeft -= 1;
    } else {
      [current, freezesLeft] = [0, gracePeriods];
    }
  }
  const isComplete = BigInt(longest) * ONE >= rule.target;
  return {
    progress: isComplete ? rule.target : BigInt(current) * ONE,
    isComplete,
    streak: { current, longest, freezesLeft },
  };
}

/** What counts in each period, by the date of its first day. */
function sumsByPeriod(rule: MissionRule, zone: string, arrivals: readonly Arrival[]): Map<string, Amount> {
  const sums = new Map<string, Amount>();
  const { minAmount = 1n, maxPerPeriod } = rule.conditions ?? {};
  for (const { at, amount } of arrivals.filter((arrival) => arrival.amount >= minAmount)) {
    const period = periodOf(unitOf(rule), zone, at).toString();
    const sum = (sums.get(period) ?? 0n) + amount;
    sums.set(period, maxPerPeriod !== undefined && sum > maxPerPeriod ? maxPerPeriod : sum);
  }
  return sums;
}

function unitOf(rule: MissionRule): PeriodUnit {
  return rule.period ?? 'DAY';
}

/** The first day of the period. */
function periodOf(unit: PeriodUnit, zone: string, at: Timestamp): Temporal.PlainDate {
  const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();
  if (unit === 'DAY') return date;
  return unit === 'WEEK' ? date.subtract({ days: date.dayOfWeek - 1 }) : date.with({ day: 1 });
}

function next(unit: PeriodUnit, date: Temporal.PlainDate): Temporal.PlainDate {
  return date.add(unit === 'DAY' ? { days: 1 } : unit === 'WEEK' ? { weeks: 1 } : { months: 1 });
}

function keyOf(unit: PeriodUnit, date: Temporal.PlainDate): string {
  if (unit === 'DAY') return date.toString();
  if (unit === 'MONTH') return date.toPlainYearMonth().toString();
  return `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, '0')}`;
}

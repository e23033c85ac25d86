import { DAY, type Timestamp } from '../../kernel/time/timestamp.ts';
import type { EventType } from '../game-event.ts';
import type { Interval } from '../time/interval.ts';
import { oldestReachable, periodOfDay, type PeriodUnit, SHORTEST_DAYS } from '../time/period.ts';
import type { MissionPlan } from './mission-plan.ts';
import { ROUNDS_MAX } from './mission-rule.ts';
import { missionTypes } from './mission-types.ts';
import { isOpenDuring } from './opening-hours.ts';

/**
 * The most times that one account can complete a mission, in any zone and with events as late as allowed; `Infinity` without a limit. It is
 * an upper bound: conditions that depend on the content of events do not lower it.
 * @param eventType the type of the events that the mission counts
 * @param since the time of the activation
 */
export function completionsMax(plan: MissionPlan, eventType: EventType, since: Timestamp): number {
  const { isSplitByPeriod, periodsNeeded } = missionTypes[plan.type];
  const window = countedWindow(plan, since);
  if (isSplitByPeriod) return Math.min(periodsNeeded(plan) ?? Infinity, touchedInWindow(plan, window));
  if (plan.roundsMax === 1) return 1;
  const rounds = plan.roundsMax === ROUNDS_MAX ? Infinity : plan.roundsMax;
  const most = plan.bounds.map((bound) => bound(plan, eventType, window));
  return Math.min(rounds, ...most.flatMap((amount) => (amount === undefined ? [] : [Number(amount / plan.target)])));
}

/** The instants at which an event may have occurred that counts for a mission. @param since the time of the activation */
export function countedWindow(plan: MissionPlan, since: Timestamp): Interval {
  return { from: Math.max(plan.opensAt, plan.countsFrom, oldestReachable(since)), until: plan.closesAt };
}

/** The zones that are farthest from UTC: Baker Island, and the Line Islands of Kiribati. */
const FARTHEST_WEST = -12 * 3_600_000;
const FARTHEST_EAST = 14 * 3_600_000;

/**
 * Days by which the calendar of an account can be ahead of its clock: the day number never goes back, but the clock does on a journey from
 * the farthest east to the farthest west.
 */
const AHEAD_OF_CLOCKS = 2;

/** Milliseconds by which an event may arrive late. */
const LATE = -oldestReachable(0);

/**
 * The most periods in which the events of one account can occur; `Infinity` without an end. It is an upper bound: an account may live in
 * any zone, or travel and so touch more periods than one zone has. Events may arrive as late as allowed. So they may have occurred before
 * the activation of a campaign with a start, or before the event that began a CHALLENGE.
 * @param window from the earliest instant at which an event may have occurred
 */
export function touchedPeriods(plan: MissionPlan, window: Interval): number {
  return Math.min(touchedInWindow(plan, window), touchedWhileItLasts(plan));
}

function touchedInWindow({ periodUnit, hours }: MissionPlan, { from, until }: Interval): number {
  if (until === Infinity) return Infinity;
  const range = { first: dayOf(from + FARTHEST_WEST), last: dayOf(until - 1 + FARTHEST_EAST) };
  if (hours === undefined) return countPeriods(periodUnit, range);
  return countPeriods(periodUnit, range, (day) => {
    for (let shown = day - AHEAD_OF_CLOCKS; shown <= day; shown += 1) if (isOpenDuring(hours, shown)) return true;
    return false;
  });
}

/** The most periods that `durationDays` can touch, for any begin. A pause extends them, so the result is then `Infinity`. */
function touchedWhileItLasts({ periodUnit, durationMs, campaign }: MissionPlan): number {
  if (durationMs === Infinity || (campaign?.pauses.length ?? 0) > 0) return Infinity;
  const stretch = LATE + durationMs + FARTHEST_EAST - FARTHEST_WEST;
  // The worst case begins in the last moment of a day and ends in the first moment of another.
  const days = Math.floor((stretch - 2) / DAY) + 2;
  return 1 + Math.ceil((days - 1) / SHORTEST_DAYS[periodUnit]);
}

function dayOf(local: number): number {
  return Math.floor(local / DAY);
}

/** A range of days, both ends included; empty if `last` is before `first`. */
export type DayRange = { readonly first: number; readonly last: number };

const DAYS_PER_WEEK = 7;

/**
 * The number of periods that contain the open days of a range.
 * @param isOpen whether a day is open; every week is the same
 */
export function countPeriods(
  periodUnit: PeriodUnit,
  range: DayRange,
  isOpen: (day: number) => boolean = () => true,
): number {
  let { first, last } = range;
  while (first <= last && !isOpen(first)) first += 1;
  while (first <= last && !isOpen(last)) last -= 1;
  if (first > last) return 0;
  // If any week has an open day, every whole week and month has one.
  if (periodUnit !== 'DAY') return periodOfDay(periodUnit, last) - periodOfDay(periodUnit, first) + 1;
  const weeks = Math.floor((last - first + 1) / DAYS_PER_WEEK);
  const countFrom = (day: number, end: number) => {
    let count = 0;
    for (let other = day; other < end; other += 1) if (isOpen(other)) count += 1;
    return count;
  };
  return weeks * countFrom(first, first + DAYS_PER_WEEK) + countFrom(first + weeks * DAYS_PER_WEEK, last + 1);
}

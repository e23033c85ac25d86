import type { Amount } from '../../kernel/amount.ts';
import { type Calendar, dayAt, periodEnd, periodStart } from '../time/calendar.ts';
import { oldestReachable, type PeriodNumber, periodOfDay, type PeriodUnit, SHORTEST_DAYS } from '../time/period.ts';
import { DAY, type Timestamp } from '../../kernel/time/timestamp.ts';
import type { MissionPlan, OutOfReach } from './mission-plan.ts';
import { missionTypes } from './mission-types.ts';
import { firstOpening, isOpenDuring, type OpeningHours } from './opening-hours.ts';

/**
 * The reason for which accounts cannot complete a mission that is offered from `since` on; undefined if they can, or if
 * the window is empty or has no end. The time is bounded for any window.
 *
 * Hours and periods are those of the client's `calendar`: an account in another zone may have one period more. Caps are
 * calculated for accounts in any zone.
 * @param since the time of the activation
 */
export function outOfReach(plan: MissionPlan, calendar: Calendar, since: Timestamp): OutOfReach | undefined {
  if (Math.max(plan.opensAt, since) >= plan.closesAt) return undefined;
  for (const reach of plan.reach) {
    const found = reach(plan, calendar, since);
    if (found !== undefined) return found;
  }
  return tooFewPeriods(plan, calendar, since);
}

/** The hours of a mission do not meet its window. */
export function neverOpen(plan: MissionPlan, calendar: Calendar, since: Timestamp): OutOfReach | undefined {
  const { hours, closesAt } = plan;
  if (hours === undefined || closesAt === Infinity) return undefined;
  return isNeverOpen(hours, calendar, windowSince(plan, since)) ? { reason: 'NEVER_OPEN' } : undefined;
}

/** The cap of a mission that does not count in periods is too low for its target. */
export function capped(plan: MissionPlan, _calendar: Calendar, since: Timestamp): OutOfReach | undefined {
  if (missionTypes[plan.type].periodsNeeded(plan) !== undefined) return undefined;
  const earliest = Math.max(plan.opensAt, plan.countsFrom, oldestReachable(since));
  const most = mostThatCounts(plan, { from: earliest, until: plan.closesAt });
  return most !== undefined && plan.target > most ? { reason: 'CAPPED', most } : undefined;
}

function tooFewPeriods(plan: MissionPlan, calendar: Calendar, since: Timestamp): OutOfReach | undefined {
  const needed = missionTypes[plan.type].periodsNeeded(plan);
  if (needed === undefined) return undefined;
  const available = availablePeriods(plan, calendar, windowSince(plan, since));
  return needed > available ? { reason: 'TOO_FEW_PERIODS', needed, available } : undefined;
}

function windowSince({ opensAt, closesAt }: MissionPlan, since: Timestamp): Window {
  return { from: Math.max(opensAt, since), until: closesAt };
}

/** A time range; `until` is exclusive. */
type Window = { readonly from: Timestamp; readonly until: Timestamp };

/** Whether the zone does not change within the window. A change is rare and moves the hours: then no warning is given. */
function hoursStandStill({ past }: Calendar, { from }: Window): boolean {
  return past.every(({ until }) => until <= from);
}

function isNeverOpen(hours: OpeningHours, calendar: Calendar, window: Window): boolean {
  return (
    hoursStandStill(calendar, window) && firstOpening(hours, calendar.timeZone, window.from, window.until) === undefined
  );
}

/** The number of periods of a calendar in which events can count. Skipped hours and days are included. */
function availablePeriods({ periodUnit, hours }: MissionPlan, calendar: Calendar, window: Window): number {
  if (window.until === Infinity) return Infinity;
  let first = dayAt(calendar, window.from);
  let last = dayAt(calendar, window.until - 1);
  if (hours === undefined || !hoursStandStill(calendar, window)) return countPeriods(periodUnit, { first, last });
  // The first and last day may be cut by the window before they open or after they close.
  const opensOn = (day: PeriodNumber) => {
    const from = Math.max(window.from, periodStart('DAY', day, calendar));
    const until = Math.min(window.until, periodEnd('DAY', day, calendar));
    return firstOpening(hours, calendar.timeZone, from, until) !== undefined;
  };
  while (first <= last && !opensOn(first)) first += 1;
  while (first <= last && !opensOn(last)) last -= 1;
  if (periodUnit !== 'DAY') return countPeriods(periodUnit, { first, last });
  if (first >= last) return last - first + 1;
  return 2 + countPeriods(periodUnit, { first: first + 1, last: last - 1 }, (day) => isOpenDuring(hours, day));
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
 * The most that any account can count under `maxPerPeriod`; undefined without a cap or an end. It is an upper bound: an account may live in
 * any zone, or travel and so touch more periods than one zone has. Events may arrive as late as allowed. So they may have occurred before
 * the activation of a campaign with a start, or before the event that began a CHALLENGE.
 * @param window from the earliest instant at which an event may have occurred
 */
function mostThatCounts(plan: MissionPlan, window: Window): Amount | undefined {
  if (plan.conditions.maxPerPeriod === undefined) return undefined;
  const periods = Math.min(touchedInWindow(plan, window), touchedWhileItLasts(plan));
  return periods === Infinity ? undefined : BigInt(periods) * plan.conditions.maxPerPeriod;
}

function touchedInWindow({ periodUnit, hours }: MissionPlan, { from, until }: Window): number {
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
type DayRange = { readonly first: number; readonly last: number };

const DAYS_PER_WEEK = 7;

/**
 * The number of periods that contain the open days of a range.
 * @param isOpen whether a day is open; every week is the same
 */
function countPeriods(periodUnit: PeriodUnit, range: DayRange, isOpen: (day: number) => boolean = () => true): number {
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

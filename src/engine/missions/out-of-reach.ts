import { type Calendar, dayAt, periodEnd, periodStart } from '../time/calendar.ts';
import type { Interval } from '../time/interval.ts';
import type { PeriodNumber } from '../time/period.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { MissionPlan, OutOfReach } from './mission-plan.ts';
import { missionTypes } from './mission-types.ts';
import { firstOpening, isOpenDuring, type OpeningHours } from './opening-hours.ts';
import { countPeriods } from './upper-bounds.ts';

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

function tooFewPeriods(plan: MissionPlan, calendar: Calendar, since: Timestamp): OutOfReach | undefined {
  const needed = missionTypes[plan.type].periodsNeeded(plan);
  if (needed === undefined) return undefined;
  const available = availablePeriods(plan, calendar, windowSince(plan, since));
  return needed > available ? { reason: 'TOO_FEW_PERIODS', needed, available } : undefined;
}

function windowSince({ opensAt, closesAt }: MissionPlan, since: Timestamp): Interval {
  return { from: Math.max(opensAt, since), until: closesAt };
}

/** Whether the zone does not change within the window. A change is rare and moves the hours: then no warning is given. */
function hoursStandStill({ past }: Calendar, { from }: Interval): boolean {
  return past.every(({ until }) => until <= from);
}

function isNeverOpen(hours: OpeningHours, calendar: Calendar, window: Interval): boolean {
  return (
    hoursStandStill(calendar, window) && firstOpening(hours, calendar.timeZone, window.from, window.until) === undefined
  );
}

/** The number of periods of a calendar in which events can count. Skipped hours and days are included. */
function availablePeriods({ periodUnit, hours }: MissionPlan, calendar: Calendar, window: Interval): number {
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

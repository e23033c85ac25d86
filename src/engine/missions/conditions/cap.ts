import { type Amount, ONE } from '../../../kernel/amount.ts';
import { sentence } from '../../../kernel/sentence.ts';
import type { Timestamp } from '../../../kernel/time/timestamp.ts';
import { judgedAt } from '../../game-event.ts';
import { type Calendar, oldestOpenPeriod, periodAt } from '../../time/calendar.ts';
import type { Interval } from '../../time/interval.ts';
import { combinedSums, sumOf, withSum } from '../../time/period-sums.ts';
import type { MissionPlan, OutOfReach } from '../mission-plan.ts';
import { addsAmounts, type MissionRule } from '../mission-rule.ts';
import { missionTypes } from '../mission-types.ts';
import { countedWindow, touchedPeriods } from '../upper-bounds.ts';
import type { Condition } from './condition.ts';

/**
 * `maxPerPeriod`: an event counts up to the rest of its period. The order of arrival does not matter: each period ends with the smaller of
 * its sum and the cap.
 */
export const cap: Condition<'maxPerPeriod'> = {
  forms: { maxPerPeriod: 'amount' },
  apply: ({ maxPerPeriod }) => ({
    by: 'state',
    limit: (amount, { plan, calendar, event, before, now }) => {
      const period = periodAt(plan.periodUnit, calendar, event.occurredAt);
      const oldest = oldestOpenPeriod(plan.periodUnit, calendar, judgedAt(event, now));
      // The sum of this period may have been dropped, so the rest is unknown.
      if (period < oldest || period <= (before?.dropped ?? -Infinity)) return 'TOO_LATE';

      const sums = before?.counted ?? [];
      const open = sums.filter(([other]) => other >= oldest);
      const dropped = sums.findLast(([other]) => other < oldest)?.[0] ?? before?.dropped;
      const sum = BigInt(sumOf(open, period));
      const room = maxPerPeriod! - sum;
      if (room <= 0n) return 'CAP_REACHED';
      const part = amount < room ? amount : room;
      const counted = withSum(open, period, Number(sum + part));
      return { amount: part, detail: { counted, ...(dropped !== undefined && { dropped }) }, period };
    },
  }),
  state: {
    merges: { counted: combinedSums, dropped: (one, other) => Math.max(one, other) },
    /** The allowance of an open period is there again. */
    reversed: (state, { amount, period }) => {
      const sum = period === undefined ? 0 : sumOf(state?.counted ?? [], period);
      return sum === 0 ? state : { ...state, counted: withSum(state!.counted!, period!, sum - Number(amount)) };
    },
  },
  lock: 'none',
  reach: capped,
  bound: (plan, _eventType, window) => mostUnderCap(plan, window),
  checks: [
    (rule, eventType) =>
      rule.conditions?.maxPerPeriod !== undefined &&
      (rule.conditions.maxPerPeriod <= 0n ||
        (!addsAmounts(rule, eventType) && rule.conditions.maxPerPeriod % ONE !== 0n)) &&
      sentence`maxPerPeriod must be above 0, and a whole number unless the mission adds up amounts.`,
    (rule) =>
      isCappedOutOfReach(rule) &&
      sentence`maxPerPeriod is below what one period must reach, so no period could: raise it, or lower the target.`,
  ],
};

/** The cap of a mission that does not count in periods is too low for its target. */
function capped(plan: MissionPlan, _calendar: Calendar, since: Timestamp): OutOfReach | undefined {
  if (missionTypes[plan.type].periodsNeeded(plan) !== undefined) return undefined;
  const most = mostUnderCap(plan, countedWindow(plan, since));
  return most !== undefined && plan.target > most ? { reason: 'CAPPED', most } : undefined;
}

/** The most that any account can count under a cap; undefined without an end. */
function mostUnderCap(plan: MissionPlan, window: Interval): Amount | undefined {
  const periods = touchedPeriods(plan, window);
  return periods === Infinity ? undefined : BigInt(periods) * plan.conditions.maxPerPeriod!;
}

function isCappedOutOfReach(rule: MissionRule): boolean {
  const most = rule.conditions?.maxPerPeriod;
  const goal = missionTypes[rule.type].periodGoal(rule);
  return most !== undefined && goal !== undefined && most < goal;
}

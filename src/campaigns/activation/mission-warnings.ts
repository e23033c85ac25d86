import { outOfReach } from '../../engine/missions/out-of-reach.ts';
import type { MissionPlan, OutOfReach } from '../../engine/missions/mission-plan.ts';
import { missionTypes } from '../../engine/missions/mission-types.ts';
import type { Calendar } from '../../engine/time/calendar.ts';
import type { PeriodUnit } from '../../engine/time/period.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import { type Finding, finding } from './finding.ts';

/** A mission with its name for warnings, and its rules. */
export type NamedPlan = { readonly name: string; readonly plan: MissionPlan };

/**
 * One warning for each mission that accounts cannot complete, by position.
 * @param calendar the client's calendar
 * @param since the first activation of the campaign, or `now`
 */
export function missionWarnings(missions: readonly NamedPlan[], calendar: Calendar, since: Date, now: Date): Finding[] {
  return missions.flatMap(({ name, plan }, index) => {
    // A mission that is over is a problem of a campaign that was never active; for other campaigns it is normal.
    if (plan.closesAt <= now.getTime()) return [];
    const found = outOfReach(plan, calendar, since.getTime());
    if (found === undefined) return [];
    const { field, what } = inWords(found, plan, calendar, since);
    return [finding(`missions[${index}].${field}`, sentence`'${name}' ${what}`)];
  });
}

function inWords(
  found: OutOfReach,
  plan: MissionPlan,
  { timeZone }: Calendar,
  since: Date,
): { field: string; what: Sentence } {
  const from = new Date(Math.max(plan.opensAt, since.getTime()));
  switch (found.reason) {
    case 'NEVER_OPEN':
      return {
        field: 'conditions',
        what: sentence`is never open from ${from} to ${endOf(plan)}, by the clocks of ${timeZone}. Change daysOfWeek, timeFrom and timeTo, or move its start or end.`,
      };
    case 'TOO_FEW_PERIODS': {
      const field = missionTypes[plan.type].isTargetInPeriods ? 'target' : 'occurrences';
      const { needed, available } = found;
      return {
        field,
        what: sentence`needs ${inPeriods(needed, plan.periodUnit)}, and its window from ${from} to ${endOf(plan)}, by the calendar of ${timeZone}, has ${available} of them. Lower ${field} to ${available} or move its end.`,
      };
    }
    case 'CAPPED': {
      // A CHALLENGE may have either bound or both, and the tighter one depends on the account.
      return {
        field: 'conditions.maxPerPeriod',
        what: sentence`lets no account count more than ${amountToNumber(found.most)} by maxPerPeriod before it closes, and its target is ${amountToNumber(plan.target)}. Raise maxPerPeriod, lower target, or ${laterEnd(plan)}.`,
      };
    }
  }
}

function laterEnd({ durationMs, closesAt }: MissionPlan): Sentence {
  if (closesAt === Infinity) return sentence`raise durationDays`;
  return durationMs === Infinity ? sentence`move its end` : sentence`raise durationDays or move its end`;
}

/** The end of a window that has one. */
function endOf({ closesAt }: MissionPlan): Date {
  return new Date(closesAt);
}

function inPeriods(count: number, unit: PeriodUnit): Sentence {
  if (unit === 'DAY') return count === 1 ? sentence`${count} day` : sentence`${count} days`;
  if (unit === 'WEEK') return count === 1 ? sentence`${count} week` : sentence`${count} weeks`;
  return count === 1 ? sentence`${count} month` : sentence`${count} months`;
}

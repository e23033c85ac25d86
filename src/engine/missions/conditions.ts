import { ONE } from '../../kernel/amount.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import { zoneOf } from '../../kernel/time/zone-history.ts';
import type { AccountContext } from '../account-context.ts';
import { isMissionComplete } from '../campaign-plan.ts';
import type { IgnoreReason } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { Timestamp } from '../time/timestamp.ts';
import type { ConditionsPlan, AccountWithoutHistory, Refuse } from './mission-plan.ts';
import type { EventType, MissionConditions, MissionRule } from './mission-rule.ts';
import { missionTypes, namesOfTypes } from './mission-types.ts';
import { isOpenAt, type OpeningHours } from './opening-hours.ts';

/** A check of a definition. Its sentence says what to send instead. */
export type Check = (rule: MissionRule, eventType: EventType) => Sentence | false;

/** The rules of one condition. */
type ConditionRules = {
  /** How events are refused; for a condition that only limits amounts, what applies the limit. */
  readonly applied:
    | { readonly by: 'history'; readonly refuse: (conditions: MissionConditions) => Refuse<AccountContext> }
    | { readonly by: 'event'; readonly refuse: (conditions: MissionConditions) => Refuse<AccountWithoutHistory> }
    /** `admit` in cap.ts. */
    | { readonly by: 'cap' };
  readonly checks: readonly Check[];
};

/** Days and times of day are checked together. */
const hours: ConditionRules = {
  applied: {
    by: 'event',
    refuse(conditions) {
      const opening = openingHours(conditions)!;
      return ({ occurredAt }, account) => (isWithinHours(opening, account, occurredAt) ? undefined : 'OUTSIDE_HOURS');
    },
  },
  checks: [
    (rule) =>
      hasPeriodsOfDays(rule) &&
      (rule.conditions?.daysOfWeek?.length ?? 0) > 0 &&
      crossesMidnight(rule) &&
      sentence`A daily ${namesOfTypes(({ isSeries }) => isSeries)} cannot have both daysOfWeek and hours that cross midnight: such a night would be two days.`,
  ],
};

const needsAmounts: Check = ({ conditions }, eventType) =>
  eventType === 'SINGLE' &&
  (conditions?.minAmount !== undefined || conditions?.maxAmount !== undefined) &&
  sentence`minAmount and maxAmount are for AMOUNT events: leave them out.`;

/** Every condition, in the order of refusals. A condition without rules does not compile. */
const conditionRules: Readonly<Record<keyof MissionConditions, ConditionRules>> = {
  prerequisiteMissionIds: {
    applied: {
      by: 'history',
      refuse: ({ prerequisiteMissionIds = [] }) => refuseUntilComplete(prerequisiteMissionIds),
    },
    checks: [
      ({ id, conditions }) =>
        conditions?.prerequisiteMissionIds?.includes(id) === true &&
        sentence`A mission cannot require itself: remove it from prerequisiteMissionIds.`,
    ],
  },
  minAmount: {
    applied: {
      by: 'event',
      refuse:
        ({ minAmount }) =>
        ({ amount }) =>
          amount < minAmount! ? 'BELOW_MINIMUM' : undefined,
    },
    checks: [needsAmounts],
  },
  maxAmount: {
    applied: {
      by: 'event',
      refuse:
        ({ maxAmount }) =>
        ({ amount }) =>
          amount > maxAmount! ? 'ABOVE_MAXIMUM' : undefined,
    },
    checks: [
      needsAmounts,
      ({ conditions: { minAmount, maxAmount } = {} }) =>
        minAmount !== undefined &&
        maxAmount !== undefined &&
        minAmount > maxAmount &&
        sentence`minAmount must not be above maxAmount.`,
    ],
  },
  daysOfWeek: hours,
  timeFrom: hours,
  timeTo: hours,
  maxPerPeriod: {
    applied: { by: 'cap' },
    checks: [
      ({ conditions }, eventType) =>
        conditions?.maxPerPeriod !== undefined &&
        (conditions.maxPerPeriod <= 0n || (eventType === 'SINGLE' && conditions.maxPerPeriod % ONE !== 0n)) &&
        sentence`maxPerPeriod must be above 0, and a whole number for SINGLE events.`,
      (rule) =>
        isCappedOutOfReach(rule) &&
        sentence`maxPerPeriod is below what one period must reach, so no period could: raise it, or lower the target.`,
    ],
  },
};

/** The checks of a mission's conditions. */
export const conditionChecks: ReadonlySet<Check> = new Set(
  Object.values(conditionRules).flatMap(({ checks }) => checks),
);

/** The plan of a mission's conditions. */
export function compileConditions(conditions: MissionConditions = {}): ConditionsPlan {
  const set = Object.entries(conditionRules).flatMap(([name, rules]) =>
    isSet(conditions[name as keyof MissionConditions]) ? [rules] : [],
  );
  const applied = [...new Set(set)].map((rules) => rules.applied);
  return {
    refuseByHistory: applied.flatMap((way) => (way.by === 'history' ? [way.refuse(conditions)] : [])),
    refuseByEvent: applied.flatMap((way) => (way.by === 'event' ? [way.refuse(conditions)] : [])),
    maxPerPeriod: conditions.maxPerPeriod,
    hours: openingHours(conditions),
    prerequisites: conditions.prerequisiteMissionIds ?? [],
  };
}

function isSet(value: MissionConditions[keyof MissionConditions]): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** The first reason for which one of `refusals` refuses an event. */
export function firstRefusal<Account>(
  refusals: readonly Refuse<Account>[],
  event: GameEvent,
  account: Account,
): IgnoreReason | undefined {
  for (const refuse of refusals) {
    const reason = refuse(event, account);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function refuseUntilComplete(missionIds: readonly string[]): Refuse<AccountContext> {
  return ({ occurredAt }, account) => {
    let metAt = -Infinity;
    for (const id of missionIds) {
      if (!isPrerequisiteMet(id, account)) return 'PREREQUISITE_MISSING';
      metAt = Math.max(metAt, account.assignments.get(id)?.completionOccurredAt ?? -Infinity);
    }
    return occurredAt < metAt ? 'BEFORE_PREREQUISITE' : undefined;
  };
}

/** Whether an account meets the prerequisite `missionId`. */
export function isPrerequisiteMet(missionId: string, { assignments }: Pick<AccountContext, 'assignments'>): boolean {
  return isMissionComplete(missionId, assignments);
}

/** Whether an instant is within the mission's days and times of day. */
export function isWithinHours(
  opening: OpeningHours,
  { calendar }: Pick<AccountContext, 'calendar'>,
  instant: Timestamp,
): boolean {
  return isOpenAt(opening, zoneOf(calendar, instant), instant);
}

const MINUTES_PER_DAY = 1440;
const WEEK = [1, 2, 3, 4, 5, 6, 7];

function openingHours({ daysOfWeek = [], timeFrom, timeTo }: MissionConditions): OpeningHours | undefined {
  if (daysOfWeek.length === 0 && timeFrom === undefined && timeTo === undefined) return undefined;
  const days = [false, ...WEEK.map((day) => daysOfWeek.length === 0 || daysOfWeek.includes(day))];
  // Midnight as the end is the end of the same day, so that 18:00 to 00:00 crosses no midnight.
  return { days, from: minutes(timeFrom) ?? 0, to: minutes(timeTo) || MINUTES_PER_DAY };
}

function minutes(time: string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const [hour, minute] = time.split(':').map(Number);
  return (hour ?? 0) * 60 + (minute ?? 0);
}

function isCappedOutOfReach(rule: MissionRule): boolean {
  const cap = rule.conditions?.maxPerPeriod;
  const goal = missionTypes[rule.type].periodGoal(rule);
  return cap !== undefined && goal !== undefined && cap < goal;
}

function hasPeriodsOfDays({ type, period = 'DAY' }: MissionRule): boolean {
  return missionTypes[type].isSeries && period === 'DAY';
}

function crossesMidnight({ conditions: { timeFrom = '00:00', timeTo = '00:00' } = {} }: MissionRule): boolean {
  return timeTo !== '00:00' && timeTo <= timeFrom;
}

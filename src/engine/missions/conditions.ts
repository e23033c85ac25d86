import { ONE } from '../../kernel/amount.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import { zoneOf } from '../../kernel/time/zone-history.ts';
import type { AccountContext } from '../account-context.ts';
import { hasCompletedOnce } from '../campaign-plan.ts';
import { type UncountedReason, reasonsByNearness } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import { capPerPeriod, cooldown } from './limits.ts';
import { hoursLock, type LockRule, prerequisiteLocks } from './locks.ts';
import { type EventContext, type EventExpression, MISSION_PROGRESS } from './event-expression.ts';
import type {
  AccountWithoutAssignments,
  ConditionsPlan,
  JudgedProgress,
  LimitRule,
  ReachRule,
  RefusalRule,
} from './mission-plan.ts';
import type { MissionConditions, MissionRule } from './mission-rule.ts';
import type { EventType } from '../game-event.ts';
import { missionTypes, namesOfTypes } from './mission-types.ts';
import { isOpenAt, type OpeningHours } from './opening-hours.ts';
import { capped, neverOpen } from './out-of-reach.ts';

/** A check of a definition. Its sentence says how to correct the request. */
export type DefinitionCheck = (rule: MissionRule, eventType: EventType) => Sentence | false;

/** Whether a mission adds up the amounts of its events, and so may have fractions. */
export function addsAmounts({ counts }: Pick<MissionRule, 'counts'>, eventType: EventType): boolean {
  return eventType === 'AMOUNT' && counts !== 'EVENTS';
}

/** The test of an event for each reason for which a condition refuses events. */
type Refusals<Account> = Readonly<
  Partial<Record<UncountedReason, (conditions: MissionConditions) => RefusalRule<Account>['refuses']>>
>;

/** The rules of one condition. Every entry is required, so that no condition lacks one. */
type ConditionRules = {
  /**
   * The data that decides: `assignments` reads the account's assignments, `event` only the event and the account's calendar, and
   * `state` keeps state in the assignment. The mission's progress is read by expressions only: see {@link byProgress}.
   */
  readonly applied:
    | { readonly by: 'assignments'; readonly refusals: Refusals<AccountContext> }
    | { readonly by: 'event'; readonly refusals: Refusals<AccountWithoutAssignments> }
    | { readonly by: 'state'; readonly limit: (conditions: MissionConditions) => LimitRule };
  /** The lock that feed items show while events are refused. */
  readonly lock: ((conditions: MissionConditions) => LockRule) | 'none';
  /** The warning of an activation if events can never count. */
  readonly reach: ReachRule | 'none';
  /** Checks of a definition with the condition. The first sentence refuses the request. */
  readonly checks: readonly DefinitionCheck[];
};

/** Days and times of day are one condition. */
const hours: ConditionRules = {
  applied: {
    by: 'event',
    refusals: {
      OUTSIDE_HOURS(conditions) {
        const opening = openingHours(conditions)!;
        return ({ occurredAt }, { calendar }) => !isOpenAt(opening, zoneOf(calendar, occurredAt), occurredAt);
      },
    },
  },
  lock: (conditions) => hoursLock(openingHours(conditions)!),
  reach: neverOpen,
  checks: [
    (rule) =>
      hasPeriodsOfDays(rule) &&
      (rule.conditions?.daysOfWeek?.length ?? 0) > 0 &&
      crossesMidnight(rule) &&
      sentence`A daily ${namesOfTypes(({ isSeries }) => isSeries)} cannot have both daysOfWeek and hours that cross midnight: such a night would be two days.`,
  ],
};

const needsAmounts: DefinitionCheck = ({ conditions }, eventType) =>
  eventType === 'SINGLE' &&
  (conditions?.minAmount !== undefined || conditions?.maxAmount !== undefined) &&
  sentence`minAmount and maxAmount are for AMOUNT events: leave them out.`;

/** Every condition, in the order of locks and warnings. A condition without rules does not compile. */
const conditionRules: Readonly<Record<keyof MissionConditions, ConditionRules>> = {
  prerequisiteMissionIds: {
    applied: {
      by: 'assignments',
      refusals: {
        PREREQUISITE_MISSING:
          ({ prerequisiteMissionIds = [] }) =>
          (_, { assignments }) =>
            prerequisiteMissionIds.some((id) => !hasCompletedOnce(id, assignments)),
        BEFORE_PREREQUISITE:
          ({ prerequisiteMissionIds = [] }) =>
          ({ occurredAt }, { assignments }) =>
            prerequisiteMissionIds.some((id) => occurredAt < (assignments.get(id)?.completionOccurredAt ?? -Infinity)),
      },
    },
    lock: ({ prerequisiteMissionIds = [] }) => prerequisiteLocks(prerequisiteMissionIds),
    reach: 'none',
    checks: [
      ({ id, conditions }) =>
        conditions?.prerequisiteMissionIds?.includes(id) === true &&
        sentence`A mission cannot require itself: remove it from prerequisiteMissionIds.`,
    ],
  },
  minAmount: {
    applied: {
      by: 'event',
      refusals: {
        BELOW_MINIMUM:
          ({ minAmount }) =>
          ({ amount }) =>
            amount < minAmount!,
      },
    },
    lock: 'none',
    reach: 'none',
    checks: [needsAmounts],
  },
  maxAmount: {
    applied: {
      by: 'event',
      refusals: {
        ABOVE_MAXIMUM:
          ({ maxAmount }) =>
          ({ amount }) =>
            amount > maxAmount!,
      },
    },
    lock: 'none',
    reach: 'none',
    checks: [
      needsAmounts,
      ({ conditions: { minAmount, maxAmount } = {} }) =>
        minAmount !== undefined &&
        maxAmount !== undefined &&
        minAmount > maxAmount &&
        sentence`minAmount must not be above maxAmount.`,
    ],
  },
  expression: {
    applied: {
      by: 'event',
      refusals: {
        // An expression with `mission.progress` is judged later, by `byProgress`.
        CONDITION_NOT_MET: ({ expression }) =>
          readsProgress(expression) ? () => false : (event, account) => unmet(expression!, { event, account }),
      },
    },
    lock: 'none',
    reach: 'none',
    checks: [],
  },
  cooldownMinutes: {
    applied: { by: 'state', limit: cooldown },
    lock: 'none',
    reach: 'none',
    checks: [],
  },
  daysOfWeek: hours,
  timeFrom: hours,
  timeTo: hours,
  maxPerPeriod: {
    applied: { by: 'state', limit: capPerPeriod },
    lock: 'none',
    reach: capped,
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
  },
};

/** The checks of a mission's conditions. */
export const conditionChecks: ReadonlySet<DefinitionCheck> = new Set(
  Object.values(conditionRules).flatMap(({ checks }) => checks),
);

/** The plan of a mission's conditions. */
export function compileConditions(conditions: MissionConditions = {}): ConditionsPlan {
  const setRules = Object.entries(conditionRules).flatMap(([name, rules]) =>
    isSet(conditions[name as keyof MissionConditions]) ? [rules] : [],
  );
  const rules = [...new Set(setRules)];
  const applied = rules.map((rule) => rule.applied);
  return {
    refuseByAssignments: inOrder(
      applied.flatMap((application) => (application.by === 'assignments' ? [application.refusals] : [])),
      conditions,
    ),
    refuseByEvent: inOrder(
      applied.flatMap((application) => (application.by === 'event' ? [application.refusals] : [])),
      conditions,
    ),
    refuseByProgress: byProgress(conditions),
    limits: applied.flatMap((application) => (application.by === 'state' ? [application.limit(conditions)] : [])),
    locks: rules.flatMap(({ lock }) => (lock === 'none' ? [] : [lock(conditions)])),
    reach: rules.flatMap(({ reach }) => (reach === 'none' ? [] : [reach])),
    conditions,
    hours: openingHours(conditions),
    prerequisites: conditions.prerequisiteMissionIds ?? [],
  };
}

/** Whether a mission's expression can be judged with the progress of the account only. */
function readsProgress(expression: EventExpression | undefined): boolean {
  return expression?.names.has(MISSION_PROGRESS) === true;
}

function byProgress({ expression }: MissionConditions): RefusalRule<JudgedProgress>[] {
  if (expression === undefined || !readsProgress(expression)) return [];
  return [{ reason: 'CONDITION_NOT_MET', refuses: (event, judged) => unmet(expression, { event, ...judged }) }];
}

/** Whether an expression refuses an event, or why. */
function unmet({ run }: EventExpression, context: EventContext): boolean | UncountedReason {
  const holds = run(context);
  return holds === undefined ? 'ATTRIBUTE_MISSING' : !holds;
}

function inOrder<Account>(all: readonly Refusals<Account>[], conditions: MissionConditions): RefusalRule<Account>[] {
  return reasonsByNearness.flatMap((reason) =>
    all.flatMap(({ [reason]: refuse }) => (refuse === undefined ? [] : [{ reason, refuses: refuse(conditions) }])),
  );
}

function isSet(value: MissionConditions[keyof MissionConditions]): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** The first reason for which one of `refusals` refuses an event. */
export function firstRefusal<Account>(
  refusals: readonly RefusalRule<Account>[],
  event: GameEvent,
  account: Account,
): UncountedReason | undefined {
  for (const { reason, refuses } of refusals) {
    const refused = refuses(event, account);
    if (refused !== false) return refused === true ? reason : refused;
  }
  return undefined;
}

const MINUTES_PER_DAY = 1440;
const WEEK = [1, 2, 3, 4, 5, 6, 7];

function openingHours({ daysOfWeek = [], timeFrom, timeTo }: MissionConditions): OpeningHours | undefined {
  if (daysOfWeek.length === 0 && timeFrom === undefined && timeTo === undefined) return undefined;
  const days = [false, ...WEEK.map((day) => daysOfWeek.length === 0 || daysOfWeek.includes(day))];
  // An end at midnight is minute 1440 of the same day, so 18:00 to 00:00 does not cross midnight.
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

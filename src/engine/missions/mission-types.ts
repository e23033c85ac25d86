import { type Amount, ONE } from '../../kernel/amount.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import type { AccountContext, PeriodsOfAccount } from '../account-context.ts';
import { assignmentKey, NO_PERIOD, type AssignmentState, type Run } from '../assignment.ts';
import type { UncountedReason } from '../decision.ts';
import { type GameEvent, judgedAt } from '../game-event.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import { accumulate, type Advance } from './accumulate.ts';
import type { MissionPlan, TakenPart } from './mission-plan.ts';
import type { MissionRule, MissionType } from './mission-rule.ts';
import { mergeAccumulated, type MergeOfType } from './merge.ts';
import { type MissionReversal, reverseAccumulated } from './reverse.ts';
import { advanceRoutine, countOccurrence, reverseRoutine, routineKeyAt } from './routine.ts';
import { advanceStreak } from './streaks/advance-streak.ts';
import { mergeStreaks } from './streaks/merge-streaks.ts';
import { reverseStreak } from './streaks/reverse-streak.ts';
import { runAt } from './streaks/streak-run.ts';
import { type StreakToday, todayAt } from './streaks/streak-today.ts';

/** The fields of a definition that only some types have, in the order in which they are checked. */
export const TYPED_FIELDS = [
  'perPeriodTarget',
  'gracePeriods',
  'endless',
  'milestones',
  'onReversal',
  'occurrences',
  'durationDays',
  'repeat',
] as const;

/** A field of a definition that only some types have. */
export type TypedField = (typeof TYPED_FIELDS)[number];

/** The rules of a type, from its definition to its views. */
export type MissionTypeRules = {
  /** Whether the type has each of the type-specific fields. */
  readonly fields: Readonly<Record<TypedField, boolean>>;
  /** Whether a definition needs `endsAt` or `durationDays`. */
  readonly needsWindow: boolean;
  /** Whether a definition in a campaign needs `occurrences`, without which the campaign could never close. */
  readonly needsOccurrences: boolean;
  /** Whether the type counts consecutive calendar periods. */
  readonly isSeries: boolean;
  /** Whether the target is a number of periods, and so always whole. */
  readonly isTargetInPeriods: boolean;
  /** Whether freezes of the account bridge its missed periods. */
  readonly usesFreezes: boolean;
  /** Whether the target may become lower while the mission is offered. */
  readonly canLowerTarget: boolean;
  /** Whether every period has its own assignment, and the assignment of the whole mission only counts them. */
  readonly isSplitByPeriod: boolean;
  /** The number of periods that complete the whole mission; undefined if the mission is not counted in periods, or never ends. */
  readonly periodsNeeded: (plan: MissionPlan) => number | undefined;
  /** The goal of one period; undefined without such a goal. */
  readonly periodGoal: (rule: MissionRule) => Amount | undefined;
  /** Adds an event to the assignment for which it counts. */
  readonly advance: (
    plan: MissionPlan,
    account: AccountContext,
    event: GameEvent,
    now: Timestamp,
  ) => Advance | UncountedReason;
  /** Takes a part of an event back. @returns each changed assignment; none if the event's period is over */
  readonly reverse: (
    plan: MissionPlan,
    account: Pick<AccountContext, 'assignments' | 'calendar' | 'freezes' | 'vacations'>,
    taken: TakenPart,
    now: Timestamp,
  ) => readonly MissionReversal[];
  /** Combines the assignments that two accounts have, when they become one. */
  readonly merge: MergeOfType;
  /** The progress just before an event, as the answer to it would show it. */
  readonly progressBefore: (
    plan: MissionPlan,
    account: Pick<AccountContext, 'assignments' | 'calendar' | 'freezes' | 'vacations'>,
    event: GameEvent,
    now: Timestamp,
  ) => Amount;
  /** The assignment of the whole mission after a period is completed; undefined if there is only one assignment. */
  readonly countCompletion: (
    plan: MissionPlan,
    account: AccountContext,
    event: GameEvent,
    now: Timestamp,
  ) => AssignmentState | undefined;
  /** The run of kept periods at an instant; undefined for types without runs. */
  readonly runAt: (
    plan: MissionPlan,
    state: Pick<AssignmentState, 'detail'>,
    account: PeriodsOfAccount,
    at: Timestamp,
  ) => Run | undefined;
  /** The current period at an instant; undefined for types without runs. @param run the result of `runAt` for the same instant */
  readonly todayAt: (
    plan: MissionPlan,
    state: Pick<AssignmentState, 'detail'>,
    run: Run,
    account: PeriodsOfAccount,
    at: Timestamp,
  ) => StreakToday | undefined;
};

const nothing = (): undefined => undefined;

/** Types that accumulate to the target, until they close. */
const accumulating = {
  needsOccurrences: false,
  isSeries: false,
  isTargetInPeriods: false,
  usesFreezes: false,
  canLowerTarget: true,
  isSplitByPeriod: false,
  periodsNeeded: nothing,
  periodGoal: nothing,
  advance: (plan: MissionPlan, account: AccountContext, event: GameEvent, now: Timestamp) =>
    accumulate(plan, account, NO_PERIOD, event, now),
  reverse(plan: MissionPlan, { assignments }: Pick<AccountContext, 'assignments'>, taken: TakenPart) {
    const before = assignments.get(plan.missionId);
    return before === undefined ? [] : [reverseAccumulated(plan, before, taken)];
  },
  merge: mergeAccumulated,
  progressBefore: ({ missionId }: MissionPlan, { assignments }: Pick<AccountContext, 'assignments'>) =>
    assignments.get(missionId)?.progress ?? 0n,
  countCompletion: nothing,
  runAt: nothing,
  todayAt: nothing,
};

/** Every mission type; {@link MissionRule} has their meanings. */
export const missionTypes: Readonly<Record<MissionType, MissionTypeRules>> = {
  MISSION: {
    ...accumulating,
    fields: {
      perPeriodTarget: false,
      gracePeriods: false,
      endless: false,
      milestones: false,
      onReversal: false,
      occurrences: false,
      durationDays: false,
      repeat: true,
    },
    needsWindow: false,
  },
  CHALLENGE: {
    ...accumulating,
    fields: {
      perPeriodTarget: false,
      gracePeriods: false,
      endless: false,
      milestones: false,
      onReversal: false,
      occurrences: false,
      durationDays: true,
      repeat: true,
    },
    needsWindow: true,
  },
  STREAK: {
    fields: {
      perPeriodTarget: true,
      gracePeriods: true,
      endless: true,
      milestones: true,
      onReversal: true,
      occurrences: false,
      durationDays: false,
      repeat: false,
    },
    needsWindow: false,
    needsOccurrences: false,
    isSeries: true,
    isTargetInPeriods: true,
    usesFreezes: true,
    canLowerTarget: false,
    isSplitByPeriod: false,
    periodsNeeded: ({ target }) => Number(target / ONE),
    periodGoal: ({ perPeriodTarget }) => perPeriodTarget ?? ONE,
    advance: advanceStreak,
    reverse: reverseStreak,
    merge: mergeStreaks,
    progressBefore: (plan, account, event, now) =>
      BigInt(runAt(plan, account.assignments.get(plan.missionId), account, judgedAt(event, now)).current) * ONE,
    countCompletion: nothing,
    runAt,
    todayAt,
  },
  ROUTINE: {
    fields: {
      perPeriodTarget: false,
      gracePeriods: false,
      endless: false,
      milestones: false,
      onReversal: true,
      occurrences: true,
      durationDays: false,
      repeat: false,
    },
    needsWindow: false,
    needsOccurrences: true,
    isSeries: true,
    isTargetInPeriods: false,
    usesFreezes: false,
    canLowerTarget: false,
    isSplitByPeriod: true,
    periodsNeeded: ({ occurrences }) => occurrences,
    periodGoal: ({ target }) => target,
    advance: advanceRoutine,
    reverse: reverseRoutine,
    merge: mergeAccumulated,
    progressBefore: (plan, { assignments, calendar }, { occurredAt }) =>
      assignments.get(assignmentKey(plan.missionId, routineKeyAt(plan, calendar, occurredAt)))?.progress ?? 0n,
    countCompletion: countOccurrence,
    runAt: nothing,
    todayAt: nothing,
  },
};

/** Whether an assignment only counts the completed periods of its mission, which have their own assignments. */
export function isCountOfPeriods({ type }: Pick<MissionPlan, 'type'>, periodKey: string): boolean {
  return missionTypes[type].isSplitByPeriod && periodKey === NO_PERIOD;
}

/** The types whose rules meet a condition. */
export function missionTypesWhere(meets: (rules: MissionTypeRules) => boolean): readonly MissionType[] {
  return (Object.keys(missionTypes) as MissionType[]).filter((type) => meets(missionTypes[type]));
}

/** The names of those types in a sentence: `STREAK or ROUTINE`. */
export function namesOfTypes(meets: (rules: MissionTypeRules) => boolean): Sentence {
  const [first, ...rest] = missionTypesWhere(meets);
  return rest.reduce((all, next) => sentence`${all} or ${next}`, sentence`${first!}`);
}

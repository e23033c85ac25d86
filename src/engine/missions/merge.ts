import { type Amount, ONE } from '../../kernel/amount.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { PeriodsOfAccount } from '../account-context.ts';
import { isHeldBack } from '../control-group.ts';
import { assignmentId, type AssignmentState, type MergedProgress } from '../assignment.ts';
import type { AccountFreezes } from '../freezes/freeze-ledger.ts';
import type { Calendar } from '../time/calendar.ts';
import type { Vacation } from '../time/vacation.ts';
import { deadlineOf, detailOf, reversedOf } from './accumulate.ts';
import { mergedLimits } from './limits.ts';
import type { MissionPlan } from './mission-plan.ts';
import type { Milestone } from './mission-rule.ts';
import { completionsOf, sumOfAssignment } from './reverse.ts';

/** The assignments that two accounts have of one mission, or of one period of a ROUTINE; one of them at least. */
export type AssignmentPair = {
  readonly from: AssignmentState | undefined;
  readonly into: AssignmentState | undefined;
};

/** The way in which a merge combines. */
export type MergeRules = {
  readonly how: MergedProgress;
  /** The account that stays, and its calendar. */
  readonly accountId: string;
  readonly calendar: Calendar;
  /** The freezes of both. */
  readonly freezes?: AccountFreezes | undefined;
  /** The vacations of both. */
  readonly vacations?: readonly Vacation[] | undefined;
  /** The calendars, freezes and vacations that each had before; those of both without them. */
  readonly before?: PastOfPair | undefined;
  readonly now: Timestamp;
};

/** The parts of two accounts on which their runs depended before they became one. */
export type PastOfPair = { readonly from: PeriodsOfAccount; readonly into: PeriodsOfAccount };

/** The combined assignment of the account that stays. */
export type MissionMerge = {
  readonly assignment: AssignmentState;
  /** The rounds that the merge completes, and that neither account was paid for. */
  readonly rounds: number;
  /**
   * The rounds of the account that stays, behind which those of the merged one are numbered, because their sums are added up. Absent if
   * the rounds of both have one number.
   */
  readonly roundsBefore?: number;
  /** The milestones that the merge reaches, and that neither account was paid for. Absent without any. */
  readonly milestones?: readonly Milestone[];
};

/** Combines one mission, by the rules of its type. */
export type MergeOfType = (
  plan: MissionPlan,
  one: AssignmentState,
  other: AssignmentState,
  rules: MergeRules,
) => MissionMerge;

/**
 * Combines the assignments of two accounts. They keep the progress of both, and no round is paid again: only rounds beyond those that
 * both were paid for together are new. Merges of several accounts give the same in any order. A mission that is not open, or holds back
 * the account, completes nothing: the further one stays.
 */
export function mergeAssignments(
  plan: MissionPlan,
  { from, into }: AssignmentPair,
  rules: MergeRules,
  merge: MergeOfType,
): MissionMerge {
  const sole = from === undefined ? into : into === undefined ? from : chosenOf(plan, from, into, rules.now);
  if (sole === undefined && isOpen(plan, rules)) return merge(plan, from!, into!, rules);
  const stays = sole ?? (compareReached(from!, into!) > 0 ? from! : into!);
  const assignment = ownedBy(remembering(stays, stays === from ? into : from), rules.accountId);
  return { assignment, rounds: 0 };
}

/** The assignment that stays, which knows what the other was paid: a longer milestone, and rewards that a reversal may have left. */
function remembering(stays: AssignmentState, other: AssignmentState | undefined): AssignmentState {
  const paid = other?.detail?.milestone ?? 0;
  const isPaidFurther = paid > (stays.detail?.milestone ?? 0);
  const added = { ...(isPaidFurther && { milestone: paid }), ...reversedOf(other) };
  return Object.keys(added).length === 0 ? stays : { ...stays, detail: { ...stays.detail, ...added } };
}

/** The only one of two CHALLENGEs whose window is not over; undefined if both are to be combined. */
function chosenOf(
  plan: MissionPlan,
  from: AssignmentState,
  into: AssignmentState,
  now: Timestamp,
): AssignmentState | undefined {
  const lives = (state: AssignmentState) => state.status === 'COMPLETED' || now < deadlineOf(plan, state.startedAt);
  if (lives(from) === lives(into)) return undefined;
  return lives(from) ? from : into;
}

/** Above 0 if the first has reached more. */
function compareReached(one: AssignmentState, other: AssignmentState): number {
  const rank = ({ status, detail }: AssignmentState) =>
    status === 'COMPLETED' ? Infinity : (detail?.completions ?? 0);
  if (rank(one) !== rank(other)) return rank(one) > rank(other) ? 1 : -1;
  return Number(one.progress - other.progress);
}

/** Whether events of now count for the mission, unless the account is in no audience of it. */
function isOpen({ campaign, opensAt, closesAt }: MissionPlan, { accountId, now }: MergeRules): boolean {
  if (isHeldBack(campaign, accountId)) return false;
  return (campaign === undefined || campaign.status === 'ACTIVE') && opensAt <= now && now < closesAt;
}

/** An assignment as one of another account. */
function ownedBy(state: AssignmentState, accountId: string): AssignmentState {
  return { ...state, accountId, id: assignmentId(state.missionId, accountId, state.periodKey) };
}

/** Combines a MISSION, a CHALLENGE or a period of a ROUTINE, whose rounds follow from its sum. */
export const mergeAccumulated: MergeOfType = (plan, one, other, rules) => {
  const { roundsMax } = plan;
  const { target } = other;
  const sum = combined(rules.how, sumOfAssignment(plan, one), sumOfAssignment(plan, other));
  const completions = sum >= BigInt(roundsMax) * target ? roundsMax : Number(sum / target);
  const paid = Math.min(completionsOf(plan, one) + completionsOf(plan, other), roundsMax);
  const rounds = Math.max(0, completions - paid);
  const isOver = completions === roundsMax;
  const rest = sum - BigInt(completions) * target;
  return {
    rounds,
    ...(rules.how === 'SUM' && { roundsBefore: completionsOf(plan, other) }),
    assignment: {
      ...commonOf(one, other, rules, { isComplete: completions > 0, isNew: rounds > 0 }),
      progress: isOver ? target : rest,
      target,
      status: isOver ? 'COMPLETED' : 'ACTIVE',
      detail: detailOf(plan, mergedLimits(plan, one, other, rules.how), completions, isOver ? rest : 0n),
    },
  };
};

/**
 * The whole of a mission that counts completed periods, from the periods of both.
 * @param completed the number of the combined periods that are completed
 */
export function mergeOccurrences(
  one: AssignmentState | undefined,
  other: AssignmentState | undefined,
  completed: number,
  rules: MergeRules,
): AssignmentState | undefined {
  const some = one ?? other;
  if (some === undefined) return undefined;
  const most = [one, other].reduce((max, state) => (state && state.progress > max ? state.progress : max), 0n);
  const counted = BigInt(completed) * ONE;
  const sum = counted > most ? counted : most;
  const isComplete = sum >= some.target;
  const isNew = isComplete && one?.status !== 'COMPLETED' && other?.status !== 'COMPLETED';
  return {
    ...commonOf(some, other ?? some, rules, { isComplete, isNew }),
    progress: isComplete ? some.target : sum,
    target: some.target,
    status: isComplete ? 'COMPLETED' : 'ACTIVE',
    detail: one?.detail?.reversed || other?.detail?.reversed ? { reversed: true } : undefined,
  };
}

/** The fields that every type combines alike: the earlier begin and completion of both. */
export function commonOf(
  one: AssignmentState,
  other: AssignmentState,
  { accountId, now }: MergeRules,
  { isComplete, isNew }: { readonly isComplete: boolean; readonly isNew: boolean },
): Omit<AssignmentState, 'progress' | 'target' | 'status' | 'detail'> {
  const { missionId, periodKey } = one;
  return {
    id: assignmentId(missionId, accountId, periodKey),
    missionId,
    accountId,
    periodKey,
    startedAt: Math.min(one.startedAt, other.startedAt),
    completedAt: !isComplete ? undefined : isNew ? now : earlierOf(one.completedAt, other.completedAt),
    completionOccurredAt: isComplete
      ? (earlierOf(one.completionOccurredAt, other.completionOccurredAt) ?? (isNew ? now : undefined))
      : undefined,
  };
}

function combined(how: MergedProgress, one: Amount, other: Amount): Amount {
  if (how === 'SUM') return one + other;
  return one > other ? one : other;
}

function earlierOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

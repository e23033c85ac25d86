import { zoneOf } from '../../kernel/time/zone-history.ts';
import { ONE, type Amount } from '../../kernel/amount.ts';
import type { AccountContext, PeriodsOfAccount } from '../account-context.ts';
import { memberSince } from '../admission.ts';
import { hasCompletedAllRounds } from '../campaign-plan.ts';
import { assignmentId, assignmentKey, NO_PERIOD, type AssignmentState, type Run } from '../assignment.ts';
import { deadlineOf } from './accumulate.ts';
import { type Lock, locksOf } from './locks.ts';
import { canLowerTarget } from './lowered-target.ts';
import { nextMilestone } from './milestones.ts';
import type { MissionPlan } from './mission-plan.ts';
import type { Milestone } from './mission-rule.ts';
import { missionTypes } from './mission-types.ts';
import { isOpenOn } from './opening-hours.ts';
import { type Calendar, periodEnd, periodStart } from '../time/calendar.ts';
import { periodOfKey } from '../time/period.ts';
import { routineKeyAt } from './routine.ts';
import type { StreakToday } from './streaks/streak-today.ts';
import { localDay } from '../../kernel/time/time-zone.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';

/** A mission as an account sees it at one instant. */
export type AssignmentView = {
  readonly id: string;
  readonly missionId: string;
  readonly periodKey: string;
  readonly status: 'ACTIVE' | 'COMPLETED' | 'EXPIRED';
  readonly progress: Amount;
  readonly target: Amount;
  /** Undefined: the mission has always been open. */
  readonly startsAt: Timestamp | undefined;
  /** The first instant that is too late. Undefined: the mission never closes, or is a CHALLENGE without an end before its first event. */
  readonly expiresAt: Timestamp | undefined;
  readonly startedAt: Timestamp | undefined;
  readonly completedAt: Timestamp | undefined;
  /** STREAK only. */
  readonly streak: StreakView | undefined;
  /** The shortest milestone of a STREAK that was not reached; undefined without one. */
  readonly nextMilestone: Milestone | undefined;
  /** Set for an ACTIVE STREAK only; its `keepUntil` is never after `expiresAt`. */
  readonly today: StreakToday | undefined;
  /** The locks of an ACTIVE item; empty otherwise. */
  readonly locks: readonly Lock[];
  /** Set for a ROUTINE with `occurrences` only. */
  readonly occurrences: OccurrencesView | undefined;
  /** The completed rounds of a mission that repeats. */
  readonly completions: number | undefined;
};

/** The current run of kept periods. After the end of a run, `current` is 0 and `freezesLeft` is complete again. */
export type StreakView = { readonly current: number; readonly longest: number; readonly freezesLeft: number };

/** The completed periods of a ROUTINE, and the number of periods that completes it as a whole. */
export type OccurrencesView = { readonly completed: number; readonly target: number };

/**
 * The feed item of a mission at `now`. Undefined if the mission is not for the account, has not started, was over before the account
 * joined, or its campaign is a draft or paused. Completed items stay, even if the campaign ends or the account leaves the audience. Expiry
 * and the end of streaks are computed here; no job stores them.
 *
 * A ROUTINE is shown by the assignment of its present period. A completed ROUTINE is shown by the assignment of the whole routine.
 */
export function viewMission(plan: MissionPlan, account: AccountContext, now: Timestamp): AssignmentView | undefined {
  const whole = account.assignments.get(plan.missionId);
  if (whole?.status === 'COMPLETED') return viewAssignment(plan, whole, account, now);
  const periodKey = missionTypes[plan.type].isSplitByPeriod ? routineKeyAt(plan, account.calendar, now) : NO_PERIOD;
  const state = account.assignments.get(assignmentKey(plan.missionId, periodKey));
  if (state !== undefined) return viewStored(plan, state, account, now);
  if (!isOffered(plan, account, now) || !overlapsWindow(plan, account, now)) return undefined;
  return viewAssignment(plan, unstarted(plan, account, periodKey), account, now);
}

/**
 * The view of a stored assignment at `now`, also of a past period. Undefined for an incomplete assignment if the mission is not offered now
 * or is completed as a whole, as in {@link viewMission}.
 */
export function viewStored(
  plan: MissionPlan,
  state: AssignmentState,
  account: AccountContext,
  now: Timestamp,
): AssignmentView | undefined {
  if (state.status !== 'COMPLETED') {
    if (hasCompletedAllRounds(plan.missionId, account.assignments) || !isOffered(plan, account, now)) return undefined;
  }
  return viewAssignment(plan, state, account, now);
}

function viewAssignment(
  plan: MissionPlan,
  state: Unstarted | AssignmentState,
  account: AccountContext,
  now: Timestamp,
): AssignmentView {
  const { calendar } = account;
  const { startsAt, expiresAt } = windowOf(plan, state, calendar);
  // A completed streak does not end: its run stays in its state at the completion.
  const run = missionTypes[plan.type].runAt(plan, state, account, state.completedAt ?? now);
  // A mission that repeats is COMPLETED after its last round only.
  const isCompleted = state.status === 'COMPLETED';
  const status = isCompleted ? 'COMPLETED' : isExpired(plan, expiresAt, now) ? 'EXPIRED' : 'ACTIVE';
  return {
    id: state.id,
    missionId: state.missionId,
    periodKey: state.periodKey,
    status,
    progress: run === undefined || isCompleted ? shownProgress(plan, state) : BigInt(run.current) * ONE,
    target: state.target,
    startsAt: Number.isFinite(startsAt) ? startsAt : undefined,
    expiresAt: Number.isFinite(expiresAt) ? expiresAt : undefined,
    startedAt: state.startedAt,
    completedAt: state.completedAt,
    streak: run && { current: run.current, longest: run.longest, freezesLeft: run.freezesLeft },
    nextMilestone: nextMilestone(plan.milestones, state.detail),
    today: run && status === 'ACTIVE' ? todayOf(plan, state, run, account, now, expiresAt) : undefined,
    locks: status === 'ACTIVE' ? locksOf(plan, account, now, expiresAt) : [],
    occurrences: occurrencesOf(plan, account),
    completions: plan.roundsMax > 1 ? (state.detail?.completions ?? 0) : undefined,
  };
}

/** The progress up to the target: a target that was lowered may be below it until the account completes the mission. */
function shownProgress(plan: MissionPlan, { progress, target }: Pick<AssignmentState, 'progress' | 'target'>): Amount {
  return canLowerTarget(plan) && progress > target ? target : progress;
}

function todayOf(
  plan: MissionPlan,
  state: Unstarted | AssignmentState,
  run: Run,
  account: PeriodsOfAccount,
  now: Timestamp,
  expiresAt: Timestamp,
): StreakToday | undefined {
  const today = missionTypes[plan.type].todayAt(plan, state, run, account, now);
  if (today?.keepUntil === undefined || today.keepUntil <= expiresAt) return today;
  return { ...today, keepUntil: expiresAt };
}

/** An assignment without any progress: it has no row. */
type Unstarted = Omit<AssignmentState, 'startedAt'> & { readonly startedAt?: undefined };

function unstarted(plan: MissionPlan, account: AccountContext, periodKey: string): Unstarted {
  const { accountId } = account;
  const { missionId, target } = plan;
  const id = assignmentId(missionId, accountId, periodKey);
  return { id, missionId, accountId, periodKey, progress: 0n, target, status: 'ACTIVE' };
}

function occurrencesOf({ missionId, occurrences }: MissionPlan, { assignments }: AccountContext) {
  if (occurrences === undefined) return undefined;
  return { completed: Number((assignments.get(missionId)?.progress ?? 0n) / ONE), target: occurrences };
}

/**
 * Whether the mission was not over before the account was created or joined an audience of the mission. An account that is in it by a rule
 * has joined now, as far as anybody knows.
 */
function overlapsWindow(plan: MissionPlan, account: AccountContext, now: Timestamp): boolean {
  const { audiences, audiencesByRule } = account;
  const isByRule = plan.audienceIds?.every((id) => audiencesByRule.has(id) || !audiences.has(id)) ?? false;
  return Math.max(account.createdAt, isByRule ? now : memberSince(plan, account)) < plan.closesAt;
}

function isOffered(plan: MissionPlan, account: AccountContext, now: Timestamp): boolean {
  if (memberSince(plan, account) === Infinity || now < plan.opensAt) return false;
  const { campaign, hours } = plan;
  // An ended campaign still shows its missed missions, as EXPIRED.
  if (campaign !== undefined && campaign.status !== 'ACTIVE' && campaign.status !== 'ENDED') return false;
  const isDaily = missionTypes[plan.type].isSplitByPeriod && plan.periodUnit === 'DAY' && hours !== undefined;
  return !isDaily || isOpenOn(hours, localDay(zoneOf(account.calendar, now), now));
}

function isExpired(plan: MissionPlan, expiresAt: Timestamp, now: Timestamp): boolean {
  return now >= expiresAt || plan.campaign?.status === 'ENDED';
}

function windowOf(plan: MissionPlan, state: Unstarted | AssignmentState, calendar: Calendar) {
  if (state.periodKey !== NO_PERIOD) {
    const period = periodOfKey(plan.periodUnit, state.periodKey);
    return {
      startsAt: Math.max(plan.opensAt, periodStart(plan.periodUnit, period, calendar)),
      expiresAt: Math.min(plan.closesAt, periodEnd(plan.periodUnit, period, calendar)),
    };
  }
  const deadline = state.startedAt === undefined ? Infinity : deadlineOf(plan, state.startedAt);
  return { startsAt: plan.opensAt, expiresAt: Math.min(plan.closesAt, deadline) };
}

import type { Amount } from '../../kernel/amount.ts';
import type { AccountContext } from '../account-context.ts';
import type { AssignmentDetail, LimitState, MergedProgress } from '../assignment.ts';
import type { CampaignPlan } from '../campaign-plan.ts';
import type { UncountedReason } from '../decision.ts';
import type { EventType, GameEvent } from '../game-event.ts';
import type { LockRule } from './locks.ts';
import type { Milestone, MissionConditions, MissionType } from './mission-rule.ts';
import type { OpeningHours } from './opening-hours.ts';
import type { Interval } from '../time/interval.ts';
import type { PeriodNumber, PeriodUnit } from '../time/period.ts';
import type { Calendar } from '../time/calendar.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';

/** A reason for which a condition refuses events, and the test of one event. */
export type RefusalRule<Account> = {
  readonly reason: UncountedReason;
  /** Whether the event is refused, for `reason` or for the reason that it returns. */
  readonly refuses: (event: GameEvent, account: Account) => boolean | UncountedReason;
};

/** An account without its assignments. */
export type AccountWithoutAssignments = Omit<AccountContext, 'assignments'>;

/** An account, and the progress of the mission before the event. */
export type JudgedProgress = { readonly account: AccountWithoutAssignments; readonly progress: Amount };

/**
 * The reason for which a mission cannot be completed:
 *
 * - `NEVER_OPEN`: its hours do not meet its window.
 * - `TOO_FEW_PERIODS`: it needs more periods than those in which events count.
 * - `CAPPED`: `maxPerPeriod` lets no account count more than `most`.
 */
export type OutOfReach =
  | { readonly reason: 'NEVER_OPEN' }
  | { readonly reason: 'TOO_FEW_PERIODS'; readonly needed: number; readonly available: number }
  | { readonly reason: 'CAPPED'; readonly most: Amount };

/**
 * The reason for which one condition keeps a mission out of reach; undefined if it does not. The mission's window is not empty.
 * @param since the time of the activation
 */
export type ReachRule = (plan: MissionPlan, calendar: Calendar, since: Timestamp) => OutOfReach | undefined;

/**
 * The most that any account can count under one condition, in any zone and with events as late as allowed; undefined without a limit.
 * @param window from the earliest instant at which an event may have occurred
 */
export type BoundRule = (plan: MissionPlan, eventType: EventType, window: Interval) => Amount | undefined;

/** The part of an event that counts, and the state of limits to store in the assignment. */
export type CountedPart = {
  readonly amount: Amount;
  readonly detail: LimitState | undefined;
  /** The period of `maxPerPeriod`. */
  readonly period?: PeriodNumber | undefined;
};

/**
 * A condition with state between events, which the assignment stores. It counts an event in whole, in part or not at all.
 * @param amount the part of the event that earlier limits count
 */
export type LimitRule = (
  amount: Amount,
  of: {
    readonly plan: MissionPlan;
    readonly calendar: Calendar;
    readonly event: GameEvent;
    /** The state before the event; undefined for the first event. */
    readonly before: AssignmentDetail | undefined;
    readonly now: Timestamp;
  },
) => CountedPart | UncountedReason;

/** The part of an event that counted for a mission, and what a reversal takes of it. */
export type TakenPart = {
  /** The amount that goes, after caps; above 0. */
  readonly amount: Amount;
  /** The period of the event under `maxPerPeriod`, for the sums of the cap. */
  readonly period?: PeriodNumber | undefined;
  /** Whether the event was backfilled: then its period is not over, as far as it can still be judged. */
  readonly wasBackfilled?: boolean | undefined;
};

/** The merge and the reversal of the state that one condition keeps. */
export type StateRules<State = unknown> = {
  /** How a merge of two accounts combines each field; both have a value. */
  readonly merges: {
    readonly [Field in keyof State]-?: (
      one: NonNullable<State[Field]>,
      other: NonNullable<State[Field]>,
      how: MergedProgress,
    ) => NonNullable<State[Field]>;
  };
  /** The state after the reversal of an event; `kept` if it stays. */
  readonly reversed: 'kept' | ((state: AssignmentDetail | undefined, taken: TakenPart) => AssignmentDetail | undefined);
};

/** The conditions of a mission, compiled for the hot path. */
export type ConditionsPlan = {
  /** Conditions that read the account's assignments, in the order of `reasonsByNearness`. */
  readonly refuseByAssignments: readonly RefusalRule<AccountContext>[];
  /** Conditions that read the event and the account's clock only, in the order of `reasonsByNearness`. */
  readonly refuseByEvent: readonly RefusalRule<AccountWithoutAssignments>[];
  /** Conditions that read the event and the mission's progress before it, after those of the event alone. */
  readonly refuseByProgress: readonly RefusalRule<JudgedProgress>[];
  /** Conditions with state between events; applied to events that no other condition refuses. */
  readonly limits: readonly LimitRule[];
  /** The state of `limits`. */
  readonly states: readonly StateRules[];
  readonly locks: readonly LockRule[];
  readonly reach: readonly ReachRule[];
  readonly bounds: readonly BoundRule[];
  readonly conditions: MissionConditions;
  readonly hours: OpeningHours | undefined;
  readonly prerequisites: readonly string[];
};

/**
 * A mission, compiled once per definition for the hot path: every default is set, every text parsed, and the windows of
 * campaign and mission are merged.
 */
export type MissionPlan = ConditionsPlan & {
  readonly missionId: string;
  readonly campaign: CampaignPlan | undefined;
  readonly type: MissionType;
  readonly programmaticCode: string;
  readonly position: number;
  readonly rewardIds: readonly string[];
  /** The audiences of the mission; undefined for every account. */
  readonly audienceIds: readonly string[] | undefined;
  /** The common window of campaign and mission: `opensAt` is included, `closesAt` is not. */
  readonly opensAt: Timestamp;
  readonly closesAt: Timestamp;
  /** Earlier events do not count, even if the window was open: see `countsSince`. */
  readonly countsFrom: Timestamp;
  readonly target: Amount;
  /** Whether each event counts as one, whatever its amount. */
  readonly countsEvents: boolean;
  /** The times that an account can reach the target, in each period of a ROUTINE; above 1 for a mission that repeats. */
  readonly roundsMax: number;
  readonly periodUnit: PeriodUnit;
  readonly perPeriodTarget: Amount;
  readonly gracePeriods: number;
  /** The lengths of a STREAK at which it pays rewards, shortest first. */
  readonly milestones: readonly Milestone[];
  /** Whether a reversal also reaches periods that are over. */
  readonly isStrict: boolean;
  readonly occurrences: number | undefined;
  /**
   * Milliseconds from the first progress of a CHALLENGE to its end, without pauses; `Infinity` without `durationDays`.
   */
  readonly durationMs: number;
};

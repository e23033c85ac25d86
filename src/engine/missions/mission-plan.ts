import type { Amount } from '../../kernel/amount.ts';
import type { AccountContext } from '../account-context.ts';
import type { CampaignPlan } from '../campaign-plan.ts';
import type { IgnoreReason } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { LockRule } from './locks.ts';
import type { MissionType } from './mission-rule.ts';
import type { OpeningHours } from './opening-hours.ts';
import type { PeriodUnit } from '../time/period.ts';
import type { Calendar } from '../time/calendar.ts';
import type { Timestamp } from '../time/timestamp.ts';

/** A reason for which a condition refuses events, and the test of one event. */
export type Refusal<Account> = {
  readonly reason: IgnoreReason;
  readonly refuses: (event: GameEvent, account: Account) => boolean;
};

/** An account without its assignments. */
export type AccountWithoutHistory = Omit<AccountContext, 'assignments'>;

/**
 * Why a mission cannot be completed:
 *
 * - `NEVER_OPEN`: its hours do not meet its window.
 * - `TOO_FEW_PERIODS`: it takes more periods than there are in which events count.
 * - `CAPPED`: `maxPerPeriod` lets no account count more than `most`.
 */
export type OutOfReach =
  | { readonly reason: 'NEVER_OPEN' }
  | { readonly reason: 'TOO_FEW_PERIODS'; readonly needed: number; readonly available: number }
  | { readonly reason: 'CAPPED'; readonly most: Amount };

/**
 * Whether one condition keeps a mission out of reach, and why. The mission's window is not empty.
 * @param since the time of the activation
 */
export type ReachRule = (plan: MissionPlan, calendar: Calendar, since: Timestamp) => OutOfReach | undefined;

/** The conditions of a mission, compiled for the hot path. */
export type ConditionsPlan = {
  /** Depend on what the account has done. In the order of `ignoreReasons`. */
  readonly refuseByHistory: readonly Refusal<AccountContext>[];
  /** Depend on the event and the account's clock only. In the order of `ignoreReasons`. */
  readonly refuseByEvent: readonly Refusal<AccountWithoutHistory>[];
  readonly locks: readonly LockRule[];
  readonly reach: readonly ReachRule[];
  readonly maxPerPeriod: Amount | undefined;
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
  /** Undefined: every account. Otherwise the accounts of any of these. */
  readonly audienceIds: readonly string[] | undefined;
  /** The common window of campaign and mission, `opensAt` in it, `closesAt` not. */
  readonly opensAt: Timestamp;
  readonly closesAt: Timestamp;
  /** Earlier events do not count, even if the window was open: see `countsSince`. */
  readonly countsFrom: Timestamp;
  readonly target: Amount;
  readonly unit: PeriodUnit;
  readonly perPeriodTarget: Amount;
  readonly gracePeriods: number;
  readonly occurrences: number | undefined;
  /**
   * Milliseconds from the first progress of a CHALLENGE to its end, without pauses; `Infinity` without `durationDays`.
   */
  readonly durationMs: number;
};

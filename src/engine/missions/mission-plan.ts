import type { Amount } from '../../kernel/amount.ts';
import type { AccountContext } from '../account-context.ts';
import type { CampaignPlan } from '../campaign-plan.ts';
import type { IgnoreReason } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { MissionType } from './mission-rule.ts';
import type { OpeningHours } from './opening-hours.ts';
import type { PeriodUnit } from '../time/period.ts';
import type { Timestamp } from '../time/timestamp.ts';

/** The reason for which an event fails a condition; undefined if it meets it. */
export type Refuse<Account> = (event: GameEvent, account: Account) => IgnoreReason | undefined;

/** An account without its assignments. */
export type AccountWithoutHistory = Omit<AccountContext, 'assignments'>;

/** The conditions of a mission, compiled for the hot path. */
export type ConditionsPlan = {
  /** Depend on what the account has done. */
  readonly refuseByHistory: readonly Refuse<AccountContext>[];
  /** Depend on the event and the account's clock only. */
  readonly refuseByEvent: readonly Refuse<AccountWithoutHistory>[];
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

import type { Amount } from '../../kernel/amount.ts';
import type { AccountContext } from '../account-context.ts';
import type { CampaignPlan } from '../campaign-plan.ts';
import type { IgnoreReason } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { MissionType } from './mission-rule.ts';
import type { OpeningHours } from './opening-hours.ts';
import type { PeriodUnit } from '../time/period.ts';
import type { Timestamp } from '../time/timestamp.ts';

/** Why an event does not count for a condition; undefined where it meets it. */
export type Refuse<Account> = (event: GameEvent, account: Account) => IgnoreReason | undefined;

/** An account, whatever it has done. */
export type AccountWithoutHistory = Omit<AccountContext, 'assignments'>;

/** The conditions of a mission, made ready for the hot path. */
export type ConditionsPlan = {
  /** Asks what the account has done. */
  readonly refuseByHistory: readonly Refuse<AccountContext>[];
  /** Asks the event alone, and the account's clock. */
  readonly refuseByEvent: readonly Refuse<AccountWithoutHistory>[];
  readonly maxPerPeriod: Amount | undefined;
  readonly hours: OpeningHours | undefined;
  readonly prerequisites: readonly string[];
};

/**
 * A mission made ready for the hot path: every default filled in, every text parsed, campaign and mission folded into one
 * window. Compiled once per definition, applied to every event.
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
  /** What occurred before does not count, though the window may have been open: see `countsSince`. */
  readonly countsFrom: Timestamp;
  readonly target: Amount;
  readonly unit: PeriodUnit;
  readonly perPeriodTarget: Amount;
  readonly gracePeriods: number;
  readonly occurrences: number | undefined;
  /** How long a CHALLENGE lasts from its first progress, pauses not counted, in milliseconds; `Infinity` without `durationDays`. */
  readonly durationMs: number;
};

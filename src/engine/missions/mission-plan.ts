import type { Amount } from '../../kernel/amount.ts';
import type { CampaignPlan } from '../campaign-plan.ts';
import type { MissionType } from './mission-rule.ts';
import type { OpeningHours } from './opening-hours.ts';
import type { PeriodUnit } from '../time/period.ts';
import type { Timestamp } from '../time/timestamp.ts';

/**
 * A mission made ready for the hot path: every default filled in, every text parsed, campaign and mission folded into one
 * window. Compiled once per definition, applied to every event.
 */
export type MissionPlan = {
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
  readonly minAmount: Amount | undefined;
  readonly maxAmount: Amount | undefined;
  readonly maxPerPeriod: Amount | undefined;
  readonly hours: OpeningHours | undefined;
  readonly prerequisites: readonly string[];
  readonly unit: PeriodUnit;
  readonly perPeriodTarget: Amount;
  readonly gracePeriods: number;
  readonly occurrences: number | undefined;
  /** How long a CHALLENGE lasts from its first progress, pauses not counted, in milliseconds; `Infinity` without `durationDays`. */
  readonly lasts: number;
};

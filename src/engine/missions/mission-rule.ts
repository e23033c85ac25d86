import type { Amount } from '../../kernel/amount.ts';
import type { Interval } from '../time/interval.ts';
import type { PeriodUnit } from '../time/period.ts';
import type { Timestamp } from '../time/timestamp.ts';

/**
 * The definition of a mission, as far as the rules need it. The type decides how events add up:
 *
 * - `MISSION` accumulates to its target once. Progress never exceeds the target: the rest of an event is dropped.
 * - `CHALLENGE` does the same until it closes: at `endsAt`, or `durationDays` after the first event that counted.
 * - `STREAK` counts consecutive periods that each reach `perPeriodTarget`. Its target is a number of periods.
 * - `ROUTINE` starts again at zero in every period.
 */
export type MissionRule = {
  readonly id: string;
  /** Absent for a standalone item. */
  readonly campaignId?: string | undefined;
  /**
   * Only for standalone items; without it a standalone item is for every account. In a campaign the campaign's
   * audiences apply.
   */
  readonly audienceId?: string | undefined;
  readonly type: MissionType;
  readonly programmaticCode: string;
  /** Above zero. Occurrences, a sum of amounts, or (for a STREAK) whole periods. */
  readonly target: Amount;
  readonly conditions?: MissionConditions | undefined;
  /** STREAK and ROUTINE: the period they count by, DAY unless said otherwise. All types: the period of `maxPerPeriod`. */
  readonly period?: PeriodUnit | undefined;
  /** STREAK: what a period must reach to be kept; one unless said otherwise. */
  readonly perPeriodTarget?: Amount | undefined;
  /** STREAK: missed periods that one run survives; none unless said otherwise. A new run begins with all of them. */
  readonly gracePeriods?: number | undefined;
  /** ROUTINE: completed periods that complete it as a whole; without it the routine never ends. */
  readonly occurrences?: number | undefined;
  /** Events count from this time on; for a standalone item without it, from its creation on. */
  readonly startsAt?: Timestamp | undefined;
  /** Only of a standalone item. */
  readonly createdAt?: Timestamp | undefined;
  /** Events before here count; the instant itself is too late. */
  readonly endsAt?: Timestamp | undefined;
  /**
   * CHALLENGE: days of 24 hours, so that neither a zone nor daylight saving time moves the deadline. They begin with
   * the first accepted event, and do not run while the campaign is paused.
   */
  readonly durationDays?: number | undefined;
  /** Order in a feed, ascending. */
  readonly position?: number | undefined;
  /** Delivered when an account completes the mission; for a ROUTINE, when it completes a period. */
  readonly rewardIds: readonly string[];
};

/** How the events of a mission add up: see {@link MissionRule}. */
export type MissionType = 'MISSION' | 'CHALLENGE' | 'STREAK' | 'ROUTINE';

/** The conditions of an event to count. The calendar and the clock are those of the account's time zone. */
export type MissionConditions = {
  /** Smallest amount of one event; the bound itself counts. */
  readonly minAmount?: Amount | undefined;
  /** Largest amount of one event; the bound itself counts. An event above it counts for nothing, it is not cut. */
  readonly maxAmount?: Amount | undefined;
  /** Most that counts within one period; of the event that crosses it, the part below it counts. */
  readonly maxPerPeriod?: Amount | undefined;
  /** ISO days, Monday 1 to Sunday 7; none means every day. */
  readonly daysOfWeek?: readonly number[] | undefined;
  /** `HH:MM` from which events count, midnight unless said otherwise. */
  readonly timeFrom?: string | undefined;
  /** `HH:MM` at which events stop counting, midnight unless said otherwise; not after `timeFrom`: on the next day. */
  readonly timeTo?: string | undefined;
  /** Missions that the account must have completed before the event. */
  readonly prerequisiteMissionIds?: readonly string[] | undefined;
};

/** Whether events of a code carry an amount. */
export type EventType = 'SINGLE' | 'AMOUNT';

/** A campaign, as far as the rules need it: its missions count events that occurred while it was open. */
export type CampaignRule = {
  readonly id: string;
  readonly status: CampaignStatus;
  readonly audienceIds: readonly string[];
  readonly claimPolicy: ClaimPolicy;
  /** Completion rewards. */
  readonly rewardIds: readonly string[];
  /** Events count from this time on, even if it is activated later; without it, from its first activation on. */
  readonly startsAt?: Timestamp | undefined;
  readonly activatedAt?: Timestamp | undefined;
  readonly endsAt?: Timestamp | undefined;
  /** The time at which an operator ended it; every ENDED campaign has it. */
  readonly endedAt?: Timestamp | undefined;
  /** Its pauses: events that occurred or were accepted in one do not count, and durations did not run. */
  readonly pauses?: readonly Interval[] | undefined;
};

/** Current events count for ACTIVE campaigns only; earlier events also count later. */
export type CampaignStatus = 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ENDED';

/** Whether completing the last mission closes a campaign, or lets the account claim it. */
export type ClaimPolicy = 'AUTOMATIC' | 'EXPLICIT';

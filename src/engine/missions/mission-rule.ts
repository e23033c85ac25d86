import { type Amount, ONE } from '../../kernel/amount.ts';
import type { EventType } from '../game-event.ts';
import type { EventExpression } from './event-expression.ts';
import type { Interval } from '../time/interval.ts';
import type { PeriodUnit } from '../time/period.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';

/**
 * The definition of a mission, as far as the rules need it. The type decides how events add up:
 *
 * - `MISSION` accumulates to its target once, or in rounds with `repeat`. Progress never exceeds the target: after the last round the rest
 *   of an event is dropped.
 * - `CHALLENGE` accumulates like `MISSION` until it closes: at `endsAt`, or `durationDays` after the first event that counted.
 * - `STREAK` counts consecutive periods that each reach `perPeriodTarget`. Its target is a number of periods.
 * - `ROUTINE` starts again at zero in every period.
 */
export type MissionRule = {
  readonly id: string;
  /** Absent for a standalone mission. */
  readonly campaignId?: string | undefined;
  /** For standalone missions only; without it such a mission is for every account. A mission of a campaign has the campaign's audiences. */
  readonly audienceId?: string | undefined;
  readonly type: MissionType;
  readonly programmaticCode: string;
  /** Above zero. Occurrences, a sum of amounts, or (for a STREAK) whole periods; {@link ENDLESS} for a STREAK without an end. */
  readonly target: Amount;
  /** EVENTS: each event counts as one; without it the amounts of events add up. */
  readonly counts?: 'EVENTS' | undefined;
  /** MISSION and CHALLENGE: the mission starts again at each multiple of its target, at most `max` times. */
  readonly repeat?: MissionRepeat | undefined;
  readonly conditions?: MissionConditions | undefined;
  /** STREAK and ROUTINE: the unit of their periods; by default DAY. All types: the period of `maxPerPeriod`. */
  readonly period?: PeriodUnit | undefined;
  /** STREAK: the sum that keeps a period; by default one. */
  readonly perPeriodTarget?: Amount | undefined;
  /** STREAK: missed periods that one run survives; by default none. A new run begins with all of them. */
  readonly gracePeriods?: number | undefined;
  /** STREAK: the lengths of a run at which it pays rewards, shortest first. */
  readonly milestones?: readonly Milestone[] | undefined;
  /** STREAK: set if its target is {@link ENDLESS}. */
  readonly endless?: true | undefined;
  /** STREAK and ROUTINE: a reversal also reaches periods that are over; without it these stay as they are. */
  readonly onReversal?: 'STRICT' | undefined;
  /** ROUTINE: the completed periods that complete it as a whole; without it the routine never ends. */
  readonly occurrences?: number | undefined;
  /** Events count from this time; a standalone mission without it counts from its creation. */
  readonly startsAt?: Timestamp | undefined;
  /** Set for standalone missions only. */
  readonly createdAt?: Timestamp | undefined;
  /** Events before this time count; an event at this time is too late. */
  readonly endsAt?: Timestamp | undefined;
  /**
   * CHALLENGE: days of 24 hours, so that neither a zone nor daylight saving time moves the deadline. They begin at the time of the
   * event that counted first, and pauses of the campaign extend them.
   */
  readonly durationDays?: number | undefined;
  /** Order in a feed, ascending. */
  readonly position?: number | undefined;
  /** Rewards for completing the mission; for a ROUTINE, for completing a period. */
  readonly rewardIds: readonly string[];
};

/** Whether a mission adds up the amounts of its events, and so may have fractions. */
export function addsAmounts({ counts }: Pick<MissionRule, 'counts'>, eventType: EventType): boolean {
  return eventType === 'AMOUNT' && counts !== 'EVENTS';
}

/** A length of a run at which a STREAK pays rewards, once per account. */
export type Milestone = {
  readonly length: number;
  readonly rewardIds: readonly string[];
  /** Streak freezes that the account gets; undefined for none. */
  readonly freezes?: number | undefined;
};

/** The target of a STREAK without an end: above every target that a definition can have, and above the length of every run. */
export const ENDLESS: Amount = 1_000_000_001n * ONE;

/** The rounds of a mission that starts again; without `max` {@link ROUNDS_MAX}. */
export type MissionRepeat = { readonly max?: number | undefined };

/** The most rounds of a mission, as in the proto: every count of rounds is a 32-bit integer. */
export const ROUNDS_MAX = 1_000_000_000;

/** The type of a mission decides how its events add up: see {@link MissionRule}. */
export type MissionType = 'MISSION' | 'CHALLENGE' | 'STREAK' | 'ROUTINE';

/** The conditions of an event to count. The calendar and the clock are those of the account's time zone. */
export type MissionConditions = {
  /** The smallest amount of one event; the bound itself counts. */
  readonly minAmount?: Amount | undefined;
  /** The largest amount of one event; the bound itself counts. An event above it is refused, not cut. */
  readonly maxAmount?: Amount | undefined;
  /** The most that counts within one period; an event that crosses it counts in part. */
  readonly maxPerPeriod?: Amount | undefined;
  /** ISO days, Monday 1 to Sunday 7; an empty list means every day. */
  readonly daysOfWeek?: readonly number[] | undefined;
  /** `HH:MM` from which events count; by default midnight. */
  readonly timeFrom?: string | undefined;
  /** `HH:MM` at which events stop counting, by default midnight; if not after `timeFrom`, it is on the next day. */
  readonly timeTo?: string | undefined;
  /** Missions that the account must have completed before the event. */
  readonly prerequisiteMissionIds?: readonly string[] | undefined;
  /** Must hold for an event to count. */
  readonly expression?: EventExpression | undefined;
  /** Minutes after an event that counted in which no other counts. */
  readonly cooldownMinutes?: number | undefined;
};

/** A campaign, as far as the rules need it: its missions count events that occurred while it was open. */
export type CampaignRule = {
  readonly id: string;
  readonly status: CampaignStatus;
  readonly audienceIds: readonly string[];
  /** The percentage of the accounts that the campaign holds back, 1 to 90; undefined for none. */
  readonly controlGroupPercent?: number | undefined;
  readonly claimPolicy: ClaimPolicy;
  /** The ids of the completion rewards. */
  readonly rewardIds: readonly string[];
  /** Events count from this time, even if the campaign is activated later; without it, from the first activation. */
  readonly startsAt?: Timestamp | undefined;
  readonly activatedAt?: Timestamp | undefined;
  readonly endsAt?: Timestamp | undefined;
  /** The time at which an operator ended the campaign; every ENDED campaign has it. */
  readonly endedAt?: Timestamp | undefined;
  /** The pauses: events that occurred or were accepted in one do not count, and pauses extend durations. */
  readonly pauses?: readonly Interval[] | undefined;
};

/** Current events count for ACTIVE campaigns only; earlier events also count after the campaign stops. */
export type CampaignStatus = 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ENDED';

/** Whether completing the last mission closes a campaign, or lets the account claim it. */
export type ClaimPolicy = 'AUTOMATIC' | 'EXPLICIT';

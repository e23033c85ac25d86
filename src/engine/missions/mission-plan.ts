import { ONE, type Amount } from '../../kernel/amount.ts';
import type { CampaignPlan } from '../campaign-plan.ts';
import type { MissionConditions, MissionRule, MissionType } from './mission-rule.ts';
import type { OpeningHours } from './opening-hours.ts';
import type { PeriodUnit } from '../time/period.ts';
import { DAY, type Timestamp } from '../time/timestamp.ts';

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
  /** How long a CHALLENGE lasts from its first progress, in milliseconds; `Infinity` without `durationDays`. */
  readonly lasts: number;
};

const MINUTES_PER_DAY = 1440;
const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** The plan of one mission. `campaign` is the plan of the campaign that the rule names. */
export function compileMission(rule: MissionRule, campaign?: CampaignPlan): MissionPlan {
  const conditions = rule.conditions ?? {};
  return {
    missionId: rule.id,
    campaign,
    type: rule.type,
    programmaticCode: rule.programmaticCode,
    position: rule.position ?? 0,
    rewardIds: rule.rewardIds,
    audienceIds: campaign?.audienceIds ?? (rule.audienceId === undefined ? undefined : [rule.audienceId]),
    opensAt: Math.max(rule.startsAt ?? -Infinity, campaign?.opensAt ?? -Infinity),
    closesAt: Math.min(rule.endsAt ?? Infinity, campaign?.closesAt ?? Infinity),
    target: rule.target,
    minAmount: conditions.minAmount,
    maxAmount: conditions.maxAmount,
    maxPerPeriod: conditions.maxPerPeriod,
    hours: openingHours(conditions),
    prerequisites: conditions.prerequisiteMissionIds ?? [],
    unit: rule.period ?? 'DAY',
    perPeriodTarget: rule.perPeriodTarget ?? ONE,
    gracePeriods: rule.gracePeriods ?? 0,
    occurrences: rule.occurrences,
    lasts: rule.type === 'CHALLENGE' && rule.durationDays !== undefined ? rule.durationDays * DAY : Infinity,
  };
}

function openingHours({ daysOfWeek = [], timeFrom, timeTo }: MissionConditions): OpeningHours | undefined {
  if (daysOfWeek.length === 0 && timeFrom === undefined && timeTo === undefined) return undefined;
  const days = [false, ...WEEK.map((day) => daysOfWeek.length === 0 || daysOfWeek.includes(day))];
  // Midnight as the end is the end of the same day, so that 18:00 to 00:00 crosses nothing.
  return { days, from: minutes(timeFrom) ?? 0, to: minutes(timeTo) || MINUTES_PER_DAY };
}

function minutes(time: string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const [hour, minute] = time.split(':').map(Number);
  return (hour ?? 0) * 60 + (minute ?? 0);
}

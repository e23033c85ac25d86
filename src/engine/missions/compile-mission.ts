import { ONE } from '../../kernel/amount.ts';
import { type CampaignPlan, countsSince } from '../campaign-plan.ts';
import type { MissionPlan } from './mission-plan.ts';
import type { MissionConditions, MissionRule } from './mission-rule.ts';
import { missionTypes } from './mission-types.ts';
import type { OpeningHours } from './opening-hours.ts';
import { DAY } from '../time/timestamp.ts';

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
    countsFrom: campaign?.countsFrom ?? countsSince(rule.startsAt, rule.createdAt),
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
    lasts:
      missionTypes[rule.type].fields.durationDays && rule.durationDays !== undefined
        ? rule.durationDays * DAY
        : Infinity,
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

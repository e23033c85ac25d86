import { ONE } from '../../kernel/amount.ts';
import { type CampaignPlan, countsSince } from '../campaign-plan.ts';
import { compileConditions } from './conditions/conditions.ts';
import type { MissionPlan } from './mission-plan.ts';
import { type MissionRule, ROUNDS_MAX } from './mission-rule.ts';
import { missionTypes } from './mission-types.ts';
import { DAY } from '../../kernel/time/timestamp.ts';

/** The plan of one mission. `campaign` is the plan of the campaign that the rule names. */
export function compileMission(rule: MissionRule, campaign?: CampaignPlan): MissionPlan {
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
    countsEvents: rule.counts === 'EVENTS',
    roundsMax: rule.repeat === undefined ? 1 : (rule.repeat.max ?? ROUNDS_MAX),
    ...compileConditions(rule.conditions),
    periodUnit: rule.period ?? 'DAY',
    perPeriodTarget: rule.perPeriodTarget ?? ONE,
    gracePeriods: rule.gracePeriods ?? 0,
    milestones: rule.milestones ?? [],
    isStrict: rule.onReversal === 'STRICT',
    occurrences: rule.occurrences,
    durationMs:
      missionTypes[rule.type].fields.durationDays && rule.durationDays !== undefined
        ? rule.durationDays * DAY
        : Infinity,
  };
}

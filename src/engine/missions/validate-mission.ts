import { ONE } from '../../kernel/amount.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { DefinitionCheck } from './conditions/condition.ts';
import { conditionChecks } from './conditions/conditions.ts';
import { addsAmounts, type MissionRule } from './mission-rule.ts';
import type { EventType } from '../game-event.ts';
import { missionTypes, namesOfTypes, TYPED_FIELDS } from './mission-types.ts';

/**
 * Refuses a mission whose fields contradict each other. Single fields were checked when the request was read.
 * @param eventType type of the event definition that the mission counts
 * @throws DomainError `BAD_REQUEST`
 */
export function validateMission(rule: MissionRule, eventType: EventType): void {
  for (const check of checks) {
    const problem = check(rule, eventType);
    if (problem !== false) throw badRequest(problem);
  }
}

const checks: readonly DefinitionCheck[] = [
  ({ target }) => target <= 0n && sentence`target must be above 0.`,
  (rule, eventType) =>
    (missionTypes[rule.type].isTargetInPeriods || !addsAmounts(rule, eventType)) &&
    rule.target % ONE !== 0n &&
    sentence`target must be a whole number: only missions of AMOUNT events other than ${namesOfTypes(({ isTargetInPeriods }) => isTargetInPeriods)} count in fractions, without counts.`,
  (rule, eventType) =>
    rule.perPeriodTarget !== undefined &&
    (rule.perPeriodTarget <= 0n || (!addsAmounts(rule, eventType) && rule.perPeriodTarget % ONE !== 0n)) &&
    sentence`perPeriodTarget must be above 0, and a whole number unless the mission adds up amounts.`,
  ({ counts }, eventType) =>
    counts !== undefined &&
    eventType === 'SINGLE' &&
    sentence`counts is for AMOUNT events: leave it out, because a SINGLE event always counts as one.`,
  (rule) => {
    const { fields } = missionTypes[rule.type];
    const field = TYPED_FIELDS.find((name) => !fields[name] && rule[name] !== undefined && rule[name] !== 0);
    return (
      field !== undefined &&
      sentence`${field} is for missions of type ${namesOfTypes((rules) => rules.fields[field])}: leave it out.`
    );
  },
  ({ type, endsAt, durationDays }) =>
    missionTypes[type].needsWindow &&
    endsAt === undefined &&
    durationDays === undefined &&
    sentence`A ${type} needs a window: send endsAt or durationDays, or make it a MISSION.`,
  ({ startsAt, endsAt }) =>
    startsAt !== undefined && endsAt !== undefined && startsAt >= endsAt && sentence`startsAt must be before endsAt.`,
  ({ campaignId, audienceId }) =>
    campaignId !== undefined &&
    audienceId !== undefined &&
    sentence`audienceId is for standalone missions: leave it out in a campaign.`,
  ({ endless, campaignId }) =>
    endless !== undefined &&
    campaignId !== undefined &&
    sentence`endless is for standalone missions: leave it out in a campaign, which could never close.`,
  ({ endless, rewardIds }) =>
    endless !== undefined &&
    rewardIds.length > 0 &&
    sentence`An endless mission is never completed: send its rewards in milestones, and leave rewardIds empty.`,
  ({ milestones, campaignId }) =>
    milestones !== undefined &&
    campaignId !== undefined &&
    sentence`milestones are for standalone missions: leave them out in a campaign.`,
  ({ milestones = [] }) =>
    milestones.some(({ length }, index) => length <= (milestones[index - 1]?.length ?? 0)) &&
    sentence`The lengths of milestones must rise.`,
  ({ milestones = [] }) =>
    milestones.some(({ rewardIds, freezes }) => rewardIds.length === 0 && freezes === undefined) &&
    sentence`A milestone gives something: send its rewardIds or freezes.`,
  ({ milestones = [], target }) =>
    BigInt(milestones.at(-1)?.length ?? 0) * ONE > target &&
    sentence`The lengths of milestones must be at most target, which ends the streak.`,
  ({ type, campaignId, occurrences }) =>
    missionTypes[type].needsOccurrences &&
    campaignId !== undefined &&
    occurrences === undefined &&
    sentence`A ${type} in a campaign needs occurrences: without them the campaign could never close.`,
  ...conditionChecks,
];

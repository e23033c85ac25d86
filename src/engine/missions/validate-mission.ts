import { ONE } from '../../kernel/amount.ts';
import { badRequest } from '../../kernel/domain-error.ts';
import { told, type Told } from '../../kernel/told.ts';
import type { MissionRule } from './mission-rule.ts';
import { missionTypes, type MissionTypeRules, missionTypesWhere, TYPED_FIELDS } from './mission-types.ts';

/** Whether events of a code carry an amount. */
export type EventType = 'SINGLE' | 'AMOUNT';

/** What makes a definition unplayable, and the words that say what to send instead. */
type Check = (rule: MissionRule, eventType: EventType) => Told | false;

/**
 * Refuses a mission that no event could play as it is meant. What a single field may hold is checked before, where
 * requests are read; this is about fields that do not go together.
 * @param eventType type of the event definition that the mission counts
 * @throws DomainError `BAD_REQUEST`
 */
export function validateMission(rule: MissionRule, eventType: EventType): void {
  for (const check of checks) {
    const problem = check(rule, eventType);
    if (problem !== false) throw badRequest(problem);
  }
}

const checks: readonly Check[] = [
  ({ target }) => target <= 0n && told`target must be above 0.`,
  (rule, eventType) =>
    (missionTypes[rule.type].isTargetInPeriods || eventType === 'SINGLE') &&
    rule.target % ONE !== 0n &&
    told`target must be a whole number: only missions of AMOUNT events other than ${namesWhere(({ isTargetInPeriods }) => isTargetInPeriods)} count in fractions.`,
  ({ perPeriodTarget }, eventType) =>
    perPeriodTarget !== undefined &&
    (perPeriodTarget <= 0n || (eventType === 'SINGLE' && perPeriodTarget % ONE !== 0n)) &&
    told`perPeriodTarget must be above 0, and a whole number for SINGLE events.`,
  (rule) => {
    const { fields } = missionTypes[rule.type];
    const field = TYPED_FIELDS.find((name) => !fields[name] && rule[name] !== undefined && rule[name] !== 0);
    return (
      field !== undefined &&
      told`${field} is for missions of type ${namesWhere((rules) => rules.fields[field])}: leave it out.`
    );
  },
  ({ type, endsAt, durationDays }) =>
    missionTypes[type].needsWindow &&
    endsAt === undefined &&
    durationDays === undefined &&
    told`A ${type} needs a window: send endsAt or durationDays, or make it a MISSION.`,
  ({ startsAt, endsAt }) =>
    startsAt !== undefined && endsAt !== undefined && startsAt >= endsAt && told`startsAt must be before endsAt.`,
  ({ campaignId, audienceId }) =>
    campaignId !== undefined &&
    audienceId !== undefined &&
    told`audienceId is for standalone items: leave it out in a campaign.`,
  ({ type, campaignId, occurrences }) =>
    missionTypes[type].needsOccurrences &&
    campaignId !== undefined &&
    occurrences === undefined &&
    told`A ${type} in a campaign needs occurrences: without them the campaign could never close.`,
  ({ conditions }, eventType) =>
    eventType === 'SINGLE' &&
    (conditions?.minAmount !== undefined || conditions?.maxAmount !== undefined) &&
    told`minAmount and maxAmount are for AMOUNT events: leave them out.`,
  ({ conditions: { minAmount, maxAmount } = {} }) =>
    minAmount !== undefined &&
    maxAmount !== undefined &&
    minAmount > maxAmount &&
    told`minAmount must not be above maxAmount.`,
  ({ conditions }, eventType) =>
    conditions?.maxPerPeriod !== undefined &&
    (conditions.maxPerPeriod <= 0n || (eventType === 'SINGLE' && conditions.maxPerPeriod % ONE !== 0n)) &&
    told`maxPerPeriod must be above 0, and a whole number for SINGLE events.`,
  (rule) =>
    isCappedOutOfReach(rule) &&
    told`maxPerPeriod is below what one period must reach, so no period could: raise it, or lower the target.`,
  ({ id, conditions }) =>
    conditions?.prerequisiteMissionIds?.includes(id) === true &&
    told`A mission cannot require itself: remove it from prerequisiteMissionIds.`,
  (rule) =>
    hasPeriodsOfDays(rule) &&
    (rule.conditions?.daysOfWeek?.length ?? 0) > 0 &&
    crossesMidnight(rule) &&
    told`A daily ${namesWhere(({ isSeries }) => isSeries)} cannot have both daysOfWeek and hours that cross midnight: such a night would be two days.`,
];

function namesWhere(meets: (rules: MissionTypeRules) => boolean): Told {
  const [first, ...rest] = missionTypesWhere(meets);
  return rest.reduce((all, next) => told`${all} or ${next}`, told`${first!}`);
}

function isCappedOutOfReach(rule: MissionRule): boolean {
  const cap = rule.conditions?.maxPerPeriod;
  const goal = missionTypes[rule.type].periodGoal(rule);
  return cap !== undefined && goal !== undefined && cap < goal;
}

function hasPeriodsOfDays({ type, period = 'DAY' }: MissionRule): boolean {
  return missionTypes[type].isSeries && period === 'DAY';
}

function crossesMidnight({ conditions: { timeFrom = '00:00', timeTo = '00:00' } = {} }: MissionRule): boolean {
  return timeTo !== '00:00' && timeTo <= timeFrom;
}

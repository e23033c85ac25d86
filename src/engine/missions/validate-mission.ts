import { ONE } from '../../kernel/amount.ts';
import { badRequest } from '../../kernel/domain-error.ts';
import type { MissionRule, MissionType } from './mission-rule.ts';

/** Whether events of a code carry an amount. */
export type EventType = 'SINGLE' | 'AMOUNT';

/** What makes a definition unplayable, and the words that say what to send instead. */
type Check = (rule: MissionRule, eventType: EventType) => string | false;

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
  ({ target }) => target <= 0n && 'target must be above 0.',
  (rule, eventType) =>
    (rule.type === 'STREAK' || eventType === 'SINGLE') &&
    rule.target % ONE !== 0n &&
    'target must be a whole number: only missions of AMOUNT events other than STREAK count in fractions.',
  ({ perPeriodTarget }, eventType) =>
    perPeriodTarget !== undefined &&
    (perPeriodTarget <= 0n || (eventType === 'SINGLE' && perPeriodTarget % ONE !== 0n)) &&
    'perPeriodTarget must be above 0, and a whole number for SINGLE events.',
  only('STREAK', 'perPeriodTarget', 'gracePeriods'),
  only('ROUTINE', 'occurrences'),
  only('CHALLENGE', 'durationDays'),
  ({ type, endsAt, durationDays }) =>
    type === 'CHALLENGE' &&
    endsAt === undefined &&
    durationDays === undefined &&
    'A CHALLENGE needs a window: send endsAt or durationDays, or make it a MISSION.',
  ({ startsAt, endsAt }) =>
    startsAt !== undefined && endsAt !== undefined && startsAt >= endsAt && 'startsAt must be before endsAt.',
  ({ campaignId, audienceId }) =>
    campaignId !== undefined &&
    audienceId !== undefined &&
    'audienceId is for standalone items: leave it out in a campaign.',
  ({ type, campaignId, occurrences }) =>
    type === 'ROUTINE' &&
    campaignId !== undefined &&
    occurrences === undefined &&
    'A ROUTINE in a campaign needs occurrences: without them the campaign could never close.',
  ({ conditions }, eventType) =>
    eventType === 'SINGLE' &&
    (conditions?.minAmount !== undefined || conditions?.maxAmount !== undefined) &&
    'minAmount and maxAmount are for AMOUNT events: leave them out.',
  ({ conditions: { minAmount, maxAmount } = {} }) =>
    minAmount !== undefined &&
    maxAmount !== undefined &&
    minAmount > maxAmount &&
    'minAmount must not be above maxAmount.',
  ({ conditions }, eventType) =>
    conditions?.maxPerPeriod !== undefined &&
    (conditions.maxPerPeriod <= 0n || (eventType === 'SINGLE' && conditions.maxPerPeriod % ONE !== 0n)) &&
    'maxPerPeriod must be above 0, and a whole number for SINGLE events.',
  (rule) =>
    isCappedOutOfReach(rule) &&
    'maxPerPeriod is below what one period must reach, so no period could: raise it, or lower the target.',
  ({ id, conditions }) =>
    conditions?.prerequisiteMissionIds?.includes(id) === true &&
    'A mission cannot require itself: remove it from prerequisiteMissionIds.',
  (rule) =>
    hasPeriodsOfDays(rule) &&
    (rule.conditions?.daysOfWeek?.length ?? 0) > 0 &&
    crossesMidnight(rule) &&
    'A daily STREAK or ROUTINE cannot have both daysOfWeek and hours that cross midnight: such a night would be two days.',
];

function only(type: MissionType, ...fields: readonly (keyof MissionRule)[]): Check {
  return (rule) => {
    const field = fields.find((name) => rule[name] !== undefined && rule[name] !== 0);
    return field !== undefined && rule.type !== type && `${field} is for missions of type ${type}: leave it out.`;
  };
}

/** One period of a ROUTINE has to reach the target, one of a STREAK its `perPeriodTarget`. */
function isCappedOutOfReach({ type, target, perPeriodTarget = ONE, conditions }: MissionRule): boolean {
  const cap = conditions?.maxPerPeriod;
  if (cap === undefined) return false;
  if (type === 'STREAK') return cap < perPeriodTarget;
  return type === 'ROUTINE' && cap < target;
}

function hasPeriodsOfDays({ type, period = 'DAY' }: MissionRule): boolean {
  return (type === 'STREAK' || type === 'ROUTINE') && period === 'DAY';
}

function crossesMidnight({ conditions: { timeFrom = '00:00', timeTo = '00:00' } = {} }: MissionRule): boolean {
  return timeTo !== '00:00' && timeTo <= timeFrom;
}

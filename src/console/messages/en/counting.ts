import type { MissionConditions } from '../../../../gen/laurel/v1/mission_pb.ts';
import { uncountedReasons } from '../../../../gen/uncounted-reasons.ts';

type Reason = keyof typeof uncountedReasons;

type Condition = Exclude<keyof MissionConditions, `$${string}`>;

/** Texts of the reasons for which an event does not count. */
export const uncounted = {
  titles: {
    NO_MISSION: 'No mission counts it',
    CAMPAIGN_NOT_ACTIVE: 'Campaign not active',
    CAMPAIGN_PAUSED: 'Campaign paused',
    NOT_IN_AUDIENCE: 'Not in the audience',
    BEFORE_JOINING: 'Before joining the audience',
    CONTROL_GROUP: 'In the control group',
    BEFORE_ACTIVATION: 'Before the activation',
    NOT_STARTED: 'Not started yet',
    EXPIRED: 'Expired',
    ALREADY_COMPLETED: 'Already completed',
    PREREQUISITE_MISSING: 'Prerequisite missing',
    BEFORE_PREREQUISITE: 'Before the prerequisite',
    NOT_POSITIVE: 'Amount not above zero',
    BELOW_MINIMUM: 'Below the minimum',
    ABOVE_MAXIMUM: 'Above the maximum',
    OUTSIDE_HOURS: 'Outside the days or hours',
    ATTRIBUTE_MISSING: 'Attribute missing',
    CONDITION_NOT_MET: 'Condition not met',
    COOLDOWN: 'Too soon after the last',
    CAP_REACHED: 'Cap reached',
    PERIOD_KEPT: 'Period already kept',
    TOO_LATE: 'Too late',
  } satisfies Readonly<Record<Reason, string>>,
  hints: uncountedReasons,
  sentences: {
    NO_MISSION: 'Counted nothing: no mission counts this event.',
    CAMPAIGN_NOT_ACTIVE: 'Counted nothing: {campaign} was not active.',
    CAMPAIGN_PAUSED: 'Counted nothing: {campaign} was paused.',
    NOT_IN_AUDIENCE: 'Counted nothing: the account was in no audience of {campaign}.',
    BEFORE_JOINING: 'Counted nothing: it happened before the account joined the audience of {campaign}.',
    CONTROL_GROUP: 'Counted nothing: the account is in the control group of {campaign}.',
    BEFORE_ACTIVATION: 'Counted nothing: it happened before {mission} began to count.',
    NOT_STARTED: 'Counted nothing: {mission} had not started yet.',
    EXPIRED: 'Counted nothing: {mission} had ended for the account.',
    ALREADY_COMPLETED: 'Counted nothing: {mission} was completed already.',
    PREREQUISITE_MISSING: 'Counted nothing: {mission} asks for another mission first.',
    BEFORE_PREREQUISITE: 'Counted nothing: it happened before the mission was completed that {mission} needs first.',
    NOT_POSITIVE: 'Counted nothing: the amount was zero or less.',
    BELOW_MINIMUM: 'Counted nothing: the amount was below the minimum of {mission}.',
    ABOVE_MAXIMUM: 'Counted nothing: the amount was above the maximum of {mission}.',
    OUTSIDE_HOURS: 'Counted nothing: {mission} does not count at that time of day or on that weekday.',
    ATTRIBUTE_MISSING: 'Counted nothing: the condition of {mission} asks for an attribute that was missing.',
    CONDITION_NOT_MET: 'Counted nothing: the condition of {mission} did not hold.',
    COOLDOWN: 'Counted nothing: it came too soon after the last event that {mission} counted, or before it.',
    CAP_REACHED: 'Counted nothing: {mission} had counted the most that it may in that period.',
    PERIOD_KEPT: 'Counted nothing: the streak {mission} was already kept for that period.',
    TOO_LATE: 'Counted nothing: it came too late, {mission} had settled that period.',
  } satisfies Readonly<Record<Reason, string>>,
} as const;

/**
 * Texts of the conditions of missions, by their names in the proto: the label of the field, a hint below it, and the sentence on the page of
 * a mission. The sentence of a number has its `value`, and the `period` of the mission.
 */
export const conditions = {
  labels: {
    minAmount: 'Smallest amount',
    maxAmount: 'Largest amount',
    maxPerPeriod: 'At most per period',
    daysOfWeek: 'Only on these days',
    timeFrom: 'From (time of day)',
    timeTo: 'Until (time of day)',
    prerequisiteMissionIds: 'Missions to complete before',
    expression: 'Only if',
    cooldownMinutes: 'Minutes between two events',
  } satisfies Readonly<Record<Condition, string>>,
  hints: {
    prerequisiteMissionIds: 'Events count once the account has completed these.',
    expression: 'An expression over the attributes of the event and the account. An event counts if it holds.',
    cooldownMinutes: 'After an event that counted, no other counts for so long.',
  },
  sentences: {
    minAmount: 'Amounts below {value, number, amount} do not count.',
    maxAmount: 'Amounts above {value, number, amount} do not count.',
    maxPerPeriod: 'At most {value, number, amount} counts in each {period}.',
    daysOfWeek: 'Counts on {days} only.',
    hours: 'Counts from {from} to {to} only.',
    prerequisiteMissionIds: '{count, plural, one {Another mission} other {# other missions}} must be completed before.',
    expression: 'Counts only if {expression}.',
    cooldownMinutes: 'Counts at most once in {value, plural, one {a minute} other {# minutes}}.',
  } satisfies Readonly<Record<Exclude<Condition, 'timeFrom' | 'timeTo'> | 'hours', string>>,
} as const;

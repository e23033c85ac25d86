import { MINUTE, type Timestamp } from '../../../kernel/time/timestamp.ts';
import type { AccountContext } from '../../account-context.ts';
import type { PeriodNumber } from '../../time/period.ts';
import { periodAt, periodEnd } from '../../time/calendar.ts';
import type { MissionPlan } from '../mission-plan.ts';
import { isRequired } from './streak-run.ts';
import { viewMission } from '../view-mission.ts';

const HOUR = 60 * MINUTE;

/** Which runs are announced, and when. */
export type RiskRules = { readonly hours: number; readonly length: number };

/** The present period of a run, and when it is looked at. */
export type RunAtRisk = {
  readonly period: PeriodNumber;
  readonly periodEndsAt: Timestamp;
  /** Whether the period must be kept by an event that has not come. */
  readonly isAtRisk: boolean;
  /** The time from which the run is announced in this period. */
  readonly announcedFrom: Timestamp;
  /** The same for the next period, at the earliest when it begins: until then nothing can be announced. */
  readonly nextFrom: Timestamp;
  readonly current: number;
  readonly longest: number;
  readonly gracePeriodsLeft: number;
  readonly keepUntil: Timestamp;
};

/** The run of an account in a STREAK; undefined for one that is too short, over, or not offered to the account. */
export function runAtRisk(
  plan: MissionPlan,
  account: AccountContext,
  { hours, length }: RiskRules,
  now: Timestamp,
): RunAtRisk | undefined {
  const view = viewMission(plan, account, now);
  if (view?.status !== 'ACTIVE' || view.streak === undefined || view.today?.keepUntil === undefined) return undefined;
  const { current, longest, freezesLeft: gracePeriodsLeft } = view.streak;
  if (current < length) return undefined;
  const { calendar } = account;
  const period = periodAt(plan.periodUnit, calendar, now);
  const { endsAt: periodEndsAt, isKept, keepUntil } = view.today;
  const ends = periodEnd(plan.periodUnit, period + 1, calendar);
  return {
    ...{ period, periodEndsAt, current, longest, gracePeriodsLeft, keepUntil },
    isAtRisk: !isKept && isRequired(plan, account, period, now),
    announcedFrom: periodEndsAt - hours * HOUR,
    nextFrom: Math.max(ends - hours * HOUR, periodEndsAt),
  };
}

/** The time at which a run is reviewed next, after an event or a review. @param warnedPeriod the latest period that was announced */
export function nextReviewAt(
  { isAtRisk, announcedFrom, nextFrom, period }: RunAtRisk,
  warnedPeriod: PeriodNumber | undefined,
): Timestamp {
  return isAtRisk && (warnedPeriod ?? -Infinity) < period ? announcedFrom : nextFrom;
}

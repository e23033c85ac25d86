import type { Amount } from '../../../kernel/amount.ts';
import type { Timestamp } from '../../../kernel/time/timestamp.ts';
import type { PeriodsOfAccount } from '../../account-context.ts';
import type { AssignmentState, Run } from '../../assignment.ts';
import { periodAt, periodEnd } from '../../time/calendar.ts';
import { sumOf } from '../../time/period-sums.ts';
import type { MissionPlan } from '../mission-plan.ts';
import { lastChance, rulesOf } from './streak-run.ts';

/** The present period of a STREAK, and the end of the run. */
export type StreakToday = {
  /** The sum of the period until now, at most `target`. */
  readonly progress: Amount;
  /** The sum that keeps the period. */
  readonly target: Amount;
  readonly isKept: boolean;
  /** The first instant after the period. */
  readonly endsAt: Timestamp;
  /** The time at which the run is lost if no period is kept before; undefined without a run. */
  readonly keepUntil: Timestamp | undefined;
};

/** The present period of a streak that has not been completed. @param run the streak at the same instant */
export function todayAt(
  plan: MissionPlan,
  state: Pick<AssignmentState, 'detail'>,
  run: Run,
  account: PeriodsOfAccount,
  now: Timestamp,
): StreakToday {
  const { calendar } = account;
  const { periodUnit, perPeriodTarget: target } = plan;
  const present = periodAt(periodUnit, calendar, now);
  const sum = BigInt(sumOf(state.detail?.streak?.open ?? [], present));
  const rules = rulesOf(plan, account, now);
  return {
    progress: sum < target ? sum : target,
    target,
    isKept: sum >= target,
    endsAt: periodEnd(periodUnit, present, calendar),
    keepUntil: run.current === 0 ? undefined : periodEnd(periodUnit, lastChance(rules, run, present), calendar),
  };
}

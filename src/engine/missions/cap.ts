import type { Amount } from '../../kernel/amount.ts';
import type { PeriodSums } from '../assignment.ts';
import type { IgnoreReason } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { MissionPlan } from './mission-plan.ts';
import { sumOf, withSum } from '../time/period-sums.ts';
import { type Calendar, oldestOpenPeriod, periodAt } from '../time/calendar.ts';
import type { Timestamp } from '../time/timestamp.ts';

/** The part of an event that counts, and the new sums of the periods. */
export type Admitted = { readonly amount: Amount; readonly counted?: PeriodSums | undefined };

/**
 * The part of an event that `maxPerPeriod` allows: the whole amount without a cap, otherwise the rest of its period.
 * The order of arrival does not matter: each period ends with the smaller of its sum and the cap.
 */
export function admit(
  plan: MissionPlan,
  calendar: Calendar,
  event: GameEvent,
  counted: PeriodSums | undefined,
  now: Timestamp,
): Admitted | IgnoreReason {
  if (plan.maxPerPeriod === undefined) return { amount: event.amount };
  const period = periodAt(plan.unit, calendar, event.occurredAt);
  const oldest = oldestOpenPeriod(plan.unit, calendar, now);
  // The sum of this period may have been dropped, so the rest is unknown.
  if (period < oldest) return 'TOO_LATE';

  const open = (counted ?? []).filter(([other]) => other >= oldest);
  const before = BigInt(sumOf(open, period));
  const room = plan.maxPerPeriod - before;
  if (room <= 0n) return 'CAP_REACHED';
  const amount = event.amount < room ? event.amount : room;
  return { amount, counted: withSum(open, period, Number(before + amount)) };
}

import { ONE } from '../../kernel/amount.ts';
import type { AssignmentDetail } from '../assignment.ts';
import type { UncountedReason } from '../decision.ts';
import { type GameEvent, judgedAt } from '../game-event.ts';
import type { CountedPart, LimitRule, MissionPlan } from './mission-plan.ts';
import type { MissionConditions } from './mission-rule.ts';
import { sumOf, withSum } from '../time/period-sums.ts';
import { type Calendar, oldestOpenPeriod, periodAt } from '../time/calendar.ts';
import { MINUTE, type Timestamp } from '../../kernel/time/timestamp.ts';

/**
 * The part of an event that counts within the limits of a mission, and their state after it. Without limits the whole event
 * counts.
 * @param before the state of the assignment before the event
 */
export function countedPart(
  plan: MissionPlan,
  calendar: Calendar,
  event: GameEvent,
  before: AssignmentDetail | undefined,
  now: Timestamp,
): CountedPart | UncountedReason {
  let part: CountedPart = { amount: plan.countsEvents ? ONE : event.amount, detail: undefined };
  for (const limit of plan.limits) {
    const next = limit(part.amount, { plan, calendar, event, before, now });
    if (typeof next === 'string') return next;
    part = { amount: next.amount, detail: { ...part.detail, ...next.detail }, period: next.period ?? part.period };
  }
  return part;
}

/**
 * `maxPerPeriod`: an event counts up to the rest of its period. The order of arrival does not matter: each period ends with the smaller of
 * its sum and the cap.
 */
export function capPerPeriod({ maxPerPeriod }: MissionConditions): LimitRule {
  return (amount, { plan, calendar, event, before, now }) => {
    const period = periodAt(plan.periodUnit, calendar, event.occurredAt);
    const oldest = oldestOpenPeriod(plan.periodUnit, calendar, judgedAt(event, now));
    // The sum of this period may have been dropped, so the rest is unknown.
    if (period < oldest || period <= (before?.dropped ?? -Infinity)) return 'TOO_LATE';

    const sums = before?.counted ?? [];
    const open = sums.filter(([other]) => other >= oldest);
    const dropped = sums.findLast(([other]) => other < oldest)?.[0] ?? before?.dropped;
    const sum = BigInt(sumOf(open, period));
    const room = maxPerPeriod! - sum;
    if (room <= 0n) return 'CAP_REACHED';
    const part = amount < room ? amount : room;
    const counted = withSum(open, period, Number(sum + part));
    return { amount: part, detail: { counted, ...(dropped !== undefined && { dropped }) }, period };
  };
}

/**
 * `cooldownMinutes`: an event counts if it occurred that long after the latest that counted. One stored time is exact for late events too,
 * because an event from before the latest one never counts.
 */
export function cooldown({ cooldownMinutes }: MissionConditions): LimitRule {
  const cooldownMs = cooldownMinutes! * MINUTE;
  return (amount, { event: { occurredAt }, before }) => {
    if (occurredAt < (before?.countedAt ?? -Infinity) + cooldownMs) return 'COOLDOWN';
    return { amount, detail: { countedAt: occurredAt } };
  };
}

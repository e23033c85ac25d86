import { type Amount, AMOUNT_MAX, ONE } from '../../../kernel/amount.ts';
import { MINUTE } from '../../../kernel/time/timestamp.ts';
import type { EventType } from '../../game-event.ts';
import type { Interval } from '../../time/interval.ts';
import type { MissionPlan } from '../mission-plan.ts';
import type { Condition } from './condition.ts';

/**
 * `cooldownMinutes`: an event counts if it occurred that long after the latest that counted. One stored time is exact for late events too,
 * because an event from before the latest one never counts.
 */
export const cooldown: Condition<'cooldownMinutes'> = {
  forms: { cooldownMinutes: 'number' },
  apply: ({ cooldownMinutes }) => {
    const cooldownMs = cooldownMinutes! * MINUTE;
    return {
      by: 'state',
      limit: (amount, { event: { occurredAt }, before }) => {
        if (occurredAt < (before?.countedAt ?? -Infinity) + cooldownMs) return 'COOLDOWN';
        return { amount, detail: { countedAt: occurredAt } };
      },
    };
  },
  state: {
    merges: { countedAt: (one, other) => Math.max(one, other) },
    reversed: 'kept',
  },
  lock: 'none',
  reach: 'none',
  bound: mostBetweenCooldowns,
  checks: [],
};

/** The most that any account can count under a cooldown; undefined without an end. */
function mostBetweenCooldowns(
  { conditions: { cooldownMinutes, maxAmount }, countsEvents }: MissionPlan,
  eventType: EventType,
  { from, until }: Interval,
): Amount | undefined {
  if (until === Infinity) return undefined;
  const events = Math.floor(Math.max(0, until - 1 - from) / (cooldownMinutes! * MINUTE)) + 1;
  const each = countsEvents || eventType === 'SINGLE' ? ONE : (maxAmount ?? BigInt(AMOUNT_MAX) * ONE);
  return BigInt(events) * each;
}

import { aggregations } from '../../engine/statistics/statistic-value.ts';
import type { Amount } from '../../kernel/amount.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import { type AccountEffects, keyOf } from '../../statistics/values/account-statistics.queries.ts';

/**
 * The times at which values were reached, by the key of the value: of those that are added the last effect that is not 0, of MAX the first
 * one with the highest amount. Thus several events of one batch give the time that single events would give.
 */
export function reachedTimes(moved: readonly AccountEffects[]): Map<string, Timestamp> {
  const reached = new Map<string, { readonly amount: Amount; readonly at: Timestamp }>();
  for (const { accountId, effects } of moved)
    for (const { statisticId, period, aggregation, amount, occurredAt: at } of effects) {
      const key = keyOf({ accountId, statisticId, period });
      const before = reached.get(key);
      const isReached = aggregations[aggregation].isAdded
        ? amount !== 0n
        : aggregation === 'LAST' || before === undefined || amount > before.amount;
      if (isReached) reached.set(key, { amount, at });
    }
  return new Map([...reached].map(([key, { at }]) => [key, at]));
}

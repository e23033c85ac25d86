import type { Amount } from '../../kernel/amount.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { PeriodNumber } from '../time/period.ts';
import type { PeriodSpan, StatisticPeriod } from './statistic-period.ts';
import {
  type Aggregation,
  aggregations,
  type StatisticEffect,
  type StatisticSource,
  type StatisticValue,
  withEffect,
} from './statistic-value.ts';

/** A statistic whose values are read. */
export type ReadStatistic = {
  readonly id: string;
  readonly code: string;
  readonly source: StatisticSource;
  readonly aggregation: Aggregation;
  readonly period: StatisticPeriod;
  /** The period in which an instant lies, by the calendar of the client. */
  readonly periodAt: (instant: Timestamp) => PeriodSpan;
  /** The number of the day in which an instant lies, by the same calendar. */
  readonly dayAt: (instant: Timestamp) => PeriodNumber;
};

/** The statistics of an account that expressions read, as its next event sees them. */
export type StatisticValues = {
  /** The value in the period of an instant; undefined for MAX and LAST without an event. */
  readonly at: (statisticId: string, instant: Timestamp) => Amount | undefined;
  /** Adds the effects of an event that was applied. */
  readonly record: (effects: readonly StatisticEffect[]) => void;
  /** Whether effects were added. */
  readonly hasMoved: () => boolean;
  /** The same values, which later effects leave alone. */
  readonly copy: () => StatisticValues;
};

/** The values of an account whose statistics no expression reads. */
export const NO_VALUES: StatisticValues = {
  at: () => undefined,
  record: () => {},
  hasMoved: () => false,
  copy: () => NO_VALUES,
};

/** The value of a statistic in a period that was read; undefined without an event. */
export type PeriodValue = { readonly period: PeriodNumber; readonly value: StatisticValue | undefined };

/** The stored values of an account. An effect replaces them, so that a copy of an account shares them. */
export type StoredValues = {
  /** By the id of the statistic: few periods each, which are found faster by comparison than by a key. */
  readonly values: ReadonlyMap<string, readonly PeriodValue[]>;
  /** The days with an event, by {@link dayKey}, of those that were read. */
  readonly days: ReadonlySet<string>;
};

/** The key of a day of one account. */
export function dayKey(statisticId: string, period: PeriodNumber, day: PeriodNumber): string {
  return `${statisticId} ${period} ${day}`;
}

/** The values of an account. @param read the statistics by id */
export function statisticValuesOf(
  read: ReadonlyMap<string, ReadStatistic>,
  stored: StoredValues,
  moved = false,
): StatisticValues {
  let { values, days } = stored;
  let hasMoved = moved;
  return {
    at(statisticId, instant) {
      const statistic = read.get(statisticId);
      if (statistic === undefined) return undefined;
      const { period } = statistic.periodAt(instant);
      const stored = values.get(statisticId)?.find((each) => each.period === period);
      return stored?.value?.value ?? (aggregations[statistic.aggregation].isAdded ? 0n : undefined);
    },
    record(effects) {
      for (const effect of effects) {
        const { statisticId, period } = effect;
        const own = values.get(statisticId);
        const known = own?.find((each) => each.period === period);
        if (own === undefined || known === undefined) continue;
        if (effect.day !== undefined) {
          const day = dayKey(statisticId, period, effect.day);
          if (days.has(day)) continue;
          days = new Set(days).add(day);
        }
        const after = { period, value: withEffect(known.value, effect) };
        values = new Map(values).set(
          statisticId,
          own.map((each) => (each === known ? after : each)),
        );
        hasMoved = true;
      }
    },
    hasMoved: () => hasMoved,
    copy: () => statisticValuesOf(read, { values, days }, hasMoved),
  };
}

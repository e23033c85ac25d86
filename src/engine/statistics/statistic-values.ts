import type { Amount } from '../../kernel/amount.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { PeriodNumber } from '../time/period.ts';
import type { PeriodSpan, StatisticPeriod } from './statistic-period.ts';
import {
  type Aggregation,
  aggregations,
  type StatisticEffect,
  type StatisticValue,
  withEffect,
} from './statistic-value.ts';

/** A statistic whose values are read. */
export type ReadStatistic = {
  readonly id: string;
  readonly code: string;
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

/** The stored values of an account. */
export type StoredValues = {
  /** By {@link valueKey}: an entry for each period that was read, undefined for one without an event. */
  readonly values: Map<string, StatisticValue | undefined>;
  /** The days with an event, by {@link dayKey}, of those that were read. */
  readonly days: Set<string>;
};

/** The key of a value of one account. */
export function valueKey(statisticId: string, period: PeriodNumber): string {
  return `${statisticId} ${period}`;
}

/** The key of a day of one account. */
export function dayKey(statisticId: string, period: PeriodNumber, day: PeriodNumber): string {
  return `${statisticId} ${period} ${day}`;
}

/** The values of an account. @param read the statistics by id */
export function statisticValuesOf(
  read: ReadonlyMap<string, ReadStatistic>,
  { values, days }: StoredValues,
  moved = false,
): StatisticValues {
  let hasMoved = moved;
  return {
    at(statisticId, instant) {
      const statistic = read.get(statisticId);
      if (statistic === undefined) return undefined;
      const { value } = values.get(valueKey(statisticId, statistic.periodAt(instant).period)) ?? {};
      return value ?? (aggregations[statistic.aggregation].isAdded ? 0n : undefined);
    },
    record(effects) {
      for (const effect of effects) {
        const key = valueKey(effect.statisticId, effect.period);
        if (!values.has(key)) continue;
        if (effect.day !== undefined) {
          const day = dayKey(effect.statisticId, effect.period, effect.day);
          if (days.has(day)) continue;
          days.add(day);
        }
        values.set(key, withEffect(values.get(key), effect));
        hasMoved = true;
      }
    },
    hasMoved: () => hasMoved,
    copy: () => statisticValuesOf(read, { values: new Map(values), days: new Set(days) }, hasMoved),
  };
}

import type { Amount } from '../../kernel/amount.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { PeriodSpan } from '../statistics/statistic-period.ts';
import type { ReadStatistic } from '../statistics/statistic-values.ts';

/** The effects of a review on a level that the values of its account do not reach any more. */
export const DOWNGRADES = ['NEVER', 'ONE', 'BALANCE'] as const;

/** See {@link DOWNGRADES}: the level stays, falls by one, or falls to that of the values. */
export type Downgrade = (typeof DOWNGRADES)[number];

/** A level of a track. */
export type Level = {
  /** Unique in the track. An account is paid once for it. */
  readonly code: string;
  /** For people. */
  readonly name: string;
  readonly imageUrl: string | undefined;
  /** The least counted value of its accounts. */
  readonly threshold: Amount;
  readonly rewardIds: readonly string[];
};

/** The rules of a track. */
export type LevelTrack = {
  readonly id: string;
  readonly code: string;
  readonly statistic: ReadStatistic;
  /** At least one, with rising thresholds. The number of a level is its position, from 1. */
  readonly levels: readonly Level[];
  readonly downgrade: Downgrade;
  /** The days from the beginning of a level to its review. Undefined for NEVER, and for statistics with periods. */
  readonly holdDays: number | undefined;
  /** The days before a review at which a level counts as at risk. Undefined without a warning. */
  readonly atRiskDays: number | undefined;
};

/** The values of an account's statistic on which its level depends; undefined for MAX and LAST without an event. */
export type LevelValues = {
  /** In the current period. */
  readonly current: Amount | undefined;
  /** In the period before; undefined for a statistic of all time. */
  readonly previous: Amount | undefined;
  /** In the period that ended at an instant; the current value of a statistic of all time. */
  readonly endedAt: (instant: Timestamp) => Amount | undefined;
};

/** The larger of both values; undefined without any. */
export function largerValue({ current, previous }: Pick<LevelValues, 'current' | 'previous'>): Amount | undefined {
  return larger(current, previous);
}

/** The larger of two amounts, of which one or both may be missing. */
export function larger(one: Amount | undefined, other: Amount | undefined): Amount | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

/** The number of the level that a counted value reaches, from 1; 0 for none. */
export function levelNumber({ levels }: Pick<LevelTrack, 'levels'>, counted: Amount | undefined): number {
  if (counted === undefined) return 0;
  const next = levels.findIndex(({ threshold }) => threshold > counted);
  return next === -1 ? levels.length : next;
}

/** The threshold of a level by its number; undefined for none. */
export function thresholdOf({ levels }: Pick<LevelTrack, 'levels'>, number: number): Amount | undefined {
  return levels[number - 1]?.threshold;
}

/** The period of an account's values at an instant, and the one before it. */
export function periodsOfTrack(
  { statistic }: Pick<LevelTrack, 'statistic'>,
  now: Timestamp,
): { readonly current: PeriodSpan; readonly previous: PeriodSpan | undefined } {
  const current = statistic.periodAt(now);
  return { current, previous: statistic.period === 'ALL_TIME' ? undefined : statistic.periodAt(current.from - 1) };
}

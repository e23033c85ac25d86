import { type Amount, ONE } from '../../kernel/amount.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { PeriodNumber } from '../time/period.ts';

/** The ways in which the events of a period become one number. */
export const AGGREGATIONS = ['COUNT', 'SUM', 'MAX', 'LAST', 'DAYS'] as const;

/** The way in which the events of a period become one number. */
export type Aggregation = (typeof AGGREGATIONS)[number];

/** The sources that move statistics: events of a code, points that accounts earn, missions that they complete. */
export const STATISTIC_SOURCES = ['EVENTS', 'POINTS', 'MISSIONS'] as const;

/** See {@link STATISTIC_SOURCES}. */
export type StatisticSource = (typeof STATISTIC_SOURCES)[number];

/** Whether a source moves by the rewards of an event, which are delivered after the event is decided. */
export const followsRewards: Readonly<Record<StatisticSource, boolean>> = {
  EVENTS: false,
  POINTS: true,
  MISSIONS: false,
};

/** The aggregation of the sources that have one only. */
export const AGGREGATION_OF_SOURCE = { POINTS: 'SUM', MISSIONS: 'COUNT' } as const satisfies Partial<
  Record<StatisticSource, Aggregation>
>;

/** The part of events in a value: an amount that is added, or a candidate for the value. */
type Kind = {
  /** Whether an event brings its amount; otherwise it brings 1. */
  readonly needsAmounts: boolean;
  /** Whether parts are added up. The value of another one is that of one event, so without events there is none. */
  readonly isAdded: boolean;
};

/** The traits of aggregations. */
export const aggregations: Readonly<Record<Aggregation, Kind>> = {
  COUNT: { needsAmounts: false, isAdded: true },
  SUM: { needsAmounts: true, isAdded: true },
  MAX: { needsAmounts: true, isAdded: false },
  LAST: { needsAmounts: true, isAdded: false },
  DAYS: { needsAmounts: false, isAdded: true },
};

/** The effect of one event on one statistic. */
export type StatisticEffect = {
  readonly statisticId: string;
  readonly aggregation: Aggregation;
  readonly period: PeriodNumber;
  /** 1, or the amount of the event. */
  readonly amount: Amount;
  readonly occurredAt: Timestamp;
  /** The day of the event, for DAYS only. */
  readonly day?: PeriodNumber | undefined;
  /** The earned reward, or the entry, that brought the points, for the source POINTS only. */
  readonly earnedId?: string | undefined;
  /** The completed mission, for the source MISSIONS only. */
  readonly mission?: CompletedMission | undefined;
};

/** A mission, or a period of a ROUTINE, that an account has completed. */
export type CompletedMission = {
  readonly missionId: string;
  /** The period of a ROUTINE; empty for others. */
  readonly periodKey: string;
};

/** The amounts of an event that are left before and after a reversal. */
export type ReversedPart = { readonly before: Amount; readonly after: Amount };

/** The part of an effect that a reversal takes back. An effect of 1 goes when nothing is left of the event. */
export function takenBack(aggregation: Aggregation, { before, after }: ReversedPart): Amount {
  if (aggregations[aggregation].needsAmounts) return before - after;
  return after === 0n && before > 0n ? ONE : 0n;
}

/** A value, and for LAST the time of its event. */
export type StatisticValue = { readonly value: Amount; readonly lastAt?: Timestamp | undefined };

/** The value after an effect, in the order of application. */
export function withEffect(
  before: StatisticValue | undefined,
  { aggregation, amount, occurredAt }: Pick<StatisticEffect, 'aggregation' | 'amount' | 'occurredAt'>,
): StatisticValue {
  switch (aggregation) {
    case 'MAX':
      return { value: before === undefined || amount > before.value ? amount : before.value };
    case 'LAST':
      return before === undefined || occurredAt >= (before.lastAt ?? -Infinity)
        ? { value: amount, lastAt: occurredAt }
        : before;
    default:
      return { value: (before?.value ?? 0n) + amount };
  }
}

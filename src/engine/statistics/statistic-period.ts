import { DAY, type Timestamp } from '../../kernel/time/timestamp.ts';
import { localDay } from '../../kernel/time/time-zone.ts';
import type { Calendar } from '../time/calendar.ts';
import {
  type CalendarUnit,
  periodKey,
  periodOfDay,
  periodOfKey,
  type PeriodNumber,
  startOfPeriod,
} from '../time/period.ts';

/** The periods of statistics: all time is one period without bounds. */
export const STATISTIC_PERIODS = ['ALL_TIME', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const;

/** The unit of a statistic's periods. */
export type StatisticPeriod = (typeof STATISTIC_PERIODS)[number];

/** The number of the one period of all time. */
export const WHOLE: PeriodNumber = 0;

/** The number of a period with its bounds: `from` is included, `until` is not; both are infinite for all time. */
export type PeriodSpan = { readonly period: PeriodNumber; readonly from: Timestamp; readonly until: Timestamp };

const ALL_TIME: PeriodSpan = { period: WHOLE, from: -Infinity, until: Infinity };

/**
 * The period in which an instant lies, by the calendar of the client. A period that has begun when the zone changes keeps its end. The next
 * one begins there, and ends by the new zone: it may be shorter or longer than others, and none has the number of an earlier one.
 */
export function statisticPeriodAt(unit: StatisticPeriod, calendar: Calendar, instant: Timestamp): PeriodSpan {
  if (unit === 'ALL_TIME') return ALL_TIME;
  let kept: PeriodSpan | undefined;
  for (const { until, timeZone } of calendar.past) {
    if (instant < until) return spanIn(unit, timeZone, instant, kept);
    kept = spanIn(unit, timeZone, until - 1, kept);
  }
  return spanIn(unit, calendar.timeZone, instant, kept);
}

/** The period before another one. */
export function periodBefore(unit: StatisticPeriod, calendar: Calendar, { from }: PeriodSpan): PeriodSpan | undefined {
  return unit === 'ALL_TIME' ? undefined : statisticPeriodAt(unit, calendar, from - 1);
}

/** The period with a name of {@link statisticPeriodKey}; undefined for a name that is none of the unit, or that the calendar skipped. */
export function spanOfKey(unit: StatisticPeriod, calendar: Calendar, key: string): PeriodSpan | undefined {
  if (unit === 'ALL_TIME' || key.length !== KEY_LENGTH[unit]) return undefined;
  const period = periodOfKey(unit, key);
  if (!Number.isInteger(period) || periodKey(unit, period) !== key) return undefined;
  // A change of the zone moves a period by less than a day.
  const middle = startOfPeriod(unit, period, calendar.timeZone) + DAY / 2;
  return [middle, middle - DAY, middle + DAY]
    .map((instant) => statisticPeriodAt(unit, calendar, instant))
    .find((span) => span.period === period);
}

/** The characters of a period's name. */
const KEY_LENGTH = { DAY: 10, WEEK: 8, MONTH: 7, YEAR: 4 } as const;

/** The name of a period, see {@link periodKey}; undefined for all time. */
export function statisticPeriodKey(unit: StatisticPeriod, period: PeriodNumber): string | undefined {
  return unit === 'ALL_TIME' ? undefined : periodKey(unit, period);
}

/** The period by one zone. @param kept the period that was in progress when the zone was set */
function spanIn(unit: CalendarUnit, timeZone: string, instant: Timestamp, kept: PeriodSpan | undefined): PeriodSpan {
  if (kept !== undefined && instant < kept.until) return kept;
  const natural = periodOfDay(unit, localDay(timeZone, instant));
  const period = kept === undefined ? natural : Math.max(natural, kept.period + 1);
  const start = startOfPeriod(unit, period, timeZone);
  const isFirst = kept !== undefined && (start < kept.until || period === kept.period + 1);
  return { period, from: isFirst ? kept.until : start, until: startOfPeriod(unit, period + 1, timeZone) };
}

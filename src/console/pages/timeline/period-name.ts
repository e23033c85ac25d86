import { useFormatter } from 'use-intl';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Writes a day as people do; weeks and months keep their own names, `2026-W13` and `2026-03`. */
export function usePeriodName(): (period: string) => string {
  const format = useFormatter();
  // The day is one of the account's calendar, whatever the operator's clocks say.
  return (period) => (DAY.test(period) ? format.dateTime(new Date(period), 'day', { timeZone: 'UTC' }) : period);
}

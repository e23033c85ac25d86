/** The length of the periods of a streak. */
export type PeriodUnit = 'DAY' | 'WEEK' | 'MONTH';

/** A period by its dates: `until` is the first day after it. */
export type Period = { readonly key: string; readonly since: string; readonly until: string };

/** Weeks of days; and weeks or months, which stand in rows of four. */
const WEEKS_OF_DAYS = 5;
const OTHERS = 12;

/** The recent periods of an account, the earliest first; the last one has `today`, a date. Days begin with a Monday. */
export function recentPeriods(unit: PeriodUnit, today: string): readonly Period[] {
  const weekday = (new Date(today).getUTCDay() + 6) % 7;
  const count = unit === 'DAY' ? (WEEKS_OF_DAYS - 1) * 7 + weekday + 1 : OTHERS;
  /** The first day of a period, so many periods before the present one. */
  const begin = (back: number): string => {
    const date = new Date(today);
    if (unit === 'MONTH') date.setUTCMonth(date.getUTCMonth() - back, 1);
    else date.setUTCDate(date.getUTCDate() - (unit === 'DAY' ? back : back * 7 + weekday));
    return date.toISOString().slice(0, 10);
  };
  return Array.from({ length: count }, (_, index) => {
    const back = count - 1 - index;
    const since = begin(back);
    return { key: keyOf(unit, since), since, until: begin(back - 1) };
  });
}

/** The name of a period in answers: `2026-03-29`, `2026-W13` or `2026-03`. */
function keyOf(unit: PeriodUnit, since: string): string {
  if (unit === 'DAY') return since;
  if (unit === 'MONTH') return since.slice(0, 7);
  // A week belongs to the year of its Thursday.
  const thursday = new Date(since);
  thursday.setUTCDate(thursday.getUTCDate() + 3);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000));
  return `${year}-W${String(week).padStart(2, '0')}`;
}

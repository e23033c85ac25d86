const DAY = 86_400_000;

/** The date of the day before another: the last day of a span that ends there. @param date `2026-07-15` */
export function dayBefore(date: string): string {
  return shifted(date, -1);
}

/** The date of the day after another. */
export function dayAfter(date: string): string {
  return shifted(date, 1);
}

function shifted(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
}

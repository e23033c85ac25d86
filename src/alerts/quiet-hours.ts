/** A span of every day in which nothing is sent. */
export type QuietHours = {
  /** Minutes of the day, from 0 to 1439: the first one, and the one in which it ends, which is another one. */
  readonly from: number;
  readonly to: number;
  /** IANA time zone of both. */
  readonly timeZone: string;
};

/**
 * Whether `now` is within the quiet hours, in local time. A range may cross midnight. An hour that the clocks skip is
 * not quiet; an hour that comes twice is quiet both times or never.
 */
export function isQuiet({ from, to, timeZone }: QuietHours, now: Date): boolean {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const shown = hour * 60 + minute;
  return from < to ? from <= shown && shown < to : from <= shown || shown < to;
}

/** Minutes of the day of `HH:MM`, which has been validated. */
export function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The other way round: `HH:MM`. */
export function clockText(minutes: number): string {
  const two = (part: number) => `${part}`.padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

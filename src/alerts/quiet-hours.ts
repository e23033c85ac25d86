/** A daily time span without messages. */
export type QuietHours = {
  /** Minutes of the day, from 0 to 1439: the first minute, and the minute after the last. The two differ. */
  readonly from: number;
  readonly to: number;
  /** IANA time zone of both. */
  readonly timeZone: string;
};

/**
 * Whether `now` is within the quiet hours, in local time. A range may cross midnight. A local time that a clock change skips never occurs;
 * a local time that occurs twice gives the same result both times.
 */
export function isQuiet({ from, to, timeZone }: QuietHours, now: Date): boolean {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const shown = hour * 60 + minute;
  return from < to ? from <= shown && shown < to : from <= shown || shown < to;
}

/** The minute of the day of a validated `HH:MM`. */
export function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The `HH:MM` of a minute of the day. */
export function clockText(minutes: number): string {
  const two = (part: number) => `${part}`.padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

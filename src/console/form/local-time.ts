import { type Timestamp, timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';

/** A moment as a TimeField shows it, on the clocks of `timeZone`; '' for none. */
export function localTimeOf(moment: Timestamp | undefined, timeZone: string): string {
  if (moment === undefined) return '';
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return parts.format(timestampDate(moment)).replace(' ', 'T');
}

/** The moment of a TimeField's local time in `timeZone`; undefined for ''. */
export function momentOf(localTime: string, timeZone: string): Timestamp | undefined {
  const asUtc = Date.parse(`${localTime}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The zone's distance from UTC is that of the moment sought, which a first guess misses only around a change of clocks.
  const guess = asUtc - distanceFromUtc(asUtc, timeZone);
  return timestampFromMs(asUtc - distanceFromUtc(guess, timeZone));
}

/** Whether a text from an address is a day that exists, `YYYY-MM-DD`: a browser takes 30 February for 2 March, the service refuses it. */
export function isDay(text: string | null | undefined): text is string {
  if (!text || !/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  const midnight = new Date(`${text}T00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

/** Whether a text from an address is a moment of a day that exists, with its distance from UTC: RFC 3339, as the service takes it. */
export function isMoment(text: string | null | undefined): text is string {
  const [, day] = /^([^T]+)T([01]\d|2[0-3])(:[0-5]\d){1,2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.exec(text ?? '') ?? [];
  return isDay(day) && !Number.isNaN(Date.parse(text ?? ''));
}

/** Milliseconds by which the clocks of `timeZone` are ahead of UTC at `time`. */
function distanceFromUtc(time: number, timeZone: string): number {
  const minute = Math.floor(time / 60_000) * 60_000;
  return Date.parse(`${localTimeOf(timestampFromMs(minute), timeZone)}Z`) - minute;
}

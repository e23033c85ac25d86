import { type Timestamp, timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';

/** A moment as a TimeField shows it, on the clocks of `timeZone`; '' for none. */
export function localTimeOf(moment: Timestamp | undefined, timeZone: string): string {
  if (moment === undefined) return '';
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return parts.format(timestampDate(moment)).replace(' ', 'T');
}

/** The moment at which the clocks of `timeZone` show what a TimeField holds; undefined for ''. */
export function momentOf(localTime: string, timeZone: string): Timestamp | undefined {
  const asUtc = Date.parse(`${localTime}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The zone's distance from UTC is that of the moment sought, which a first guess misses only around a change of clocks.
  const guess = asUtc - distanceFromUtc(asUtc, timeZone);
  return timestampFromMs(asUtc - distanceFromUtc(guess, timeZone));
}

/** Milliseconds by which the clocks of `timeZone` are ahead of UTC at `time`. */
function distanceFromUtc(time: number, timeZone: string): number {
  const minute = Math.floor(time / 60_000) * 60_000;
  return Date.parse(`${localTimeOf(timestampFromMs(minute), timeZone)}Z`) - minute;
}

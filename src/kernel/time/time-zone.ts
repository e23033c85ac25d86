import { DAY, type Timestamp } from './timestamp.ts';

/** A time range with one offset of a zone: `from` is included, `until` is not. */
type Span = { readonly from: Timestamp; readonly until: Timestamp; readonly offset: number };

/**
 * A cache of spans by zone: the result for a zone and an instant never changes. A zone gets at most two spans for each
 * year with events.
 */
const spansByZone = new Map<string, Span[]>();

/** About 600 zones exist. More entries are the same zones in upper and lower case, and not worth the memory. */
const ZONES_KEPT = 1_000;

/**
 * The offset of an IANA zone from UTC at an instant, in milliseconds. `Temporal` takes a microsecond or more, so its result is kept for the
 * whole span between two changes of the clocks.
 * @throws RangeError for an unknown zone
 */
export function zoneOffset(timeZone: string, instant: Timestamp): number {
  return spanAt(timeZone, instant).offset;
}

/** The first instant after `instant` at which the offset of a zone changes; `Infinity` if it never does. */
export function nextChange(timeZone: string, instant: Timestamp): Timestamp {
  return spanAt(timeZone, instant).until;
}

function spanAt(timeZone: string, instant: Timestamp): Span {
  const spans = spansByZone.get(timeZone);
  if (spans !== undefined) {
    for (const span of spans) if (span.from <= instant && instant < span.until) return span;
  }
  const span = spanAround(timeZone, instant);
  if (spansByZone.size >= ZONES_KEPT) spansByZone.clear();
  spansByZone.set(timeZone, [span, ...(spans ?? [])]);
  return span;
}

/** The local day of an instant, counted from 1970-01-01, which is day 0. */
export function localDay(timeZone: string, instant: Timestamp): number {
  return Math.floor((instant + zoneOffset(timeZone, instant)) / DAY);
}

/** Whether `text` is a time zone that the rules support. */
export function isTimeZone(text: string): boolean {
  try {
    zoneOffset(text, 0);
    return true;
  } catch {
    return false;
  }
}

function spanAround(timeZone: string, instant: Timestamp): Span {
  const here = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  // "previous" means strictly earlier. An instant one millisecond later also finds a change at `instant` itself.
  const previous = here.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const next = here.getTimeZoneTransition('next');
  return {
    from: previous?.epochMilliseconds ?? -Infinity,
    until: next?.epochMilliseconds ?? Infinity,
    offset: here.offsetNanoseconds / 1e6,
  };
}

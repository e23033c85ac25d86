import { isInBounds } from './functions.ts';

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Milliseconds of a duration such as `1h30m`, `-45s` or `1.5h`; undefined for another text and for fractions of a millisecond. */
export function parseDuration(text: string): number | undefined {
  if (!/^-?(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(text)) return undefined;
  let ms = 0;
  for (const [, size, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)) ms += Number(size) * UNITS[unit!]!;
  const rounded = Math.round(ms);
  if (Math.abs(rounded - ms) > 1e-6 || !isInBounds('DURATION', rounded)) return undefined;
  return text.startsWith('-') ? 0 - rounded : rounded;
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970 of an instant in RFC 3339, to whole milliseconds; undefined for another text and for days that do not exist. */
export function parseInstant(text: string): number | undefined {
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined || new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) return undefined;
  const ms = Date.parse(text);
  return isInBounds('TIMESTAMP', ms) ? ms : undefined;
}

import pg from 'pg';

/** The OID of PostgreSQL's type `timestamptz`. */
export const TIMESTAMPTZ = 1184;

/** A moment from PostgreSQL in another format than the pinned one. */
export class UnreadableMoment extends Error {
  constructor(text: string) {
    super(
      `PostgreSQL wrote a moment as '${text}', which is not ISO 8601: what stands between it and the service keeps DateStyle from being set.`,
    );
  }
}

const parseWithPg: (text: string) => unknown = pg.types.getTypeParser(TIMESTAMPTZ, 'text');

/** @throws UnreadableMoment for a text that pg would parse as null: in a nullable column that would be a wrong value */
function parseAnyMoment(text: string): unknown {
  const moment = parseWithPg(text);
  if (moment === null) throw new UnreadableMoment(text);
  return moment;
}

/** The unchanged text, for MikroORM's own parser. @throws UnreadableMoment for a text that is no moment */
export function momentText(text: string): string {
  if (text[4] !== '-' || text[10] !== ' ') parseAnyMoment(text);
  return text;
}

/**
 * A moment of PostgreSQL in UTC, `2026-11-22 05:29:00.123456+00`, rounded down to milliseconds. pg parses other formats, with a regular
 * expression that took a twentieth of the time of an event.
 * @throws UnreadableMoment
 */
export function parseMoment(text: string): unknown {
  const end = text.length - 3;
  const isCommon = end >= 19 && text[4] === '-' && text[10] === ' ' && text.endsWith('+00');
  // `Date.UTC` takes years of two digits for those of the last century.
  if (!isCommon || text.startsWith('00')) return parseAnyMoment(text);
  let milliseconds = 0;
  // Up to three digits after the point.
  for (let index = 20, unit = 100; unit >= 1; index += 1, unit /= 10)
    if (index < end) milliseconds += digit(text, index) * unit;
  return new Date(
    Date.UTC(
      twoDigits(text, 0) * 100 + twoDigits(text, 2),
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      milliseconds,
    ),
  );
}

function twoDigits(text: string, index: number): number {
  return digit(text, index) * 10 + digit(text, index + 1);
}

function digit(text: string, index: number): number {
  return text.charCodeAt(index) - 48;
}

import { isMessage } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { useFormatter } from 'use-intl';

/** A moment as a table shows it, and the digits of a clock in the person's zone, as if that zone were UTC: spreadsheets know no zones. */
export type ShownMoment = { readonly digits: Date; readonly precision: Precision };

/** The precisions in which tables show moments, by the formats of the console. */
export type Precision = (typeof PRECISIONS)[number];

const PRECISIONS = ['day', 'moment', 'second'] as const;

/** One cell of a file for people: a number or a moment if the table shows exactly that, otherwise the text of the table. */
export type ReadableCell = string | number | ShownMoment;

/** How the person reads numbers and moments. */
export type Reading = {
  readonly format: ReturnType<typeof useFormatter>;
  readonly locale: string;
  readonly timeZone: string;
};

/**
 * The cells of a row, from their shown texts. Numbers and moments are recognised by their texts, so that a file never says less than the
 * table: `5; 2 taken back` remains a text.
 * @param numeric for each column, whether its digits are aligned
 */
export function readableCells(
  texts: readonly string[],
  numeric: readonly boolean[],
  row: unknown,
  reading: Reading,
): ReadableCell[] {
  let moments: ReadonlyMap<string, ShownMoment> | undefined;
  return texts.map((text, column) => {
    if (!/\d/.test(text)) return text;
    const number = numeric[column] === true ? numberOf(text, reading) : undefined;
    if (number !== undefined) return number;
    moments ??= momentsOf(row, reading);
    return moments.get(text) ?? text;
  });
}

/** The number that is written so for this person; undefined for all other texts. */
function numberOf(text: string, { format, locale }: Reading): number | undefined {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6);
  const decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const number = Number(text.replaceAll(/[^\d-]/g, (sign) => (sign === decimal ? '.' : '')));
  return format.number(number, 'amount') === text ? number : undefined;
}

/** The moments of a row and of its parts, by the texts that they may have. */
function momentsOf(row: unknown, { format, timeZone }: Reading): ReadonlyMap<string, ShownMoment> {
  const own = Object.values(row as object);
  const all: Timestamp[] = [
    ...own,
    ...own.filter((each) => isMessage(each)).flatMap((each) => Object.values(each)),
  ].filter((each) => isMessage(each, TimestampSchema));
  return new Map(
    all.flatMap((each) => {
      const date = timestampDate(each);
      const digits = digitsOf(date, timeZone);
      return PRECISIONS.map((precision) => [format.dateTime(date, precision), { digits, precision }] as const);
    }),
  );
}

function digitsOf(date: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(date);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return new Date(Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')));
}

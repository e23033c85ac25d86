import type { Value } from '@bufbuild/protobuf/wkt';
import { parseId } from '../../kernel/ids.ts';

/** The kind of a field's values. */
export type FieldKind = 'text' | 'uuid' | 'enum' | 'number' | 'boolean' | 'timestamp';

/** A value in the canonical spelling of its kind, or the expected form. */
export type Reading = { readonly text: string } | { readonly expected: string };

/** The readers of JSON values by kind. Enums are missing, because their values differ by field. */
export const valueReaders: Readonly<Record<Exclude<FieldKind, 'enum'>, (value: Value) => Reading>> = {
  text: ({ kind }) => {
    const text = kind.case === 'stringValue' ? kind.value : undefined;
    // A stored text has neither: PostgreSQL refuses a NUL, and UTF-8 has no lone surrogate.
    const storable = text !== undefined && !text.includes('\0') && text.isWellFormed();
    return storable ? { text } : { expected: 'a string of well-formed Unicode without NUL, or an array of such' };
  },
  uuid: ({ kind }) => {
    const id = kind.case === 'stringValue' ? parseId(kind.value) : undefined;
    return id === undefined ? { expected: 'a UUID' } : { text: id };
  },
  number: ({ kind }) => {
    const number = numberOf(kind);
    return number === undefined ? { expected: 'a number' } : { text: String(number) };
  },
  boolean: ({ kind }) => {
    const text = kind.case === 'boolValue' ? String(kind.value) : kind.case === 'stringValue' ? kind.value : '';
    return text === 'true' || text === 'false' ? { text } : { expected: 'true or false' };
  },
  timestamp: ({ kind }) => {
    const text = kind.case === 'stringValue' ? instantOf(kind.value) : undefined;
    return text === undefined ? { expected: 'a date such as 2026-01-31T12:00:00.000Z or 2026-01-31' } : { text };
  },
};

const DECIMAL = /^-?\d{1,30}(\.\d{1,30})?$/;

/** A number; it may be sent as text, because the contract also compares strings with other columns. */
function numberOf(kind: Value['kind']): number | undefined {
  if (kind.case === 'numberValue' && Number.isFinite(kind.value)) return kind.value + 0;
  if (kind.case === 'stringValue' && DECIMAL.test(kind.value)) return Number(kind.value) + 0;
  return undefined;
}

/** A four-digit year: PostgreSQL has no year 0, and a smaller range than `Temporal`. */
const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(?!0000)\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})$/;

/** The instant in UTC, with all its decimals; undefined for an invalid date. A day begins in UTC. */
function instantOf(text: string): string | undefined {
  if (!DAY.test(text) && !MOMENT.test(text)) return undefined;
  try {
    const instant = Temporal.Instant.from(DAY.test(text) ? `${text}T00:00Z` : text).toString();
    // An offset may move the first and the last day out of the range.
    return /^(?!0000)\d{4}-/.test(instant) ? instant : undefined;
  } catch {
    return undefined;
  }
}

/** The canonical text of a moment, like in {@link valueReaders}. */
export function instantText(moment: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toString();
}

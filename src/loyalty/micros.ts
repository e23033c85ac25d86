import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TimestampSchema } from '@bufbuild/protobuf/wkt';

/**
 * A time in microseconds since 1970, the precision of PostgreSQL. A Date has only milliseconds, and one account may have several entries in
 * one. Exact as a JavaScript number until the year 2255.
 */
export type Micros = number;

const PER_SECOND = 1_000_000;
const PER_MILLISECOND = 1_000;
const NANOS = 1_000;

/** The moment of a Date. */
export function microsOf(date: Date): Micros {
  return date.getTime() * PER_MILLISECOND;
}

/** PostgreSQL's text of a moment, for `timestamptz`. */
export function microsToText(micros: Micros): string {
  const rest = String(micros % PER_MILLISECOND).padStart(3, '0');
  return new Date(Math.floor(micros / PER_MILLISECOND)).toISOString().replace('Z', `${rest}Z`);
}

/** The protobuf timestamp of a moment. */
export function microsToTimestamp(micros: Micros): MessageInitShape<typeof TimestampSchema> {
  const seconds = Math.floor(micros / PER_SECOND);
  return { seconds: BigInt(seconds), nanos: (micros - seconds * PER_SECOND) * NANOS };
}

/** The moment of a protobuf timestamp, truncated to microseconds. */
export function microsFromTimestamp(timestamp: { readonly seconds: bigint; readonly nanos: number }): Micros {
  return Number(timestamp.seconds) * PER_SECOND + Math.floor(timestamp.nanos / NANOS);
}

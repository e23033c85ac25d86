import { hash } from 'node:crypto';
import { NIL, v7 } from 'uuid';
import { timestampClock } from './time/clock.ts';

/** Of nobody and nothing: the least of all UUIDs. */
export const NIL_UUID = NIL;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The namespace under which Laurel derives ids, as bytes in text; changing it would rename every assignment. */
const NAMESPACE = Buffer.from('6f1c8d1e53a74c559d0f2f0b3b6a7e11', 'hex').toString('latin1');

/** Milliseconds by which the clock may go back before ids go back with it. */
const STEP_BACK = 1_000;

/** The millisecond of the last id, and its number within that. */
let lastMs = -Infinity;
let sequence = 0;

/**
 * A new UUIDv7: it sorts by creation time, so that primary keys are appended to their index, not scattered over it. Its time
 * is that of {@link timestampClock}, the same on all hosts. Ids of one thread ascend, also within a millisecond and where the
 * clock is corrected by less than a second; after a correction by more they are those of the right time at once.
 */
export function newId(): string {
  const now = timestampClock().getTime();
  if (now > lastMs || now < lastMs - STEP_BACK) {
    lastMs = now;
    // Starts below half of its 32 bits, so that the next one always exists. It need not be secret: 42 other bits are
    // random.
    sequence = Math.floor(Math.random() * 2 ** 31);
  } else {
    sequence += 1;
  }
  return v7({ msecs: lastMs, seq: sequence });
}

/** The least id that {@link newId} can give at `moment`: rows before it are older, so that the key serves as an index of time. */
export function firstIdAt(moment: Date): string {
  // A UUIDv7 begins with 48 bits of milliseconds, then its version.
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** When {@link newId} gave `id`, to the millisecond. */
export function momentOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/**
 * The same UUIDv5 for the same parts, always: an id that is known before its row exists. A feed derives one for every
 * mission that is not begun, so it is spelled out here: 1.2 µs, where the `uuid` package takes 6.
 * @param parts ids and period keys: ASCII
 */
export function derivedId(...parts: readonly string[]): string {
  const digest = hash('sha1', Buffer.from(NAMESPACE + parts.join('\n'), 'latin1'), 'hex');
  // RFC 9562 §5.5: version 5 in the 13th digit, the variant in the two upper bits of the 17th.
  const variant = '89ab'[Number.parseInt(digest[16]!, 16) & 3];
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/**
 * The canonical, lower-case spelling of a UUID, or undefined if `text` is none. Upper case is accepted (RFC 9562 §4
 * asks readers to), so that a caller may send an id as its own library prints it.
 */
export function parseId(text: string): string | undefined {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : undefined;
}

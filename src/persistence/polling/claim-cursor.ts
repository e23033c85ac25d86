import { firstIdAt, momentOfId } from '../../kernel/ids.ts';

/**
 * The start of the next claim of a client's rows; it skips rows with smaller ids. A start at the oldest would read deleted rows, which
 * PostgreSQL cannot vacuum while a transaction stays open for minutes. After 40,000 sent webhooks that left a quarter of the rate; with the
 * cursor the rate is unchanged.
 */
export type ClaimCursor = { from: string };

/**
 * Milliseconds by which a claim begins before the newest row of the previous claim. A poll from the {@link BEGINNING} finds rows that are
 * committed later.
 */
const OVERLAP_MS = 2_000;

/** An id before every other id. */
export const BEGINNING = firstIdAt(new Date(0));

/** Advances after a claim from `from` to `lastId`, unless the cursor was moved meanwhile. */
export function advanceCursor(start: ClaimCursor, from: string, lastId: string): void {
  if (start.from === from) start.from = firstIdAt(new Date(momentOfId(lastId).getTime() - OVERLAP_MS));
}

import { firstIdAt, momentOfId } from '../../kernel/ids.ts';

/**
 * Where the next claim of a client's rows begins: no row with a lesser id is looked at. Beginning at the oldest would wade
 * through what was deleted: while some transaction stays open for minutes, PostgreSQL cannot clear it away (with 40,000 webhooks
 * sent, a quarter of the rate was left; so, all of it).
 */
export type ClaimCursor = { from: string };

/**
 * Milliseconds by which a claim begins before the newest row of the claim before it. Rows that are committed later than that are
 * found by a look from the {@link BEGINNING}.
 */
const OVERLAP_MS = 2_000;

/** Before every id. */
export const BEGINNING = firstIdAt(new Date(0));

/** Moves on after a claim that began at `from` and took rows up to `lastId`, unless somebody has moved it meanwhile. */
export function advanceCursor(start: ClaimCursor, from: string, lastId: string): void {
  if (start.from === from) start.from = firstIdAt(new Date(momentOfId(lastId).getTime() - OVERLAP_MS));
}

import { constants, type Http2Session, type Http2Stream } from 'node:http2';
import { isAuthenticatedSession } from '../limits/authenticated-connections.ts';

/**
 * Streams that a session without a credential may drop. Whoever opens streams to drop them has the service begin
 * them as often as he likes: HTTP/2's own limit is for open ones ("rapid reset", CVE-2023-44487). Node ends a session after a
 * thousand and 33 more per second, which is right for callers whose deadlines pass.
 */
const DROPS_MAX = 100;

/** What sessions without a credential have dropped, or were refused for want of a place. */
const drops = new WeakMap<Http2Session, number>();

/** Whether the caller, or the connection, has gone before anything was begun for the stream. */
export function isReset({ destroyed, closed, session }: Http2Stream): boolean {
  return destroyed || closed || session === undefined || session.destroyed;
}

/** Ends the session of a stranger who has dropped too many streams. The listener is shared by all streams. */
export function limitResets(stream: Http2Stream): void {
  const { session } = stream;
  if (session !== undefined && !isAuthenticatedSession(session)) stream.on('aborted', noteDrop);
}

function noteDrop(this: Http2Stream): void {
  countReset(this.session);
}

/** Counts a stream against its session, which ends when a stranger has too many of them. */
export function countReset(session: Http2Session | undefined): void {
  if (session === undefined || session.destroyed || isAuthenticatedSession(session)) return;
  const count = (drops.get(session) ?? 0) + 1;
  drops.set(session, count);
  if (count >= DROPS_MAX) endSession(session);
}

/** Says why, and ends the session with all its streams. */
export function endSession(session: Http2Session): void {
  session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  // With any other code Node makes an error for each stream, with its stack, which costs more than the stream.
  session.destroy(undefined, constants.NGHTTP2_CANCEL);
}

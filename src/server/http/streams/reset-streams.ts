import { constants, type Http2Session, type Http2Stream } from 'node:http2';
import { isAuthenticatedSession } from '../limits/authenticated-connections.ts';

/**
 * The maximum of streams that a session without a credential may reset. HTTP/2's own limit counts open streams only, so a caller could
 * start any number of them ("rapid reset", CVE-2023-44487). Node ends a session after a thousand and 33 more per second, which suits
 * callers whose deadlines pass.
 */
const DROPS_MAX = 100;

/** The counts of reset and refused streams of sessions without a credential. */
const drops = new WeakMap<Http2Session, number>();

/** Whether the caller, or the connection, ended before the work for the stream began. */
export function isReset({ destroyed, closed, session }: Http2Stream): boolean {
  return destroyed || closed || session === undefined || session.destroyed;
}

/** Ends an unauthenticated session with too many reset streams. All streams share the listener. */
export function limitResets(stream: Http2Stream): void {
  const { session } = stream;
  if (session !== undefined && !isAuthenticatedSession(session)) stream.on('aborted', noteDrop);
}

function noteDrop(this: Http2Stream): void {
  countReset(this.session);
}

/** Counts a reset stream of a session, and ends an unauthenticated session with too many of them. */
export function countReset(session: Http2Session | undefined): void {
  if (session === undefined || session.destroyed || isAuthenticatedSession(session)) return;
  const count = (drops.get(session) ?? 0) + 1;
  drops.set(session, count);
  if (count >= DROPS_MAX) endSession(session);
}

/** Sends the reason, and ends the session with all its streams. */
export function endSession(session: Http2Session): void {
  session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  // With any other code Node creates an error with its stack for each stream, which costs more than the stream.
  session.destroy(undefined, constants.NGHTTP2_CANCEL);
}

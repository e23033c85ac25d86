import http2 from 'node:http2';

/**
 * Sends a reliable GOAWAY to HTTP/2 callers: calls up to the last stream in the frame are answered, later ones are not
 * started, so that libraries can safely repeat them elsewhere.
 */
export type Goaways = {
  /** Sends a GOAWAY to a session, once. Its running calls continue. */
  send(session: http2.ServerHttp2Session): void;
  /** Whether a call may begin; ask it before each. It refuses a call after the GOAWAY, which then needs no other answer. */
  allow(stream: http2.ServerHttp2Stream): boolean;
};

type Begun = { last: number; sent: boolean };

/**
 * Node submits the frame at once and sends it later. Calls that it reads in between must not start, because the frame
 * says that they have not: the caller's library would repeat them.
 */
export function createGoaways(): Goaways {
  const sessions = new WeakMap<http2.Http2Session, Begun>();

  function begunOf(session: http2.Http2Session): Begun {
    const known = sessions.get(session);
    if (known !== undefined) return known;
    const begun = { last: 0, sent: false };
    sessions.set(session, begun);
    return begun;
  }

  return {
    send(session) {
      const begun = begunOf(session);
      if (begun.sent || session.destroyed) return;
      begun.sent = true;
      session.goaway(http2.constants.NGHTTP2_NO_ERROR, begun.last);
    },
    allow(stream) {
      const { session, id = 0 } = stream;
      if (session === undefined) return true;
      const begun = begunOf(session);
      if (begun.sent && id > begun.last) {
        stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
        return false;
      }
      begun.last = Math.max(begun.last, id);
      return true;
    },
  };
}

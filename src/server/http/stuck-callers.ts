import type http2 from 'node:http2';
import { constants } from 'node:http2';
import type net from 'node:net';

/**
 * Lets go of callers who ask and do not take the answers, which would pile up in memory: who has taken nothing of a piece of an
 * answer for a while loses its HTTP/1.1 connection or HTTP/2 stream, and its session if nothing else of it moves.
 */
export type StuckCallers = {
  connection(socket: net.Socket): void;
  session(session: http2.ServerHttp2Session): void;
  stream(stream: http2.Http2Stream): void;
  close(): void;
};

/** What is written to a caller. */
type Pipe = net.Socket | http2.Http2Stream;

/** How often within the time it is looked. */
const LOOKS = 4;

/** @param graceMs milliseconds for a piece of an answer, some hundred KB at most, to be taken */
export function createStuckCallers(graceMs: number): StuckCallers {
  const sockets = new Set<net.Socket>();
  const sessions = new Map<http2.Http2Session, { readonly streams: Set<http2.Http2Stream>; tookAt: number }>();
  /** What waited to be taken when it was last looked, and since when it is that much. */
  const waiting = new WeakMap<Pipe, { readonly bytes: number; readonly since: number }>();

  function isStuck(pipe: Pipe, now: number): boolean {
    const { writableLength: bytes } = pipe;
    const before = waiting.get(pipe);
    if (bytes > 0 && before?.bytes === bytes) return now - before.since >= graceMs;
    waiting.set(pipe, { bytes, since: now });
    return false;
  }

  function look(): void {
    const now = performance.now();
    for (const socket of sockets) if (isStuck(socket, now)) socket.destroy();
    for (const [session, { streams, tookAt }] of sessions) {
      const stuck = [...streams].filter((stream) => stream.writableLength > 0 && isStuck(stream, now));
      if (stuck.length === 0) continue;
      // A reset would not reach a caller who reads nothing at all.
      if (now - tookAt >= graceMs) session.destroy();
      else for (const stream of stuck) stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  const looking = setInterval(look, graceMs / LOOKS).unref();
  return {
    connection(socket) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    },
    session(session) {
      sessions.set(session, { streams: new Set(), tookAt: performance.now() });
      session.once('close', () => sessions.delete(session));
    },
    stream(stream) {
      const session = stream.session && sessions.get(stream.session);
      if (session === undefined) return;
      session.streams.add(stream);
      // A whole answer has been taken.
      stream.once('finish', () => (session.tookAt = performance.now()));
      stream.once('close', () => session.streams.delete(stream));
    },
    close: () => clearInterval(looking),
  };
}

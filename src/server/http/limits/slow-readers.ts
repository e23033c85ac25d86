import type http2 from 'node:http2';
import { constants } from 'node:http2';
import type net from 'node:net';

/**
 * Disconnects callers that do not read their answers, which would fill the memory. A caller that stops reading a piece
 * of an answer for a while loses its HTTP/1.1 connection or HTTP/2 stream, and its session if no other stream makes
 * progress.
 */
export type SlowReaders = {
  connection(socket: net.Socket): void;
  session(session: http2.ServerHttp2Session): void;
  stream(stream: http2.Http2Stream): void;
  close(): void;
};

/** A connection or stream to a caller. */
type Pipe = net.Socket | http2.Http2Stream;

/** The number of checks within the grace time. */
const CHECKS = 4;

/** @param graceMs milliseconds for the caller to read a piece of an answer, at most some hundred KB */
export function createSlowReaders(graceMs: number): SlowReaders {
  const sockets = new Set<net.Socket>();
  const streams = new Set<http2.Http2Stream>();
  /** The time at which a session last received a complete answer, or began. */
  const tookAt = new WeakMap<http2.Http2Session, number>();
  /** The unread bytes at the last check, with the time since which they are unchanged. */
  const waiting = new WeakMap<Pipe, { readonly bytes: number; readonly since: number }>();

  function isStuck(pipe: Pipe, now: number): boolean {
    const { writableLength: bytes } = pipe;
    const before = waiting.get(pipe);
    if (bytes > 0 && before?.bytes === bytes) return now - before.since >= graceMs;
    waiting.set(pipe, { bytes, since: now });
    return false;
  }

  function check(): void {
    const now = performance.now();
    for (const socket of sockets) if (isStuck(socket, now)) socket.destroy();
    for (const stream of streams) {
      const { session, writableLength } = stream;
      if (session === undefined || writableLength === 0 || !isStuck(stream, now)) continue;
      // A reset would not reach a caller that reads no bytes at all.
      if (now - (tookAt.get(session) ?? 0) >= graceMs) session.destroy();
      else stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  // All streams share the function: otherwise each call would create closures and the objects of `once`.
  function noteTaken(this: http2.Http2Stream): void {
    if (this.session !== undefined) tookAt.set(this.session, performance.now());
  }
  function forget(this: http2.Http2Stream): void {
    streams.delete(this);
  }

  const timer = setInterval(check, graceMs / CHECKS).unref();
  return {
    connection(socket) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    },
    session(session) {
      tookAt.set(session, performance.now());
    },
    stream(stream) {
      streams.add(stream);
      stream.on('finish', noteTaken).on('close', forget);
    },
    close: () => clearInterval(timer),
  };
}

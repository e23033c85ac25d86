import type http2 from 'node:http2';
import type net from 'node:net';
import type { HttpRequest } from '../exchange.ts';

/**
 * The maximum of open streams of one HTTP/2 session: many callers share a session, but one session cannot exhaust the process. An
 * unauthenticated session needs fewer, and libraries assume a hundred until the server announces its limit.
 */
export const STREAMS_MAX = { stranger: 100, known: 1_000 };

/** HTTP/1.1 connections and HTTP/2 sessions on which a credential was accepted. */
const known = new WeakSet<net.Socket | http2.Http2Session>();

/** Listeners for the first accepted credential on a connection. */
const listeners = new WeakMap<net.Socket | http2.Http2Session, () => void>();

/** Calls `listener` once, when a credential is accepted on the connection. */
export function onAuthenticated(connection: net.Socket | http2.Http2Session, listener: () => void): void {
  listeners.set(connection, listener);
}

/** Marks the connection as authenticated: it may then have more streams. */
export function markAuthenticated(request: HttpRequest): void {
  const connection = connectionOf(request);
  if (connection === undefined || known.has(connection)) return;
  known.add(connection);
  listeners.get(connection)?.();
  if (isSession(connection) && !connection.destroyed) connection.settings({ maxConcurrentStreams: STREAMS_MAX.known });
}

/** Whether a credential was accepted on the connection, with this request or an earlier one. */
export function isAuthenticated(request: HttpRequest): boolean {
  const connection = connectionOf(request);
  return connection !== undefined && known.has(connection);
}

/** The same for a session. */
export function isAuthenticatedSession(session: http2.Http2Session): boolean {
  return known.has(session);
}

/** The connection of a request; undefined after its end. */
function connectionOf(request: HttpRequest): net.Socket | http2.Http2Session | undefined {
  return 'stream' in request ? request.stream?.session : request.socket;
}

function isSession(connection: net.Socket | http2.Http2Session): connection is http2.Http2Session {
  return 'goaway' in connection;
}

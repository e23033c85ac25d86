import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type net from 'node:net';
import { createGoaways, type Goaways } from './goaways.ts';
import { createConnectionThrottle } from './limits/connection-throttle.ts';
import { isAuthenticatedSession, onAuthenticated, STREAMS_MAX } from './limits/authenticated-connections.ts';
import { endSession, isReset, limitResets } from './streams/reset-streams.ts';
import { type Arrivals, PROTOCOLS, splitSecureConnections, TLS } from './secure-connections.ts';
import { createSlowReaders } from './limits/slow-readers.ts';
import type { TlsCertificate } from './tls-files.ts';
import { createTurnLimiter } from './streams/turn-limiter.ts';

/** The handler of requests of both HTTP versions. */
export type Listener = (
  request: http.IncomingMessage | http2.Http2ServerRequest,
  response: http.ServerResponse | http2.Http2ServerResponse,
) => void;

/** One port that speaks HTTP/1.1 and HTTP/2: in plain text (h2c, prior knowledge), or with TLS (ALPN). */
export type OnePort = {
  /** Starts to accept connections; resolves with the port, which the system chooses for 0. */
  listen(port: number, host: string | undefined): Promise<number>;
  /** The number of waiting connections from addresses without a credential. */
  waiting(): number;
  /** Accepts no more connections, lets running requests finish, and closes the rest after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
};

/** Time limits in milliseconds. */
export type Timeouts = {
  /** From the first byte of a connection or request until its headers are complete; and for a TLS handshake. */
  readonly headers: number;
  /** HTTP/1.1: from the first byte until a request is complete, body included. HTTP/2: between two pieces of a body. */
  readonly request: number;
  /**
   * The lifetime of an idle HTTP/1.1 connection. It is longer than the usual 60 s of a load balancer, so that the balancer closes first.
   */
  readonly keepAlive: number;
  /** The lifetime of an idle HTTP/2 session. */
  readonly session: number;
  /** The time for a caller to read a piece of an answer. */
  readonly accept: number;
};

/** Milliseconds of silence after an early answer, until the stream of a caller that neither sends nor ends its body is closed. */
const LINGER = 1_000;

/**
 * Milliseconds between the GOAWAY and the end of idle HTTP/2 sessions. Calls that cross the GOAWAY are not started, and libraries repeat
 * them elsewhere.
 */
const GOAWAY_MS = 500;

/** The limits of a service that answers in milliseconds. */
export const DEFAULT_TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  session: 300_000,
  accept: 60_000,
};

/** The maximum of bytes of a request's URL and headers together: a filter of 1,000 ids is a URL of 45 KB. */
export const MAX_HEADER_BYTES = 65_536;

/**
 * The maximum of streams of unauthenticated sessions that begin in one turn of the event loop: a few milliseconds of work, after which
 * authenticated callers are served.
 */
const STREAMS_PER_TURN = 20;
/** Limit of waiting unauthenticated streams. Above it, a session with more than a few waiting streams is ended. */
const WAITING = { all: 2_000, ofSession: 10 };

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n');

/**
 * The maximum of bytes of a body that a caller may send on a stream before any is read, for example during the look-up of the credential.
 * HTTP/2's default of 64 KiB would be 64 MiB for a session.
 */
const STREAM_WINDOW = 16_384;

/**
 * Makes the port. The `http.Server` is the listener itself, because a `net.Server` in front of it would switch off Node's header and
 * request timeouts; each new connection is inspected once and handed to the handler of its version.
 * @param onBroken answers a caller whose HTTP/1.1 cannot be parsed
 * @param certificate makes it a port with TLS; new connections get the latest certificate
 * @param connectionsPerSecond the limit of an address without a credential, for {@link createConnectionThrottle}
 */
export function createOnePort(
  listener: Listener,
  onBroken: (error: NodeJS.ErrnoException, socket: net.Socket) => void,
  timeouts: Timeouts = DEFAULT_TIMEOUTS,
  certificate?: TlsCertificate,
  connectionsPerSecond?: number,
): OnePort {
  const http1 = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: timeouts.keepAlive,
    // The interval of Node's check for late requests; its default of 30 s would double the limits above.
    connectionsCheckingInterval: Math.min(1_000, timeouts.headers),
    // The listener itself refuses a missing `Host`, with a message and the usual headers.
    requireHostHeader: false,
  };
  const secure =
    certificate &&
    https.createServer(
      { ...http1, ...TLS, ...certificate.pair, ALPNProtocols: PROTOCOLS, handshakeTimeout: timeouts.headers },
      listener,
    );
  certificate?.onReplaced((pair) => secure?.setSecureContext({ ...TLS, ...pair }));
  const h1 = secure ?? http.createServer(http1, listener);
  // Documented for `net.createServer`; `http.createServer` does not pass it on.
  Object.assign(h1, { pauseOnConnect: true } satisfies net.ServerOpts);
  const throttle = createConnectionThrottle(connectionsPerSecond);
  const trustOnceKnown = (connection: net.Socket | http2.ServerHttp2Session, address: string | undefined) =>
    onAuthenticated(connection, () => throttle.trust(address ?? ''));
  const goaways = createGoaways();
  const strangers = createTurnLimiter<http2.Http2Session>(STREAMS_PER_TURN);
  const allowed: Listener = (request, response) => {
    const { stream } = request as http2.Http2ServerRequest;
    const { session } = stream;
    const begin = () => {
      if (!isReset(stream) && goaways.allow(stream)) listener(request, response);
    };
    if (session === undefined || isAuthenticatedSession(session)) begin();
    else if (strangers.waiting() >= WAITING.all && strangers.waiting(session) >= WAITING.ofSession) endSession(session);
    else strangers.run(session, begin);
  };
  const h2 = http2.createServer(
    {
      settings: {
        maxConcurrentStreams: STREAMS_MAX.stranger,
        maxHeaderListSize: MAX_HEADER_BYTES,
        initialWindowSize: STREAM_WINDOW,
      },
    },
    allowed,
  );
  // A caller that waits before its body (`Expect: 100-continue`) is authenticated first; the body's reader sends "continue".
  h1.on('checkContinue', listener);
  h2.on('checkContinue', allowed);
  // Any other expectation may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a message.
  h1.on('checkExpectation', listener);
  h1.on('clientError', (error, socket) => onBroken(error, socket as net.Socket));
  const sessions = trackSessions(h2, goaways, timeouts.session);
  const stuck = createSlowReaders(timeouts.accept);
  // A destroyed session waits for the end of its caller, which may read nothing any more.
  const sessionSockets = new Set<net.Socket>();
  h2.on('connection', (socket: net.Socket) => {
    sessionSockets.add(socket);
    socket.once('close', () => sessionSockets.delete(socket));
  });
  h2.on('session', (session) => {
    stuck.session(session);
    trustOnceKnown(session, session.socket?.remoteAddress);
  });
  h2.on('stream', (stream) => {
    limitResets(stream);
    limitBody(stream, timeouts.request);
    stuck.stream(stream);
  });
  const onHttp1 = (socket: net.Socket) => {
    stuck.connection(socket);
    trustOnceKnown(socket, socket.remoteAddress);
  };
  const undecided =
    secure && certificate
      ? splitSecureConnections(secure, h2, { throttle, onHttp1, onRefused: certificate.refused })
      : splitConnections(h1, h2, { throttle, decideMs: timeouts.headers, onHttp1 });

  return {
    listen(port, host) {
      return new Promise((resolve, reject) => {
        h1.once('error', reject);
        h1.listen(port, host, () => {
          h1.off('error', reject);
          resolve((h1.address() as net.AddressInfo).port);
        });
      });
    },
    waiting: throttle.waiting,
    async close(timeoutMs) {
      const closed = new Promise<void>((resolve) => h1.close(() => resolve()));
      throttle.close();
      for (const socket of undecided) socket.destroy();
      // A session that ended at its GOAWAY would lose calls that are in transit.
      for (const session of sessions) goaways.send(session);
      const leave = setTimeout(() => sessions.forEach((session) => session.close()), Math.min(GOAWAY_MS, timeoutMs));
      // `h1.close` drops the connections that are idle now; those that become idle later are dropped here.
      const sweep = setInterval(() => h1.closeIdleConnections(), 50);
      const cut = setTimeout(() => {
        h1.closeAllConnections();
        for (const session of sessions) session.destroy();
        for (const socket of sessionSockets) socket.destroy();
      }, timeoutMs);
      await closed;
      clearTimeout(leave);
      clearInterval(sweep);
      clearTimeout(cut);
      stuck.close();
    },
  };
}

function trackSessions(h2: http2.Http2Server, goaways: Goaways, idleMs: number): Set<http2.ServerHttp2Session> {
  const sessions = new Set<http2.ServerHttp2Session>();
  h2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.setTimeout(idleMs, () => {
      goaways.send(session);
      session.close();
    });
    // A session with a protocol error ends; without a listener the error would end the process.
    session.on('error', () => session.destroy());
  });
  h2.on('sessionError', () => {});
  return sessions;
}

/**
 * Node has no timeout for HTTP/2 bodies. A caller that stops sending loses its stream. If the answer comes before the body is read (401,
 * 413), the rest is discarded, or the stream would stay half open and keep its flow-control window.
 *
 * All streams share the listeners: otherwise every call would create a closure and the two objects of `once`.
 */
function limitBody(stream: http2.Http2Stream, idleMs: number): void {
  stream.setTimeout(idleMs);
  stream.on('timeout', closeSilent).on('end', allowSilence).on('finish', drainRest);
}

/** After a complete answer, the reset only asks the caller to stop sending (RFC 9113, 8.1). */
function closeSilent(this: http2.Http2Stream): void {
  this.close(this.writableFinished ? http2.constants.NGHTTP2_NO_ERROR : http2.constants.NGHTTP2_CANCEL);
}

function allowSilence(this: http2.Http2Stream): void {
  this.setTimeout(0);
}

function drainRest(this: http2.Http2Stream): void {
  if (this.readableEnded) return;
  // The request object has no reader any more, and would pause the stream as soon as its buffer is full.
  this.removeAllListeners('data');
  this.resume();
  this.setTimeout(LINGER);
}

/** Replaces the listener's own handling of new connections. Returns the sockets whose version is not known yet. */
function splitConnections(
  h1: http.Server,
  h2: http2.Http2Server,
  { throttle, decideMs, onHttp1 }: Arrivals & { readonly decideMs: number },
): Set<net.Socket> {
  const [serveH1] = h1.listeners('connection');
  h1.removeAllListeners('connection');
  const undecided = new Set<net.Socket>();
  h1.on('connection', (socket: net.Socket) => {
    undecided.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => undecided.delete(socket));
    throttle.admit(socket, () => decide(socket));
  });
  function decide(socket: net.Socket): void {
    const timer = setTimeout(() => socket.destroy(), decideMs);
    const settle = () => {
      clearTimeout(timer);
      undecided.delete(socket);
    };
    socket.once('close', settle);
    const begin = (version: 1 | 2) => {
      if (socket.destroyed) return;
      settle();
      if (version === 2) {
        // An HTTP/1.1 server has its sockets stay half open, and a session on one would outlive its caller for five minutes:
        // malformed connections filled 160 MB in 15 seconds, and take no more after a minute since.
        socket.allowHalfOpen = false;
        h2.emit('connection', socket);
      } else {
        onHttp1(socket);
        serveH1?.call(h1, socket);
      }
    };
    // Without a delay: Node crashes if a session begins on a socket that the caller has ended meanwhile.
    onVersion(socket, begin);
  }
  return undecided;
}

/** Peeks at the first bytes of a connection and puts them back. */
function onVersion(socket: net.Socket, decided: (version: 1 | 2) => void): void {
  let seen = Buffer.alloc(0);
  const onReadable = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = Buffer.concat([seen, chunk]);
    const length = Math.min(seen.length, PREFACE.length);
    const mayBeH2 = seen.subarray(0, length).equals(PREFACE.subarray(0, length));
    if (mayBeH2 && length < PREFACE.length) return;
    socket.removeListener('readable', onReadable);
    socket.unshift(seen);
    decided(mayBeH2 ? 2 : 1);
  };
  socket.on('readable', onReadable);
}

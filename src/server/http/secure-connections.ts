import type http2 from 'node:http2';
import type https from 'node:https';
import type net from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ConnectionThrottle } from './limits/connection-throttle.ts';

/** The protocols of the handshake (ALPN), the preferred one first. */
export const PROTOCOLS = ['h2', 'http/1.1'];

/**
 * TLS 1.2 and 1.3. For 1.2 only suites with forward secrecy and authenticated encryption (RFC 9325, 4.2); Node's own
 * list is longer.
 */
export const TLS = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
} as const satisfies https.ServerOptions;

/** The handlers of new connections, and the further observers of HTTP/1.1 connections. */
export type Arrivals = {
  readonly throttle: ConnectionThrottle;
  readonly onHttp1: (socket: net.Socket) => void;
};

/**
 * Replaces the listener's own handling of connections whose handshake is complete: each goes to the server of the negotiated version.
 * Without a negotiated version it is HTTP/1.1; HTTP/2 over TLS asks for it (RFC 9113, 3.2).
 * @returns the sockets whose handshake is not complete yet
 */
export function splitSecureConnections(
  h1: https.Server,
  h2: http2.Http2Server,
  {
    throttle,
    onHttp1,
    onRefused,
  }: Arrivals & {
    readonly onRefused: (error: NodeJS.ErrnoException) => void;
  },
): { [Symbol.iterator](): Iterator<net.Socket> } {
  const [serveH1] = h1.listeners('secureConnection');
  h1.removeAllListeners('secureConnection');
  // Node would let the HTTP/1.1 server answer these errors in plain text, into a connection without a handshake.
  h1.removeAllListeners('tlsClientError');
  // The sockets by the caller's address, because a TLS socket does not give access to the socket below it.
  const undecided = new Map<string, net.Socket>();
  const [shakeHands] = h1.listeners('connection');
  h1.removeAllListeners('connection');
  h1.on('connection', (socket: net.Socket) => {
    throttle.admit(socket, () => shakeHands?.call(h1, socket));
    const caller = callerOf(socket);
    undecided.set(caller, socket);
    socket.once('close', () => {
      if (undecided.get(caller) === socket) undecided.delete(caller);
    });
  });
  h1.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    onRefused(error);
    socket.destroy();
  });
  h1.on('secureConnection', (socket: TLSSocket) => {
    undecided.delete(callerOf(socket));
    socket.on('error', () => socket.destroy());
    if (socket.alpnProtocol === 'h2') {
      // Without a delay: Node crashes if a session begins on a socket that the caller has ended meanwhile.
      beginSession(socket);
    } else {
      onHttp1(socket);
      serveH1?.call(h1, socket);
    }
  });
  function beginSession(socket: TLSSocket): void {
    if (socket.destroyed) return;
    // As on the plaintext port, a session does not outlive its caller.
    socket.allowHalfOpen = false;
    h2.emit('connection', socket);
  }
  return { [Symbol.iterator]: () => undecided.values() };
}

function callerOf({ remoteAddress, remotePort, localAddress }: net.Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect } from 'vitest';
import { authenticationOk, backendKeyData, parameterStatus, readyForQuery } from './backend-messages.ts';
import { type FrontendReader, frontendReader } from './frontend-messages.ts';

/** A server with PostgreSQL's protocol that sends the messages of a test. */
export type FakeServer = {
  readonly url: string;
  readonly port: number;
  /** The latest connection, after its start message has arrived. */
  connection(): Promise<FakeConnection>;
  close(): Promise<void>;
};

/** One connection, as the server sees it. */
export type FakeConnection = Pick<FrontendReader, 'startup' | 'statements' | 'hasTerminated'> & {
  /** Resolves after `count` statements in total have arrived. */
  arrived(count: number): Promise<void>;
  /** Sends all bytes at once. */
  send(...messages: readonly Buffer[]): void;
  /** Sends byte by byte, each as soon as the other end has received `received` bytes. */
  sendSlowly(message: Buffer, received: () => number): Promise<void>;
  /** Closes the connection; the other end reads the sent bytes first. */
  end(): void;
};

/** The process number in the server's greeting. */
export const PROCESS_ID = 4_711;

/** The greeting for a client that needs no password. */
export const GREETING = Buffer.concat([
  authenticationOk,
  parameterStatus('server_version', '18.0'),
  backendKeyData(PROCESS_ID, 1),
  readyForQuery(),
]);

/**
 * Starts a server.
 * @param greeting the reply to each start of a connection
 * @param closes whether it closes a connection whose client terminates
 */
export async function fakeServer(greeting: Buffer = GREETING, closes = true): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  let last: FakeConnection | undefined;
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    const reader = frontendReader();
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const wasStarted = reader.startup !== undefined;
      reader.read(chunk);
      if (reader.hasTerminated && closes) socket.end();
      if (wasStarted || reader.startup === undefined) return;
      last = connectionOn(socket, reader);
      socket.write(greeting);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `postgres://laurel@127.0.0.1:${port}/laurel`,
    port,
    async connection() {
      await expect.poll(() => last).toBeDefined();
      return last!;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function connectionOn(socket: Socket, reader: FrontendReader): FakeConnection {
  return {
    get startup() {
      return reader.startup;
    },
    statements: reader.statements,
    get hasTerminated() {
      return reader.hasTerminated;
    },
    async arrived(count) {
      await expect.poll(() => reader.statements.length, { interval: 1 }).toBeGreaterThanOrEqual(count);
    },
    send: (...messages) => void socket.write(Buffer.concat(messages)),
    async sendSlowly(message, received) {
      const before = received();
      for (const [sent, byte] of message.entries()) {
        socket.write(Buffer.of(byte));
        while (received() <= before + sent) await new Promise(setImmediate);
      }
    },
    end: () => void socket.end(),
  };
}

import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the receiver got it. */
export type Received = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds of the clock. */
  readonly at: number;
};

/** An integrator's endpoint on loopback. */
export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves after `count` requests in total have arrived. */
  got(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
};

/** The answer of a receiver, after it has read the body of the request. */
export type Answer = (request: IncomingMessage, response: ServerResponse, received: Received) => void;

/** Starts a receiver that answers 204, or as `answer` says. */
export async function startReceiver(
  answer: Answer = (_, response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: Array<() => void> = [];
  const server = http.createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const item = { method, url, headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
      received.push(item);
      for (const wake of waiting.splice(0)) wake();
      answer(request, response, item);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async got(count) {
      while (received.length < count) await new Promise<void>((wake) => waiting.push(wake));
      return received;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

import { type AddressInfo } from 'node:net';
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Something that the proxy does to a request, or to its answer. */
export type Fault = 'none' | 'lost request' | 'lost answer' | 'cut answer' | 'delayed' | 'doubled' | 'unavailable';

/** A proxy in front of a service. */
export type UnreliableProxy = {
  readonly url: string;
  /** How many requests had each fault. */
  readonly faults: Map<Fault, number>;
  close(): Promise<void>;
};

/** A whole answer of the service. */
type Answer = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: Buffer };

/** Starts a proxy that does to each request what `next` says. */
export async function unreliableProxy(target: string, next: (path: string) => Fault): Promise<UnreliableProxy> {
  const faults = new Map<Fault, number>();
  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const fault = next(request.url ?? '');
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
    const body = await buffer(request);
    const forward = () => forwarded(target, request, body);
    if (fault === 'lost request') return void request.socket.destroy();
    if (fault === 'unavailable') {
      return void response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '0' }).end('no upstream');
    }
    const [answer] = await Promise.all([forward(), ...(fault === 'doubled' ? [forward()] : [])]);
    if (fault === 'lost answer') return void request.socket.destroy();
    if (fault === 'delayed') await new Promise((resolve) => setTimeout(resolve, 100));
    give(response, answer, fault === 'cut answer');
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forwarded(target: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    send(`${target}${url}`, { method, headers }, (answer) => {
      buffer(answer).then((body) => resolve({ status: answer.statusCode!, headers: answer.headers, body }), reject);
    })
      .on('error', reject)
      .end(body);
  });
}

function give(response: ServerResponse, { status, headers, body }: Answer, isCut: boolean): void {
  const { 'transfer-encoding': _, ...rest } = headers;
  response.writeHead(status, { ...rest, 'content-length': body.length });
  if (!isCut) return void response.end(body);
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}

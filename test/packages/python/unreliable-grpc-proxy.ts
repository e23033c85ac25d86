import {
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Fault, UnreliableProxy } from '../typescript/unreliable-proxy.ts';

/** A whole answer of the service. */
type Answer = {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly trailers: IncomingHttpHeaders | undefined;
};

/**
 * Starts a proxy for gRPC that does to each request what `next` says. A lost request and a cut answer end the connection with everything on it; a
 * lost answer ends its stream alone.
 */
export async function unreliableGrpcProxy(target: string, next: () => Fault): Promise<UnreliableProxy> {
  const faults = new Map<Fault, number>();
  const sessions = new Set<ServerHttp2Session>();
  const upstream = connect(target);
  const server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    // The stream may have ended together with its connection, by the fault of another request.
    handle(stream as ServerHttp2Stream, headers).catch(() => stream.destroy());
  });
  const handle = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const body = await buffer(stream);
    const fault = next();
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
    const forward = () => forwarded(headers, body);
    if (fault === 'lost request') return stream.session?.destroy();
    if (fault === 'unavailable') {
      stream.respond({ ':status': 503, 'content-type': 'text/plain', 'retry-after': '0' });
      return void stream.end('no upstream');
    }
    const [answer] = await Promise.all([forward(), ...(fault === 'doubled' ? [forward()] : [])]);
    if (fault === 'lost answer') return stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    if (fault === 'delayed') await new Promise((resolve) => setTimeout(resolve, 100));
    give(stream, answer, fault === 'cut answer');
  };
  const forwarded = (headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { ':authority': _, ...rest } = headers;
      const request = upstream.request(rest);
      let answered: IncomingHttpHeaders = {};
      let trailers: IncomingHttpHeaders | undefined;
      request.on('response', (each) => (answered = each));
      request.on('trailers', (each) => (trailers = each));
      request.on('error', reject);
      buffer(request).then((content) => resolve({ headers: answered, body: content, trailers }), reject);
      request.end(body);
    });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    async close() {
      upstream.destroy();
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function give(stream: ServerHttp2Stream, { headers, body, trailers }: Answer, isCut: boolean): void {
  if (stream.destroyed) return;
  if (isCut) {
    stream.respond(headers);
    return void stream.write(body.subarray(0, body.length / 2), () => stream.session?.destroy());
  }
  if (trailers === undefined) return stream.respond(headers, { endStream: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.respond(headers, { waitForTrailers: true });
  stream.end(body);
}

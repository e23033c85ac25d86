import { type ClientHttp2Session, connect } from 'node:http2';
import type { Caller, CallersOptions, OpenCallers } from './callers.ts';

/** One unary call: its request headers, path included, and the message in binary. */
export type GrpcCall = { readonly headers: Readonly<Record<string, string>>; readonly message: Uint8Array };

/** Concurrent calls on one connection. gRPC clients keep few connections and many calls on each. */
const CALLS_PER_CONNECTION = 32;

/** gRPC over Node's own HTTP/2: a generated client costs several times as much, on the cores of the measured service. */
const openGrpcCallers: OpenCallers<GrpcCall> = async (options) => {
  const sessions = await Promise.all(
    Array.from({ length: Math.ceil(options.count / CALLS_PER_CONNECTION) }, () => open(options)),
  );
  return Array.from({ length: options.count }, (_, index) => callerOn(sessions[index % sessions.length]!, options));
};

export default openGrpcCallers;

function open({ host, port, onError }: CallersOptions<GrpcCall>): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const session = connect(`http://${host}:${port}`, {}, () => resolve(session));
    session.once('error', reject).on('error', onError);
  });
}

function callerOn(session: ClientHttp2Session, { next }: CallersOptions<GrpcCall>): Caller {
  return {
    call(done) {
      const { headers, message } = next();
      const stream = session.request({ ':method': 'POST', ...headers });
      let status: string | undefined;
      const read = (answered: Record<string, unknown>) => (status ??= answered['grpc-status'] as string | undefined);
      stream
        .on('response', read)
        .on('trailers', read)
        .on('data', () => {});
      stream.once('end', () => done(status === '0' ? undefined : `grpc-status ${status}`));
      stream.once('error', (error) => done(error.message));
      stream.end(framed(message));
    },
    close() {
      if (!session.closed) session.close();
    },
  };
}

/** A gRPC frame: no compression, the length in four bytes, and the message. */
function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(5 + message.length);
  frame.writeUInt8(0, 0);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
}

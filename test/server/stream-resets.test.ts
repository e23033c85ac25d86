import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grpcMessage } from '../faults/support/http2-frames.ts';
import { startTestServer, type TestServer } from './support.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({});
});
afterAll(() => server.close());

/** ListServices, as protobuf: field 7 of the request. */
const LIST_SERVICES = grpcMessage(Buffer.from([0x3a, 0x01, 0x2a]));

const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const HEALTH_WATCH = '/grpc.health.v1.Health/Watch';

const METHODS = [
  ['reflection', REFLECTION, LIST_SERVICES],
  ['a health watch', HEALTH_WATCH, grpcMessage(Buffer.alloc(0))],
] as const;

const TYPES = ['application/grpc', 'application/grpc-web+proto', 'application/connect+proto'];

const cases = METHODS.flatMap(([what, path, message]) => TYPES.map((type) => [what, type, path, message] as const));

/** Opens a stream that has been answered once and continues. */
async function openStream(session: ClientHttp2Session, type: string, path: string, message: Buffer) {
  const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': type, te: 'trailers' });
  stream.on('error', () => {});
  stream.write(message);
  // A watch has a single request message.
  if (path === HEALTH_WATCH) stream.end();
  await once(stream, 'data');
  return stream;
}

/** The new log lines, after as many streams of a path have ended as were opened. */
async function loggedSince(before: number, path: string, count: number) {
  const ended = () => server.log.slice(before).filter(({ route }) => route === path.slice(1));
  await expect.poll(() => ended().length, { timeout: 10_000 }).toBe(count);
  // Errors at the end of a stream are logged by the iterators behind it, at the latest in the next turns.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return { ended: ended(), errors: server.log.slice(before).filter(({ level }) => Number(level) >= 50) };
}

test.each(cases)('%s over %s: resets of every kind are no errors in the log', async (_, type, path, message) => {
  const before = server.log.length;
  const session = connectHttp2(server.url);
  const codes = [
    constants.NGHTTP2_CANCEL,
    constants.NGHTTP2_NO_ERROR,
    constants.NGHTTP2_INTERNAL_ERROR,
    constants.NGHTTP2_REFUSED_STREAM,
  ];
  for (const code of codes) (await openStream(session, type, path, message)).close(code);
  const { errors, ended } = await loggedSince(before, path, codes.length);
  expect(errors).toEqual([]);
  for (const line of ended) expect(Number(line['status'])).toBeLessThan(500);
  session.destroy();
});

test.each(cases)('%s over %s: a caller who hangs up is no error in the log', async (_, type, path, message) => {
  const before = server.log.length;
  const session = connectHttp2(server.url);
  session.on('error', () => {});
  await openStream(session, type, path, message);
  session.destroy();
  const { errors } = await loggedSince(before, path, 1);
  expect(errors).toEqual([]);
});

test.each(cases)(
  '%s over %s and HTTP/1.1: a caller who hangs up is no error in the log',
  async (_, type, path, message) => {
    const before = server.log.length;
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`);
    socket.write(`${message.length.toString(16)}\r\n`);
    socket.write(message);
    socket.write(path === HEALTH_WATCH ? '\r\n0\r\n\r\n' : '\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    const { errors } = await loggedSince(before, path, 1);
    expect(errors).toEqual([]);
  },
);

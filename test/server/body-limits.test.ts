import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  type IncomingHttpHeaders,
} from 'node:http2';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SessionService } from '../../gen/laurel/admin/v1/session_service_pb.ts';
import { grpcMessage } from '../faults/support/http2-frames.ts';
import { startTestServer, type TestServer } from './support.ts';

const SIGN_IN = { rest: '/admin/session/sign-in', rpc: '/laurel.admin.v1.SessionService/SignIn' };
const RESOLVE = { rest: '/accounts/resolve', rpc: '/laurel.v1.AccountService/ResolveAccount' };
const MIB = 2 ** 20;

let server: TestServer;
const sessions: ClientHttp2Session[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  server = await startTestServer(
    { resolveAccount: ({ externalId }) => ({ account: { externalId } }) },
    // A client may use half of it, and all callers without a credential an eighth: 256 KiB.
    { bodyBudgetBytes: 2 * MIB },
    (operations) => operations.add(SessionService, {}),
  );
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(held, { timeout: 10_000 }).toBe(0);
});
afterAll(() => server.close());

/** The bytes of bodies that the service reports to hold. */
async function held(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^http_request_body_bytes (\d+)$/m.exec(metrics)?.[1]);
}

function openSession(): ClientHttp2Session {
  const session = connectHttp2(server.url);
  session.on('error', () => {});
  session.setMaxListeners(0);
  sessions.push(session);
  return session;
}

/** A field of protobuf with number 1 and this many characters. */
const textField = (length: number) => {
  const size = [];
  for (let rest = length; ; rest >>= 7) {
    size.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([0x0a, ...size]), Buffer.alloc(length, 'x')]);
};

/** The call of an operation over each protocol, with a text of `characters` in its first field. */
const json = (length: number) => Buffer.from(JSON.stringify({ email: 'x'.repeat(length) }));
const PROTOCOLS = {
  REST: { path: SIGN_IN.rest, type: 'application/json', body: json, headers: {} },
  'REST, gzip': {
    path: SIGN_IN.rest,
    type: 'application/json',
    body: (length: number) => gzipSync(json(length)),
    headers: { 'content-encoding': 'gzip' },
  },
  Connect: { path: SIGN_IN.rpc, type: 'application/json', body: json, headers: {} },
  'Connect, gzip': {
    path: SIGN_IN.rpc,
    type: 'application/json',
    body: (length: number) => gzipSync(json(length)),
    headers: { 'content-encoding': 'gzip' },
  },
  gRPC: {
    path: SIGN_IN.rpc,
    type: 'application/grpc',
    body: (length: number) => grpcMessage(textField(length)),
    headers: { te: 'trailers' },
  },
  'gRPC, gzip': {
    path: SIGN_IN.rpc,
    type: 'application/grpc',
    body: (length: number) => grpcMessage(gzipSync(textField(length)), 1),
    headers: { te: 'trailers', 'grpc-encoding': 'gzip' },
  },
  'gRPC-Web': {
    path: SIGN_IN.rpc,
    type: 'application/grpc-web+proto',
    body: (length: number) => grpcMessage(textField(length)),
    headers: {},
  },
};

type Protocol = (typeof PROTOCOLS)[keyof typeof PROTOCOLS];

function openStream(session: ClientHttp2Session, { path, type, headers }: Omit<Protocol, 'body'>, token?: string) {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': type,
    ...headers,
    ...(token && { authorization: `Bearer ${token}` }),
  });
  stream.on('error', () => {});
  // The listener is added at the start, because the answer may come early.
  heads.set(stream, once(stream, 'response'));
  return stream;
}

const heads = new WeakMap<ClientHttp2Stream, Promise<unknown[]>>();

/** The answer of a stream: its HTTP status, or gRPC's converted to one, and the text. */
async function answerOf(stream: ClientHttp2Stream): Promise<{ status: number | undefined; words: string }> {
  let trailer: IncomingHttpHeaders = {};
  stream.on('trailers', (trailers) => (trailer = trailers));
  const [headers] = (await heads.get(stream)!) as [IncomingHttpHeaders & { ':status'?: number }];
  const body = await text(stream);
  const inTrailer = /grpc-status: ?(\d+)/.exec(body)?.[1];
  const grpc = Number(headers['grpc-status'] ?? trailer['grpc-status'] ?? inTrailer ?? 0);
  const words = [body, headers['grpc-message'], trailer['grpc-message']].join('');
  // Connect answers its RESOURCE_EXHAUSTED as 429.
  const status = headers[':status'] === 429 ? 413 : headers[':status'];
  return { status: { 8: 413, 14: 503, 12: 501 }[grpc] ?? status, words: decodeURIComponent(words) };
}

describe('a body without a credential', () => {
  test.each(Object.entries(PROTOCOLS))('of more than 8 KiB is 413 over HTTP/2: %s', async (_, protocol) => {
    const session = openSession();
    const large = openStream(session, protocol);
    large.end(protocol.body(20_000));
    expect((await answerOf(large)).status).toBe(413);
    const small = openStream(session, protocol);
    small.end(protocol.body(5_000));
    expect((await answerOf(small)).status).not.toBe(413);
  });

  test.each(Object.entries(PROTOCOLS).filter(([name]) => !name.startsWith('gRPC, ') && name !== 'gRPC'))(
    'of more than 8 KiB and of no stated length is 413 over HTTP/1.1: %s',
    async (_, { path, type, body, headers }) => {
      for (const [length, isTooLarge] of [
        [20_000, true],
        [5_000, false],
      ] as const) {
        const chunks = new ReadableStream({
          start(controller) {
            controller.enqueue(body(length));
            controller.close();
          },
        });
        const response = await fetch(`${server.url}${path}`, {
          method: 'POST',
          body: chunks,
          duplex: 'half',
          headers: { 'content-type': type, ...headers },
        } as RequestInit);
        const isRefused = response.status === 413 || / ?grpc-status: 8/.test(await response.text());
        const isResourceExhausted = response.headers.get('grpc-status') === '8' || response.status === 429;
        expect(isRefused || isResourceExhausted).toBe(isTooLarge);
      }
    },
  );

  test('of many who never end it takes its part of the budget and no more, and others can still sign in', async () => {
    const half = json(7_000).subarray(0, 6_000);
    const streams = [];
    for (let opened = 0; opened < 3; opened += 1) {
      const session = openSession();
      for (let stream = 0; stream < 100; stream += 1) {
        const open = openStream(session, stream % 2 === 0 ? PROTOCOLS.REST : PROTOCOLS.Connect);
        open.write(half);
        streams.push(open);
      }
    }
    // The oldest requests are told to come back.
    expect(await answerOf(streams[0]!)).toMatchObject({
      status: 503,
      words: expect.stringContaining('request bodies'),
    });
    expect(await answerOf(streams[1]!)).toMatchObject({ status: 503 });
    await expect.poll(held, { timeout: 10_000 }).toBeGreaterThan(200_000);
    expect(await held()).toBeLessThanOrEqual(MIB / 4);
    const signIn = openStream(openSession(), PROTOCOLS.REST);
    signIn.end(json(100));
    expect((await answerOf(signIn)).status).not.toBe(503);
  });

  test('is not read at all where the credential is unknown', async () => {
    const session = openSession();
    const streams = Array.from({ length: 50 }, () =>
      openStream(session, { ...PROTOCOLS.REST, path: RESOLVE.rest }, 'x'),
    );
    for (const stream of streams) stream.write(Buffer.alloc(200_000));
    for (const stream of streams) expect((await answerOf(stream)).status).toBe(401);
    expect(await held()).toBe(0);
  });
});

describe('all bodies together', () => {
  const CALLS = [
    ['REST', { ...PROTOCOLS.REST, path: RESOLVE.rest }],
    ['Connect', { ...PROTOCOLS.Connect, path: RESOLVE.rpc }],
    ['gRPC', { ...PROTOCOLS.gRPC, path: RESOLVE.rpc }],
    ['gRPC, gzip', { ...PROTOCOLS['gRPC, gzip'], path: RESOLVE.rpc }],
    ['gRPC-Web', { ...PROTOCOLS['gRPC-Web'], path: RESOLVE.rpc }],
  ] as const;

  test.each(CALLS)('have a budget, of which a client may hold half, and the next gets 503: %s', async (_, call) => {
    const session = openSession();
    const first = openStream(session, call, 'integrator');
    first.write(Buffer.concat([Buffer.from([0, 0, 15, 0, 0]), Buffer.alloc(600_000)]));
    await expect.poll(held, { timeout: 10_000 }).toBeGreaterThan(600_000);
    const second = openStream(session, call, 'integrator');
    second.write(Buffer.concat([Buffer.from([0, 0, 15, 0, 0]), Buffer.alloc(600_000)]));
    expect(await answerOf(second)).toMatchObject({ status: 503, words: expect.stringContaining('request bodies') });
    expect(await held()).toBeLessThanOrEqual(MIB);
    const other = openStream(session, { ...call }, 'neighbour');
    other.end(call.type === 'application/json' ? '{"externalId":"a"}' : grpcMessage(Buffer.from([0x0a, 1, 0x61])));
    expect((await answerOf(other)).status).not.toBe(503);
    first.close();
  });

  test('count only while they are held: a hundred calls of 100 KiB go through one after the other', async () => {
    const session = openSession();
    for (let round = 0; round < 100; round += 1) {
      const stream = openStream(session, { ...PROTOCOLS.REST, path: RESOLVE.rest }, 'integrator');
      stream.end(JSON.stringify({ externalId: 'x'.repeat(100_000) }));
      expect((await answerOf(stream)).status).toBeLessThan(500);
    }
  });

  test('of a stream count message by message', async () => {
    const session = openSession();
    const stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const question = grpcMessage(Buffer.concat([Buffer.from([0x22, 100]), Buffer.alloc(100, 'x')]));
    stream.resume();
    for (let asked = 0; asked < 200; asked += 1) stream.write(question);
    stream.write(question.subarray(0, 50));
    await expect.poll(held, { timeout: 10_000 }).toBe(50);
    stream.end(question.subarray(50));
    await once(stream, 'end');
    expect(await held()).toBe(0);
  });
});

test('a caller over HTTP/1.1 who goes away in the middle of its body holds nothing any more', async () => {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  const head = 'authorization: Bearer integrator\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n';
  socket.write(`POST ${RESOLVE.rest} HTTP/1.1\r\nhost: a\r\n${head}`);
  socket.write(Buffer.alloc(500_000));
  await expect.poll(held, { timeout: 10_000 }).toBe(500_000);
  socket.destroy();
  await expect.poll(held, { timeout: 10_000 }).toBe(0);
});

// gRPC's specification of a unary call, tested with two independent clients, and with raw frames that no client would send.
import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Code, createClient } from '@connectrpc/connect';
import { compressionGzip, createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { HealthCheckRequestSchema } from '../../gen/grpc/health/v1/health_pb.ts';
import {
  AccountService,
  ResolveAccountRequestSchema,
  ResolveAccountResponseSchema,
} from '../../gen/laurel/v1/account_service_pb.ts';
import { afterResponse } from '../../src/kernel/concurrency/after-response.ts';
import { DomainError } from '../../src/kernel/errors/domain-error.ts';
import { grpcMessage } from '../faults/support/http2-frames.ts';
import { answerOf, openCall, request } from './grpc-raw.ts';
import { BEARER, byConnect, byGrpcJs, PATH, type Resolve } from './grpc-clients.ts';
import { startTestServer, type TestServer } from './support.ts';

const MIB = 1_048_576;

let server: TestServer;
let session: ClientHttp2Session;

/** Work that a test releases: its started calls, its ended calls, and those that know that their caller was answered. */
let begun: string[] = [];
let done: string[] = [];
let answered: string[] = [];
let goOn = Promise.withResolvers<void>();

beforeAll(async () => {
  server = await startTestServer({
    async resolveAccount({ externalId }, context) {
      begun.push(externalId);
      if (externalId === 'refused') throw new DomainError('VERSION_CONFLICT', 'Read it again.');
      if (externalId.startsWith('slow')) await goOn.promise;
      done.push(externalId);
      afterResponse(context, () => answered.push(externalId));
      return { account: { externalId, name: externalId === 'large' ? 'x'.repeat(50_000) : '' } };
    },
  });
  session = connect(server.url);
});
afterEach(() => {
  goOn.resolve();
  goOn = Promise.withResolvers();
  [begun, done, answered] = [[], [], []];
});
afterAll(async () => {
  session.destroy();
  await server.close();
});

const open = (headers: Record<string, string> = {}) => openCall(session, headers);

function call(body: Buffer, headers: Record<string, string> = {}) {
  const stream = open(headers);
  const answer = answerOf(stream);
  stream.end(body);
  return answer;
}

const clients: Array<[string, Resolve]> = [
  ['grpc-js', (...call) => byGrpcJs(server, ...call)],
  ['Connect', (...call) => byConnect(server, ...call)],
];

describe('compression', () => {
  test.each(clients)('gzip is read and written, large and small, answer and error: %s', async (_, resolve) => {
    expect(await resolve({ externalId: 'large' }, { gzip: true })).toEqual({ name: 'x'.repeat(50_000) });
    expect(await resolve({ externalId: 'small' }, { gzip: true })).toEqual({ name: '' });
    const refused = { code: Code.FailedPrecondition, reason: 'VERSION_CONFLICT' };
    expect(await resolve({ externalId: 'refused' }, { gzip: true })).toEqual(refused);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])(
    '%s is read, and the answer of a caller that reads gzip is compressed if it is large',
    async (encoding, compress) => {
      const headers = { 'grpc-encoding': encoding, 'grpc-accept-encoding': 'identity, deflate,gzip' };
      const large = await call(grpcMessage(compress(request('large')), 1), headers);
      expect([large.status, large.heads['grpc-encoding'], large.body[0]]).toEqual([0, 'gzip', 1]);
      expect(large.body.length).toBeLessThan(1_000);
      const { account } = fromBinary(ResolveAccountResponseSchema, gunzipSync(large.body.subarray(5)));
      expect(account?.name).toHaveLength(50_000);
      expect((await call(grpcMessage(compress(request('small')), 1), headers)).body[0]).toBe(0);
      const plainOnly = await call(grpcMessage(compress(request('large')), 1), {
        ...headers,
        'grpc-accept-encoding': 'identity',
      });
      expect(plainOnly.body[0]).toBe(0);
    },
  );

  test('a caller that does not compress is not answered compressed, though it could read it', async () => {
    const { heads, body } = await call(grpcMessage(request('large')), { 'grpc-accept-encoding': 'gzip' });
    expect([heads['grpc-encoding'], body[0]]).toEqual([undefined, 0]);
  });

  test('a message may be left uncompressed though an encoding is named', async () => {
    expect(await call(grpcMessage(request('small')), { 'grpc-encoding': 'gzip' })).toMatchObject({ status: 0 });
  });

  test('that is not known is UNIMPLEMENTED, and the headers tell which are', async () => {
    const { heads, status } = await call(grpcMessage(request('small'), 1), { 'grpc-encoding': 'snappy' });
    expect([status, heads['grpc-accept-encoding']]).toEqual([Code.Unimplemented, 'gzip,deflate,br']);
    const transport = createGrpcTransport({
      baseUrl: server.url,
      sendCompression: { ...compressionGzip, name: 'snappy' },
      compressMinBytes: 0,
    });
    const refused = createClient(AccountService, transport).resolveAccount({ externalId: 'a' }, { headers: BEARER });
    await expect(refused).rejects.toMatchObject({ code: Code.Unimplemented });
    expect(begun).toEqual([]);
  });

  test.each([{}, { 'grpc-encoding': 'identity' }])(
    'that no header names is INTERNAL, and no fault of the service: %j',
    async (headers) => {
      const before = server.log.length;
      const { status, message } = await call(grpcMessage(gzipSync(request('a')), 1), headers as Record<string, string>);
      expect([status, message]).toEqual([Code.Internal, expect.stringContaining('grpc-encoding')]);
      await expect.poll(() => server.log.slice(before)).toContainEqual(expect.objectContaining({ status: 400 }));
      expect(server.log.slice(before).filter(({ level }) => Number(level) >= 50)).toEqual([]);
    },
  );

  test('bytes that are not what the header says are INVALID_ARGUMENT, in words', async () => {
    const { status, message } = await call(grpcMessage(request('a'), 1), { 'grpc-encoding': 'gzip' });
    expect([status, message]).toEqual([Code.InvalidArgument, expect.stringContaining('grpc-encoding')]);
  });
});

describe('sizes', () => {
  const gzip = { 'grpc-encoding': 'gzip' };
  test('a message of a mebibyte is taken and one byte more is RESOURCE_EXHAUSTED, before and after decompression', async () => {
    for (const [size, status] of [
      [MIB, 0],
      [MIB + 1, Code.ResourceExhausted],
    ] as const) {
      const message = request('at the limit', size);
      expect(message).toHaveLength(size);
      expect(await call(grpcMessage(message))).toMatchObject({ status });
      expect(await call(grpcMessage(gzipSync(message), 1), gzip)).toMatchObject({ status });
    }
  });

  test.each(clients)('the same with %s', async (_, resolve) => {
    const message = fromBinary(ResolveAccountRequestSchema, request('at the limit', MIB));
    const longer = fromBinary(ResolveAccountRequestSchema, request('at the limit', MIB + 1));
    for (const how of [{}, { gzip: true }]) {
      expect(await resolve(message, how)).toEqual({ name: '' });
      const refused = { code: Code.ResourceExhausted, reason: 'PAYLOAD_TOO_LARGE' };
      expect(await resolve(longer, how)).toEqual(refused);
    }
  });

  test('a small message that grows to 200 MB is RESOURCE_EXHAUSTED', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MIB));
    expect(bomb.length).toBeLessThan(MIB);
    expect(await call(grpcMessage(bomb, 1), gzip)).toMatchObject({ status: Code.ResourceExhausted });
  });

  test('a message of no bytes is one, and says nothing: plain and compressed', async () => {
    const health = { ':path': '/grpc.health.v1.Health/Check' };
    expect(toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema))).toHaveLength(0);
    expect(await call(grpcMessage(Buffer.alloc(0)), health)).toMatchObject({ status: 0 });
    expect(await call(grpcMessage(gzipSync(''), 1), { ...health, ...gzip })).toMatchObject({ status: 0 });
    expect(await call(grpcMessage(Buffer.alloc(0)))).toMatchObject({
      status: Code.InvalidArgument,
      message: expect.stringContaining('externalId'),
    });
  });
});

test('a message that comes in frames of a byte each is read', async () => {
  const stream = open();
  const answer = answerOf(stream);
  for (const byte of grpcMessage(request('byte by byte'))) {
    await new Promise<void>((written) => stream.write(Buffer.from([byte]), () => written()));
  }
  stream.end();
  expect(await answer).toMatchObject({ status: 0 });
  expect(done).toEqual(['byte by byte']);
});

describe('headers', () => {
  test('a content type that is not gRPC is 415, another method 405, and `te` may be missing', async () => {
    const wrong = await call(grpcMessage(request('a')), { 'content-type': 'text/plain' });
    expect(wrong.heads[':status']).toBe(415);
    const unknown = await call(grpcMessage(request('a')), { 'content-type': 'application/grpc+thrift' });
    expect(unknown.heads[':status']).toBe(415);
    for (const method of ['GET', 'HEAD']) {
      const stream = open({ ':method': method });
      stream.end();
      const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
      stream.resume();
      expect([head[':status'], head['allow']], method).toEqual([405, 'POST']);
    }
    const stream = session.request({ ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc', ...BEARER });
    stream.end(grpcMessage(request('no te')));
    expect(await answerOf(stream)).toMatchObject({ status: 0 });
  });

  test.each(['AQI', 'AQI=', 'AQI,AQI=', 'AQ==,no base64!'])(
    'binary metadata that nobody knows is let be: %s',
    async (value) => {
      expect(await call(grpcMessage(request('a')), { 'x-trace-bin': value })).toMatchObject({ status: 0 });
    },
  );

  test.each(clients)('binary metadata is sent by %s, and an error details read', async (_, resolve) => {
    const binary = Buffer.from([1, 2, 255]);
    expect(await resolve({ externalId: 'a' }, { binary })).toEqual({ name: '' });
    const refused = { code: Code.FailedPrecondition, reason: 'VERSION_CONFLICT' };
    expect(await resolve({ externalId: 'refused' }, { binary })).toEqual(refused);
  });
});

describe('a deadline', () => {
  const exceeded = { status: Code.DeadlineExceeded };

  test.each(['50m', '50000u', '50000000n', '1S'])(
    'of %s that passes is DEADLINE_EXCEEDED, to a caller that still listens; the work that has begun is done, once',
    async (timeout) => {
      expect(await call(grpcMessage(request('slow')), { 'grpc-timeout': timeout })).toMatchObject(exceeded);
      expect([begun, done]).toEqual([['slow'], []]);
      goOn.resolve();
      await expect.poll(() => [done, answered]).toEqual([['slow'], ['slow']]);
    },
  );

  test('holds for a compressed call too', async () => {
    const headers = { 'grpc-encoding': 'gzip', 'grpc-timeout': '50m' };
    expect(await call(grpcMessage(gzipSync(request('slow')), 1), headers)).toMatchObject(exceeded);
  });

  test.each(['1M', '1H', '99999999H', '99999999n'])('of %s that is kept changes nothing', async (timeout) => {
    expect(await call(grpcMessage(request('a')), { 'grpc-timeout': timeout })).toMatchObject({ status: 0 });
  });

  test('that has passed before the message is there begins nothing', async () => {
    expect(await call(grpcMessage(request('late')), { 'grpc-timeout': '0n' })).toMatchObject(exceeded);
    const half = open({ 'grpc-timeout': '50m' });
    const answer = answerOf(half);
    half.write(grpcMessage(request('late')).subarray(0, 6));
    expect(await answer).toMatchObject(exceeded);
    half.end(grpcMessage(request('late')).subarray(6));
    expect(await call(grpcMessage(request('next')))).toMatchObject({ status: 0 });
    expect(begun).toEqual(['next']);
  });

  test.each(['soon', '-1m', '1x', '123456789S', '1.5S', 'S'])('of %j is INVALID_ARGUMENT', async (timeout) => {
    const { status, message } = await call(grpcMessage(request('a')), { 'grpc-timeout': timeout });
    expect([status, message]).toEqual([Code.InvalidArgument, expect.stringContaining('grpc-timeout')]);
  });

  test.each(clients)('is kept by %s, and the work that has begun is done', async (_, resolve) => {
    expect(await resolve({ externalId: 'slow' }, { timeoutMs: 200 })).toMatchObject({ code: Code.DeadlineExceeded });
    await expect.poll(() => begun).toEqual(['slow']);
    goOn.resolve();
    await expect.poll(() => [done, answered]).toEqual([['slow'], ['slow']]);
  });
});

describe('a caller that cancels', () => {
  test.each(clients)(
    'in the middle of the work (%s) leaves nothing behind: it is done, and what follows it is done',
    async (_, resolve) => {
      const before = server.log.length;
      const controller = new AbortController();
      const result = resolve({ externalId: 'slow' }, { signal: controller.signal });
      await expect.poll(() => begun).toEqual(['slow']);
      controller.abort();
      expect(await result).toMatchObject({ code: Code.Canceled });
      const cancelled = expect.objectContaining({ msg: 'answered', status: 499 });
      await expect.poll(() => server.log.slice(before)).toContainEqual(cancelled);
      goOn.resolve();
      await expect.poll(() => [done, answered]).toEqual([['slow'], ['slow']]);
      expect(server.log.slice(before).filter(({ level }) => Number(level) >= 50)).toEqual([]);
    },
  );

  test('before its message is complete begins nothing, and its bytes are held no more', async () => {
    const half = open();
    half.write(grpcMessage(request('late', MIB / 2)).subarray(0, 100_000));
    const held = async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      return Number(/^http_request_body_bytes (\d+)$/m.exec(metrics)?.[1]);
    };
    await expect.poll(held).toBe(100_000);
    half.close(constants.NGHTTP2_CANCEL);
    await expect.poll(held).toBe(0);
    expect(begun).toEqual([]);
  });
});

import { gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { EmitTriggerRequestSchema } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import {
  damaged,
  FLAG,
  FRAME,
  frame,
  grpcMessage,
  headerBlock,
  PREFACE,
  randomBytes,
  request,
} from './http2-frames.ts';

/** The bytes of a connection, sent at once. */
export type Speech = {
  readonly name: string;
  /** Whether the bytes differ at each call. */
  readonly varies?: true;
  readonly bytes: (random: () => number) => Uint8Array;
};

/** All speeches, by a caller with a valid credential. */
export function speeches(apiKey: string): Speech[] {
  return [...http1(apiKey), ...http2(apiKey), ...grpc(apiKey)];
}

const event = { programmaticCode: 'LOGIN', accountId: 'ann', idType: 'EXTERNAL' };
const RPC = '/laurel.v1.TriggerService/EmitTrigger';

const headersOf = (apiKey: string, path: string, contentType: string): Record<string, string> => ({
  ':method': 'POST',
  ':scheme': 'http',
  ':authority': 'localhost',
  ':path': path,
  'content-type': contentType,
  te: 'trailers',
  authorization: `Bearer ${apiKey}`,
});

/** An invalid request over HTTP/1.1. */
function http1(apiKey: string): Speech[] {
  const body = JSON.stringify(event);
  const head = (more: string) =>
    `POST /gamification/triggers HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${apiKey}\r\ncontent-type: application/json\r\n${more}\r\n`;
  const valid = Buffer.from(`${head(`content-length: ${body.length}\r\n`)}${body}`);
  const fixed: Readonly<Record<string, string>> = {
    'a length that lies': `${head('content-length: 99999\r\n')}${body}`,
    'chunks of no size': `${head('transfer-encoding: chunked\r\n')}zz\r\n${body}\r\n0\r\n\r\n`,
    'a chunk without end': `${head('transfer-encoding: chunked\r\n')}ffffffffffffffff\r\n${body}`,
    'length and chunks': `${head('content-length: 3\r\ntransfer-encoding: chunked\r\n')}0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
    'headers without end': `GET / HTTP/1.1\r\n${'x: y\r\n'.repeat(20_000)}`,
    'a header of 1 MiB': `GET / HTTP/1.1\r\nx: ${'y'.repeat(1_048_576)}\r\n\r\n`,
    'an address of 1 MiB': `GET /${'y'.repeat(1_048_576)} HTTP/1.1\r\nhost: a\r\n\r\n`,
    'a hundred requests in a row': 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(100),
    'an upgrade': 'GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: h2c\r\nhttp2-settings: AAAA\r\n\r\n',
    'a compressed body that is none': `${head(`content-encoding: gzip\r\ncontent-length: ${body.length}\r\n`)}${body}`,
    'a tunnel': 'CONNECT localhost:5432 HTTP/1.1\r\nhost: localhost:5432\r\n\r\n',
    'another protocol': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  };
  return [
    { name: 'a damaged request', bytes: (random) => damaged(valid, random), varies: true },
    { name: 'noise', bytes: (random) => randomBytes(300, random), varies: true },
    ...Object.entries(fixed).map(([name, text]) => ({ name, bytes: () => Buffer.from(text, 'latin1') })),
  ];
}

/** Frames in an order, of a kind, or in a number that HTTP/2 does not allow. */
function http2(apiKey: string): Speech[] {
  const rest = headersOf(apiKey, '/gamification/triggers', 'application/json');
  const withPreface = (...frames: Uint8Array[]) => Buffer.concat([PREFACE, ...frames]);
  const body = frame(FRAME.DATA, FLAG.END_STREAM, 1, Buffer.from(JSON.stringify(event)));
  const times = (count: number, make: (index: number) => Uint8Array) =>
    Array.from({ length: count }, (_, index) => make(index));
  const block = headerBlock(rest);
  const fixed: Readonly<Record<string, () => Uint8Array>> = {
    'headers that are no HPACK': () => withPreface(frame(FRAME.HEADERS, 5, 1, Buffer.alloc(64, 0xff))),
    'a table that is too large': () =>
      withPreface(frame(FRAME.HEADERS, 5, 1, Buffer.from([0x3f, 0xff, 0xff, 0xff, 0x7f]))),
    'a flood of continuations': () =>
      withPreface(
        frame(FRAME.HEADERS, 0, 1, block),
        ...times(3_000, () => frame(FRAME.CONTINUATION, 0, 1, headerBlock({ x: 'y'.repeat(200) }))),
      ),
    'a flood of empty continuations': () =>
      withPreface(frame(FRAME.HEADERS, 0, 1, block), ...times(20_000, () => frame(FRAME.CONTINUATION, 0, 1))),
    'streams that are reset at once': () =>
      withPreface(
        ...times(2_000, (index) =>
          Buffer.concat([
            request(2 * index + 1, rest, false),
            frame(FRAME.RST_STREAM, 0, 2 * index + 1, Buffer.from([0, 0, 0, 8])),
          ]),
        ),
      ),
    'a flood of pings': () => withPreface(...times(20_000, () => frame(FRAME.PING, 0, 0, Buffer.alloc(8)))),
    'a flood of settings': () =>
      withPreface(...times(10_000, () => frame(FRAME.SETTINGS, 0, 0, Buffer.from([0, 4, 0, 0, 0, 1])))),
    'a flood of empty data': () =>
      withPreface(request(1, rest, false), ...times(20_000, () => frame(FRAME.DATA, 0, 1))),
    'a window that overflows': () =>
      withPreface(
        request(1, rest, false),
        ...times(3, () => frame(FRAME.WINDOW_UPDATE, 0, 1, Buffer.from([0x7f, 255, 255, 255]))),
      ),
    'no window, and a hundred large answers': () =>
      withPreface(
        frame(FRAME.SETTINGS, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])),
        ...times(100, (index) => request(2 * index + 1, { ...rest, ':method': 'GET', ':path': '/openapi.json' })),
      ),
    'data before headers': () => withPreface(body),
    'headers on stream 0': () => withPreface(frame(FRAME.HEADERS, 5, 0, block)),
    'streams of the server': () =>
      withPreface(request(2, rest), frame(FRAME.PUSH_PROMISE, 4, 1, Buffer.concat([Buffer.alloc(4), block]))),
    'more padding than frame': () =>
      withPreface(frame(FRAME.HEADERS, 13, 1, Buffer.concat([Buffer.from([255]), block]))),
    'a stream that depends on itself': () =>
      withPreface(frame(FRAME.PRIORITY, 0, 1, Buffer.from([0, 0, 0, 1, 15])), request(1, rest, false), body),
    'headers of 1 MiB': () =>
      withPreface(
        request(1, { ...rest, x: 'y'.repeat(16_000) }),
        ...times(64, (index) => request(2 * index + 3, { ...rest, x: 'y'.repeat(16_000) })),
      ),
    'two thousand streams': () => withPreface(...times(2_000, (index) => request(2 * index + 1, rest, false))),
    'a frame that claims 16 MiB': () => withPreface(frame(FRAME.DATA, 0, 1, Buffer.alloc(64), 0xffffff)),
    'a method of its own': () =>
      withPreface(request(1, { ...rest, ':method': 'B R E W' }), request(3, { ':path': '/' }), request(5, {})),
    'a length that lies': () => withPreface(request(1, { ...rest, 'content-length': '3' }, false), body),
  };
  const valid = withPreface(request(1, rest, false), body);
  return [
    {
      name: 'damaged frames',
      varies: true,
      bytes: (random) => Buffer.concat([PREFACE, damaged(valid.subarray(PREFACE.length), random)]),
    },
    {
      name: 'random frames',
      varies: true,
      bytes(random) {
        const oneOf = (count: number) => Math.floor(random() * count);
        return withPreface(...times(30, () => frame(oneOf(12), oneOf(256), oneOf(9), randomBytes(oneOf(40), random))));
      },
    },
    ...Object.entries(fixed).map(([name, bytes]) => ({ name, bytes })),
  ];
}

/** Messages with wrong gRPC framing, and some that only claim to be gRPC. */
function grpc(apiKey: string): Speech[] {
  const message = toBinary(
    EmitTriggerRequestSchema,
    create(EmitTriggerRequestSchema, { trigger: { ...event, idType: 1 } }),
  );
  const bomb = gzipSync(Buffer.alloc(8 * 1_048_576));
  const call = (data: Uint8Array, more: Readonly<Record<string, string>> = {}, path = RPC) =>
    Buffer.concat([
      PREFACE,
      request(1, { ...headersOf(apiKey, path, 'application/grpc'), ...more }, false),
      ...Array.from({ length: Math.ceil(data.length / 16_384) }, (_, index) =>
        frame(FRAME.DATA, 0, 1, data.subarray(index * 16_384, (index + 1) * 16_384)),
      ),
      frame(FRAME.DATA, FLAG.END_STREAM, 1),
    ]);
  const fixed: Readonly<Record<string, () => Uint8Array>> = {
    'gRPC: a length beyond the end': () => call(grpcMessage(message, 0, message.length + 100)),
    'gRPC: a length of 4 GiB': () => call(grpcMessage(message, 0, 0xffffffff)),
    'gRPC: a length too short': () => call(grpcMessage(message, 0, 3)),
    'gRPC: compressed without an encoding': () => call(grpcMessage(message, 1)),
    'gRPC: an unknown flag': () => call(grpcMessage(message, 0x7e)),
    'gRPC: an unknown encoding': () => call(grpcMessage(message, 1), { 'grpc-encoding': 'snappy' }),
    'gRPC: gzip that is none': () => call(grpcMessage(message, 1), { 'grpc-encoding': 'gzip' }),
    'gRPC: a bomb': () => call(grpcMessage(bomb, 1), { 'grpc-encoding': 'gzip' }),
    'gRPC: two messages': () => call(Buffer.concat([grpcMessage(message), grpcMessage(message)])),
    'gRPC: no message': () => call(Buffer.alloc(0)),
    'gRPC: a time limit of nonsense': () => call(grpcMessage(message), { 'grpc-timeout': '99999999999H' }),
    'gRPC: no time': () => call(grpcMessage(message), { 'grpc-timeout': '1n' }),
    'gRPC: no such method': () => call(grpcMessage(message), {}, '/laurel.v1.TriggerService/No'),
    'gRPC: metadata that are no base64': () => call(grpcMessage(message), { 'x-bin': '%%%' }),
  };
  return [
    { name: 'gRPC: a damaged message', varies: true, bytes: (random) => call(grpcMessage(damaged(message, random))) },
    { name: 'gRPC: a damaged frame', varies: true, bytes: (random) => call(damaged(grpcMessage(message), random)) },
    {
      name: 'gRPC-Web: a damaged frame',
      varies: true,
      bytes: (random) => call(damaged(grpcMessage(message), random), { 'content-type': 'application/grpc-web+proto' }),
    },
    {
      name: 'Connect: a damaged message',
      varies: true,
      bytes: (random) => call(damaged(message, random), { 'content-type': 'application/proto' }),
    },
    ...Object.entries(fixed).map(([name, bytes]) => ({ name, bytes })),
  ];
}

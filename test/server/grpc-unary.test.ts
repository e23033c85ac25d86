import { once } from 'node:events';
import { connect } from 'node:http2';
import { gunzipSync, gzipSync } from 'node:zlib';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Code, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AccountService,
  ResolveAccountRequestSchema,
  ResolveAccountResponseSchema,
} from '../../gen/laurel/v1/account_service_pb.ts';
import { DomainError } from '../../src/kernel/errors/domain-error.ts';
import { callByGrpcJs } from './grpc-js.ts';
import { startTestServer, type TestServer } from './support.ts';

/** A message with all characters that clients decode in different ways. */
const REFUSAL = 'Busy, "100 %": GET /ü/€?a=b&c; #1 + 2.';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    async resolveAccount({ externalId }, context) {
      if (externalId === 'refused') throw new DomainError('VERSION_CONFLICT', REFUSAL);
      context.responseHeader.set('Idempotency-Replayed', 'true');
      return { account: { externalId } };
    },
  });
});
afterAll(() => server.close());

/** The encoding of gRPC: only unprintable characters and the percent sign are encoded. */
const SPELT = 'Busy, "100 %25": GET /%C3%BC/%E2%82%AC?a=b&c; #1 + 2.';

const PATH = '/laurel.v1.AccountService/ResolveAccount';

/** One raw call: the headers, the body and the trailers of its answer. */
async function call(body: Buffer, headers: Record<string, string> = {}) {
  const session = connect(server.url);
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': PATH,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: 'Bearer integrator',
      ...headers,
    });
    let answered: Record<string, unknown> = {};
    stream.on('response', (head) => (answered = { ...answered, ...head }));
    stream.on('trailers', (trailers) => (answered = { ...answered, ...trailers }));
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.end(body);
    await once(stream, 'end');
    return { answered, body: Buffer.concat(chunks), status: Number(answered['grpc-status']) };
  } finally {
    session.close();
  }
}

function framed(message: Uint8Array, { flags = 0, length = message.length } = {}): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flags, 0);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

function request(externalId: string): Uint8Array {
  return toBinary(ResolveAccountRequestSchema, create(ResolveAccountRequestSchema, { externalId }));
}

describe('a plain unary call', () => {
  test('is answered with one message, the headers of the operation, and the status in the trailers', async () => {
    const { answered, body, status } = await call(framed(request('ada')));
    expect(status).toBe(0);
    expect(answered).toMatchObject({
      ':status': 200,
      'content-type': 'application/grpc+proto',
      'idempotency-replayed': 'true',
    });
    expect(body.readUInt32BE(1)).toBe(body.length - 5);
    expect(fromBinary(ResolveAccountResponseSchema, body.subarray(5)).account?.externalId).toBe('ada');
  });

  test('that fails has its status in the headers and no message', async () => {
    const { answered, body, status } = await call(framed(request('refused')));
    expect(status).toBe(Code.FailedPrecondition);
    expect(answered['grpc-message']).toBe(SPELT);
    expect(answered['grpc-status-details-bin']).toBeDefined();
    expect(body).toHaveLength(0);
  });

  test('breaks a rule of its proto: INVALID_ARGUMENT', async () => {
    const { status, answered } = await call(framed(request('')));
    expect(status).toBe(Code.InvalidArgument);
    expect(decodeURIComponent(String(answered['grpc-message']))).toContain('externalId');
  });

  test('without a credential is UNAUTHENTICATED', async () => {
    expect(await call(framed(request('ada')), { authorization: 'Bearer nobody' })).toMatchObject({
      status: Code.Unauthenticated,
    });
  });

  test.each<[string, Buffer, RegExp]>([
    ['half a prefix', Buffer.from([0, 0, 0]), /shorter/],
    ['half a message', framed(request('ada'), { length: 500 }), /shorter/],
    ['bytes that are no message', framed(Buffer.from([0xff, 0xff, 0xff])), /is no laurel\.v1\.ResolveAccountRequest/],
  ])('of %s is INVALID_ARGUMENT, in words', async (_what, body, words) => {
    const { status, answered } = await call(body);
    expect(status).toBe(Code.InvalidArgument);
    expect(decodeURIComponent(String(answered['grpc-message']))).toMatch(words);
  });

  test.each([
    ['no message', Buffer.alloc(0)],
    ['two messages', Buffer.concat([framed(request('ada')), framed(request('bob'))])],
    ['a message and bytes after it', Buffer.concat([framed(request('ada')), Buffer.from([0, 0])])],
  ])('of %s is UNIMPLEMENTED: it has one message', async (_what, body) => {
    const { status, answered } = await call(body);
    expect(status).toBe(Code.Unimplemented);
    expect(decodeURIComponent(String(answered['grpc-message']))).toMatch(/has one message/);
  });

  test('of more than a mebibyte is RESOURCE_EXHAUSTED', async () => {
    expect(await call(framed(Buffer.alloc(1_048_577)))).toMatchObject({ status: Code.ResourceExhausted });
  });
});

describe('what is not plain is served too', () => {
  test('compressed messages', async () => {
    const { status, body, answered } = await call(framed(gzipSync(request('ada')), { flags: 1 }), {
      'grpc-encoding': 'gzip',
      'grpc-accept-encoding': 'gzip',
    });
    expect(status).toBe(0);
    const sent =
      answered['grpc-encoding'] === 'gzip' && body[0] === 1 ? gunzipSync(body.subarray(5)) : body.subarray(5);
    expect(fromBinary(ResolveAccountResponseSchema, sent).account?.externalId).toBe('ada');
  });

  test('and an error in words is spelt like any other', async () => {
    const { status, answered } = await call(framed(gzipSync(request('refused')), { flags: 1 }), {
      'grpc-encoding': 'gzip',
    });
    expect([status, answered['grpc-message']]).toEqual([Code.FailedPrecondition, SPELT]);
  });

  test('JSON as the codec', async () => {
    const { status, body } = await call(framed(Buffer.from('{"externalId":"ada"}')), {
      'content-type': 'application/grpc+json',
    });
    expect(status).toBe(0);
    expect(JSON.parse(body.subarray(5).toString())).toMatchObject({ account: { externalId: 'ada' } });
  });
});

test('the words of an error are read by grpc-js and by Connect as they were written', async () => {
  const { resolveAccount } = AccountService.method;
  const address = server.url.replace('http://', '');
  await expect(callByGrpcJs(address, resolveAccount, { externalId: 'refused' }, 'integrator')).rejects.toMatchObject({
    details: REFUSAL,
  });
  const transport = createGrpcTransport({ baseUrl: server.url });
  const client = createClient(AccountService, transport);
  const headers = { authorization: 'Bearer integrator' };
  await expect(client.resolveAccount({ externalId: 'refused' }, { headers })).rejects.toMatchObject({
    rawMessage: REFUSAL,
  });
});

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Code, ConnectError, createClient, type HandlerContext } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { afterResponse } from '../../src/kernel/after-response.ts';
import { exchangeKey } from '../../src/server/exchange.ts';
import { DEFAULT_TIMEOUTS } from '../../src/server/one-port.ts';
import { startTestServer, type TestServer } from './support.ts';

const run = promisify(execFile);
const BEARER = { authorization: 'Bearer integrator' };
const TWO_MEBIBYTES = JSON.stringify({ externalId: 'x'.repeat(2 * 1_048_576) });

let server: TestServer;
let afterwards: ((context: HandlerContext) => void) | undefined;
beforeAll(async () => {
  server = await startTestServer(
    {
      async resolveAccount({ externalId }, context) {
        afterResponse(context, () => afterwards?.(context));
        return { account: { externalId } };
      },
    },
    { timeouts: { ...DEFAULT_TIMEOUTS, headers: 300 }, corsOrigins: ['https://console.example'] },
  );
});
afterAll(() => server.close());

describe('bodies', () => {
  test.each(['--http1.1', '--http2-prior-knowledge'])('two mebibytes are 413 over REST (%s)', async (version) => {
    const call = run('curl', ['-si', version, ...authorized, '--data-binary', '@-', `${server.url}/accounts/resolve`]);
    call.child.stdin?.end(TWO_MEBIBYTES);
    const { stdout } = await call;
    expect(stdout).toMatch(/^HTTP\/\S+ 413/);
    expect(stdout).toContain('"code":"PAYLOAD_TOO_LARGE"');
  });

  test('two mebibytes of unannounced length are 413 too', async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 32; sent += 1) controller.enqueue(Buffer.alloc(65_536, 32));
        controller.close();
      },
    });
    const response = await fetch(`${server.url}/accounts/resolve`, {
      method: 'POST',
      body: chunks,
      duplex: 'half',
      headers: BEARER,
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  test('two mebibytes are RESOURCE_EXHAUSTED over gRPC', async () => {
    const client = createClient(AccountService, createGrpcTransport({ baseUrl: server.url }));
    const error = await client
      .resolveAccount({ externalId: 'x'.repeat(2 * 1_048_576) }, { headers: BEARER })
      .catch(ConnectError.from);
    expect(error).toMatchObject({ code: Code.ResourceExhausted });
    expect(await logged('grpc', 413)).toBe(true);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('%s is understood, and a bomb in it is 413', async (encoding, compress) => {
    const headers = { ...BEARER, 'content-encoding': encoding };
    const fine = await fetch(`${server.url}/accounts/resolve`, {
      method: 'POST',
      headers,
      body: compress('{"externalId":"a"}'),
    });
    expect(await fine.json()).toEqual({ account: { externalId: 'a' } });
    const bomb = await fetch(`${server.url}/accounts/resolve`, {
      method: 'POST',
      headers,
      body: compress(TWO_MEBIBYTES),
    });
    expect(bomb.status).toBe(413);
    const broken = await fetch(`${server.url}/accounts/resolve`, { method: 'POST', headers, body: 'not compressed' });
    expect(broken.status).toBe(400);
  });

  test('an unknown encoding is 415', async () => {
    const headers = { ...BEARER, 'content-encoding': 'lzw' };
    const response = await fetch(`${server.url}/accounts/resolve`, { method: 'POST', headers, body: 'x' });
    expect(response.status).toBe(415);
  });

  test('who waits for "continue" is authenticated before the body is sent', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST /accounts/resolve HTTP/1.1\r\nhost: a\r\ncontent-length: 18\r\nexpect: 100-continue\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 401/);
    const welcome = connect(server.port, '127.0.0.1');
    welcome.write('POST /accounts/resolve HTTP/1.1\r\nhost: a\r\nauthorization: Bearer integrator\r\n');
    welcome.write('content-length: 18\r\nexpect: 100-continue\r\n\r\n');
    const [first] = await once(welcome, 'data');
    expect(String(first)).toMatch(/^HTTP\/1.1 100/);
    welcome.write('{"externalId":"a"}');
    expect(await text(welcome)).toMatch(/^HTTP\/1.1 200/);
  });

  test('a caller who is refused unread may use the connection again', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST /accounts/resolve HTTP/1.1\r\nhost: a\r\ncontent-length: 18\r\n\r\n{"externalId":"a"}');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 401/);
    socket.end('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200/);
  });
});

describe('malformed HTTP', () => {
  test.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400, 'BAD_REQUEST'],
    ['nearly the HTTP/2 preface', 'PRI * HTTP/3.0\r\n\r\n', 400, 'BAD_REQUEST'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    ['huge headers', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['headers that never end', 'GET / HTTP/1.1\r\nhost: a\r\n', 408, 'REQUEST_TIMEOUT'],
  ])('%s get words and a hang-up', async (_name, bytes, statusCode, code) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${statusCode}`);
    expect(JSON.parse(body)).toMatchObject({ statusCode, code, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  test.each(['', 'PRI * HT'])('a connection that says no more than %j is dropped in time', async (bytes) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(bytes);
    socket.on('error', () => {});
    await once(socket, 'close');
  });

  test('an HTTP/2 session that breaks its protocol ends alone', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${'\xff'.repeat(64)}`, 'latin1');
    await text(socket);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  test('a body that never comes is refused in time, and the connection dropped', async () => {
    const patient = await startTestServer({}, { timeouts: { ...DEFAULT_TIMEOUTS, headers: 200, request: 400 } });
    const socket = connect(patient.port, '127.0.0.1');
    socket.write(
      'POST /accounts/resolve HTTP/1.1\r\nhost: a\r\nauthorization: Bearer integrator\r\ncontent-length: 9\r\n\r\n',
    );
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408/);
    await patient.close();
  });
});

describe('trace', () => {
  test.each([
    ['REST', '/accounts/resolve'],
    ['Connect', '/laurel.v1.AccountService/ResolveAccount'],
  ])('an incoming traceparent is continued in the answer and the log (%s)', async (_name, path) => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { ...BEARER, 'content-type': 'application/json', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const response = await fetch(server.url + path, { method: 'POST', headers, body: '{"externalId":""}' });
    expect(response.headers.get('traceparent')).toMatch(
      new RegExp(`^00-${traceId}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`),
    );
    expect(await response.text()).toContain(traceId);
    expect(server.log.find((line) => line['traceId'] === traceId)).toMatchObject({
      msg: 'answered',
      route: 'laurel.v1.AccountService/ResolveAccount',
      status: 400,
      clientId: expect.any(String),
    });
    server.log.length = 0;
  });

  test.each(['', 'nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${'1'.repeat(32)}-00f067aa0ba902b7-01`])(
    'a traceparent of %j starts a new trace',
    async (traceparent) => {
      const response = await fetch(`${server.url}/healthz`, { headers: { traceparent } });
      expect(response.headers.get('traceparent')).toMatch(/^00-(?!0{32}|1{32})[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    },
  );

  test('neither the token, nor the body, nor the query is logged', async () => {
    await fetch(`${server.url}/accounts/resolve?q=query-word`, {
      method: 'POST',
      headers: BEARER,
      body: '{"externalId":"body-word"}',
    });
    await fetch(`${server.url}/accounts/resolve`, {
      method: 'POST',
      headers: BEARER,
      body: '{"externalId":"body-word"}',
    });
    expect(JSON.stringify(server.log)).not.toMatch(/Bearer|integrator|query-word|body-word/);
  });
});

describe('after the response', () => {
  const paths = { REST: '/accounts/resolve', Connect: '/laurel.v1.AccountService/ResolveAccount' };
  const versions = ['--http1.1', '--http2-prior-knowledge'];
  const cases = Object.entries(paths).flatMap(([name, path]) =>
    versions.map((version) => [name, version, path] as const),
  );

  test.each(cases)(
    'a callback runs once the answer has been handed to the system (%s, %s)',
    async (_name, version, path) => {
      const written = Promise.withResolvers<boolean | undefined>();
      afterwards = (context) => written.resolve(context.values.get(exchangeKey)?.response.writableFinished);
      const json = ['-H', 'content-type: application/json', '-d', '{"externalId":"a"}'];
      const { stdout } = await run('curl', ['-s', version, ...authorized, ...json, server.url + path]);
      expect(stdout).toContain('externalId');
      expect(await written.promise).toBe(true);
    },
  );

  test('a callback runs also when the caller has gone, and one that fails is only logged', async () => {
    const called = Promise.withResolvers<void>();
    afterwards = () => {
      called.resolve();
      throw new Error('callback at fault');
    };
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      'POST /accounts/resolve HTTP/1.1\r\nhost: a\r\nauthorization: Bearer integrator\r\ncontent-length: 18\r\n\r\n{"externalId":"a"}',
    );
    socket.resetAndDestroy();
    await Promise.race([called.promise, logged('rest', 400)]);
    await fetch(`${server.url}/accounts/resolve`, { method: 'POST', headers: BEARER, body: '{"externalId":"a"}' });
    await called.promise;
    expect(server.log.some(({ msg }) => msg.includes('callback after the response failed'))).toBe(true);
    afterwards = undefined;
  });
});

describe('browsers', () => {
  const preflight = (origin: string) =>
    fetch(`${server.url}/laurel.v1.AccountService/ResolveAccount`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-grpc-web',
      },
    });

  test('a configured origin may call', async () => {
    const response = await preflight('https://console.example');
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://console.example');
    expect(response.headers.get('access-control-allow-headers')).toMatch(/x-grpc-web.*authorization/i);
  });

  test('another origin may not', async () => {
    expect((await preflight('https://elsewhere.example')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

const authorized = ['-H', 'authorization: Bearer integrator'];

/** Resolves when a request of this protocol and status has been logged. */
async function logged(protocol: string, status: number): Promise<true> {
  while (!server.log.some((line) => line['protocol'] === protocol && line['status'] === status))
    await new Promise(setImmediate);
  return true;
}

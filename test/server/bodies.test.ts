import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { startTestServer, type TestServer } from './support.ts';

const run = promisify(execFile);
const BEARER = { authorization: 'Bearer integrator', 'content-type': 'application/json' };
const TWO_MEBIBYTES = JSON.stringify({ externalId: 'x'.repeat(2 * 1_048_576) });

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ resolveAccount: ({ externalId }) => ({ account: { externalId } }) });
});
afterAll(() => server.close());

describe('bodies', () => {
  test.each(['--http1.1', '--http2-prior-knowledge'])('two mebibytes are 413 over REST (%s)', async (version) => {
    const call = run('curl', [
      '-si',
      version,
      '-H',
      'authorization: Bearer integrator',
      '--data-binary',
      '@-',
      `${server.url}/accounts/resolve`,
    ]);
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
    expect(await fine.json()).toMatchObject({ externalId: 'a' });
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

/** Resolves when a request with this protocol and status has been logged. */
async function logged(protocol: string, status: number): Promise<true> {
  while (!server.log.some((line) => line['protocol'] === protocol && line['status'] === status))
    await new Promise(setImmediate);
  return true;
}

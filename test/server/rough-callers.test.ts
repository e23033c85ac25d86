import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DEFAULT_TIMEOUTS } from '../../src/server/http/one-port.ts';
import { PREFACE, request } from '../faults/support/http2-frames.ts';
import { startTestServer, type TestServer } from './support.ts';

const { NGHTTP2_CANCEL } = constants;
const BEARER = { authorization: 'Bearer integrator', 'content-type': 'application/json' };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(
    { resolveAccount: ({ externalId }) => ({ account: { externalId } }) },
    { timeouts: { ...DEFAULT_TIMEOUTS, headers: 300 } },
  );
});
afterAll(() => server.close());

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
    ['huge headers', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
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

describe('odd but legal HTTP', () => {
  test('the whole address in the request line is understood', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET ${server.url}/healthz?x=1 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200/);
  });

  test.each(['POST PATH HTTP/1.0\r\n', 'POST PATH HTTP/1.1\r\nhost: a b\r\n', 'POST PATH HTTP/1.1\r\nhost: [\r\n'])(
    'without a host that makes sense an RPC is 400: %j',
    async (head) => {
      const socket = connect(server.port, '127.0.0.1');
      const more = 'connection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
      socket.write(head.replace('PATH', '/laurel.v1.AccountService/ResolveAccount') + more);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 400/);
    },
  );

  test.each(['*', '//', '/%zz', '/%00', '/accounts/resolve/../..'])(
    'a target of %s is refused, not failed on',
    async (target) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(`OPTIONS ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 4/);
    },
  );
});

describe('callers who go away', () => {
  test('an HTTP/2 session whose caller has hung up is over, and its streams with it, not kept until it is idle', async () => {
    const before = server.log.length;
    const origin = { ':scheme': 'http', ':authority': 'localhost' };
    const waiting = request(1, { ...origin, ':method': 'POST', ':path': '/accounts/resolve', ...BEARER }, false);
    const answered = request(3, { ...origin, ':method': 'GET', ':path': '/nowhere' });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(Buffer.concat([PREFACE, waiting, answered]));
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    await vi.waitUntil(() => received.includes('There is no GET /nowhere'));
    // Only this side is closed, so that the test can see whether the server closes its side.
    socket.end();
    await once(socket, 'close');
    // The operation, which waits for its body, has ended as well.
    await expect
      .poll(() => server.log.slice(before))
      .toContainEqual(expect.objectContaining({ route: 'laurel.v1.AccountService/ResolveAccount' }));
  });

  test.each(['/accounts/resolve', '/laurel.v1.AccountService/ResolveAccount'])(
    'a thousand streams reset at once leave the server well, and nothing in the log as unforeseen (%s)',
    async (path) => {
      const session = connectHttp2(server.url);
      session.on('error', () => {});
      const headers = { ':method': 'POST', ':path': path, ...BEARER };
      for (let opened = 0; opened < 1_000; opened += 1) {
        const stream = session.request(headers);
        stream.on('error', () => {});
        stream.end('{"externalId":"a"}');
        if (opened % 2 === 0) stream.close(NGHTTP2_CANCEL);
        else setImmediate(() => stream.close(NGHTTP2_CANCEL));
      }
      await once(session.request({ ':path': '/healthz' }), 'response').catch(() => {});
      session.destroy();
      for (let opened = 0; opened < 50; opened += 1) {
        const socket = connect(server.port, '127.0.0.1');
        socket.on('error', () => {});
        socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer integrator\r\n`);
        socket.write('content-type: application/json\r\ncontent-length: 18\r\n\r\n{"externalId":"a"}', () =>
          socket.resetAndDestroy(),
        );
      }
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    },
  );
});

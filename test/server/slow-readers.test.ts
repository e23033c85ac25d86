import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_TIMEOUTS } from '../../src/server/http/one-port.ts';
import { FRAME, frame, request, widePreface } from '../faults/support/http2-frames.ts';
import { startTestServer, type TestServer } from './support.ts';

const GRACE = 600;

/** The characters of an answer: more than the buffers between the two processes hold. */
const LARGE = 12_000_000;

/** The characters of an answer that is larger than a stream's window; several fit into a session. */
const MIDDLING = 500_000;

const body = (length: number) => JSON.stringify({ externalId: String(length) });

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(
    { resolveAccount: ({ externalId }) => ({ account: { name: 'x'.repeat(Number(externalId)) } }) },
    { timeouts: { ...DEFAULT_TIMEOUTS, accept: GRACE } },
  );
});
afterAll(() => server.close());

const CALL = { ':method': 'POST', ':path': '/accounts/resolve', authorization: 'Bearer integrator' };

function openSession(initialWindowSize: number): ClientHttp2Session {
  const session = connectHttp2(server.url, { settings: { initialWindowSize } });
  session.on('error', () => {});
  return session;
}

function ask(session: ClientHttp2Session) {
  const stream = session.request({ ...CALL, 'content-type': 'application/json' });
  stream.on('error', () => {});
  stream.end(body(MIDDLING));
  return stream;
}

test('an HTTP/2 session whose streams accept nothing is closed after the grace', async () => {
  const session = openSession(0);
  for (let asked = 0; asked < 5; asked += 1) ask(session);
  const begun = performance.now();
  await once(session, 'close');
  expect(performance.now() - begun).toBeGreaterThanOrEqual(GRACE);
});

test('an HTTP/2 session that no longer reads from its connection is closed after the grace', async () => {
  const origin = { ':scheme': 'http', ':authority': 'localhost' };
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    Buffer.concat([
      widePreface(),
      ...[1, 3, 5].flatMap((stream) => [
        request(stream, { ...origin, ...CALL, 'content-type': 'application/json' }, false),
        frame(FRAME.DATA, 1, stream, Buffer.from(body(LARGE))),
      ]),
    ]),
  );
  socket.pause();
  const closed = () => server.log.filter(({ route }) => route === 'laurel.v1.AccountService/ResolveAccount').length;
  const before = closed();
  await expect.poll(closed, { timeout: 10_000 }).toBe(before + 3);
  socket.destroy();
});

test('an HTTP/1.1 connection whose caller reads nothing is closed after the grace', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write('POST /accounts/resolve HTTP/1.1\r\nhost: a\r\nauthorization: Bearer integrator\r\n');
  socket.write('content-type: application/json\r\ncontent-length: 25\r\n\r\n' + body(LARGE));
  const before = server.log.length;
  await expect
    .poll(() => server.log.slice(before), { timeout: 10_000 })
    .toContainEqual(expect.objectContaining({ route: 'laurel.v1.AccountService/ResolveAccount' }));
  socket.destroy();
});

test('a stream that accepts nothing is reset, and the streams beside it go on', async () => {
  const session = openSession(65_535);
  const stuck = ask(session);
  stuck.pause();
  while (!stuck.closed) expect((await text(ask(session))).length).toBeGreaterThan(MIDDLING);
  expect(session.destroyed).toBe(false);
  expect((await text(ask(session))).length).toBeGreaterThan(MIDDLING);
  session.close();
});

test('a connection that is idle for longer than the grace is kept', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const get = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n';
  socket.write(get);
  await once(socket, 'data');
  // Idle for longer than the grace period, which is for answers only.
  await sleep(2 * GRACE);
  socket.end(get.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200/);
});

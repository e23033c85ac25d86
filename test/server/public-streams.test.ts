import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { Code } from '@connectrpc/connect';
import { afterEach, expect, test, vi } from 'vitest';
import { FRAME, frame, grpcMessage, PREFACE, request } from '../faults/support/http2-frames.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { createTurnLimiter } from '../../src/server/http/streams/turn-limiter.ts';
import { startTestServer, type TestServer } from './support.ts';

const WATCH = '/grpc.health.v1.Health/Watch';
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const RESOLVE = '/laurel.v1.AccountService/ResolveAccount';
const EMPTY = grpcMessage(Buffer.alloc(0));
const LIST_SERVICES = grpcMessage(Buffer.from([0x3a, 0x01, 0x2a]));

const servers: TestServer[] = [];
const sessions: ClientHttp2Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  await Promise.all(servers.splice(0).map((server) => server.close({ atOnce: true })));
});

async function start(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ resolveAccount: ({ externalId }) => ({ account: { externalId } }) }, options);
  servers.push(server);
  return server;
}

function open(server: TestServer): ClientHttp2Session {
  const session = connectHttp2(server.url);
  session.on('error', () => {});
  sessions.push(session);
  return session;
}

/** Opens a stream and returns its status: undefined if it has been answered and continues. */
async function stream(
  session: ClientHttp2Session,
  path: string,
  { message = EMPTY, headers = {} }: { message?: Buffer; headers?: Record<string, string> } = {},
): Promise<{ status: number | undefined; message: string; opened: ClientHttp2Stream }> {
  const all = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers };
  const opened = session.request(all);
  opened.on('error', () => {});
  opened.write(message);
  if (path !== REFLECTION) opened.end();
  const [answer] = await once(opened, 'response');
  const status = answer['grpc-status'] === undefined ? undefined : Number(answer['grpc-status']);
  if (status === undefined) await once(opened, 'data');
  return { status, message: String(answer['grpc-message']), opened };
}

const authorised = { authorization: 'Bearer integrator' };
const ACCOUNT = grpcMessage(Buffer.from([0x0a, 0x01, 0x61]));
const call = (session: ClientHttp2Session) => stream(session, RESOLVE, { message: ACCOUNT, headers: authorised });

test.each([
  ['health watches', WATCH, EMPTY],
  ['reflection', REFLECTION, LIST_SERVICES],
])('of %s an address has so many without a credential; one more is RESOURCE_EXHAUSTED', async (_, path, message) => {
  const server = await start({ publicStreams: 3 });
  const first = await stream(open(server), path, { message });
  const session = open(server);
  for (let count = 0; count < 2; count += 1)
    expect(await stream(session, path, { message })).toMatchObject({ status: undefined });
  const refused = await stream(session, path, { message });
  expect(refused).toMatchObject({ status: Code.ResourceExhausted, message: expect.stringContaining('All 3 places') });
  first.opened.close(constants.NGHTTP2_CANCEL);
  await expect.poll(async () => (await stream(session, path, { message })).status, { timeout: 5_000 }).toBe(undefined);
});

test('one address leaves places to others, and all of them together have ten times as many', async () => {
  const server = await start({ publicStreams: 1, trustForwarded: true });
  const session = open(server);
  const from = (address: string) => stream(session, WATCH, { headers: { 'x-forwarded-for': address } });
  for (let host = 1; host <= 10; host += 1)
    expect(await from(`203.0.113.${host}`)).toMatchObject({ status: undefined });
  const refused = await from('203.0.113.11');
  expect(refused).toMatchObject({ status: Code.ResourceExhausted, message: expect.stringContaining('All 10 places') });
});

test('connections on which a credential was accepted have ten times as many places, which strangers cannot take', async () => {
  const server = await start({ publicStreams: 1 });
  await stream(open(server), WATCH);
  const session = open(server);
  expect(await stream(session, WATCH)).toMatchObject({ status: Code.ResourceExhausted });
  await call(session);
  for (let count = 0; count < 10; count += 1) expect(await stream(session, WATCH)).toMatchObject({ status: undefined });
  const beyond = await stream(session, WATCH);
  expect(beyond).toMatchObject({ status: Code.ResourceExhausted, message: expect.stringContaining('All 10 places') });
});

test('the count of open streams falls to none when their callers go, however they go', async () => {
  const server = await start();
  const gauge = async () =>
    Number(/^laurel_public_streams (\d+)/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);
  const session = open(server);
  const watches = await Promise.all(Array.from({ length: 6 }, () => stream(session, WATCH)));
  expect(await gauge()).toBe(6);
  watches[0]!.opened.close(constants.NGHTTP2_CANCEL);
  await expect.poll(gauge).toBe(5);
  session.destroy();
  await expect.poll(gauge).toBe(0);
});

test('a session may have 100 streams at once, and 1,000 from when a credential was accepted on it', async () => {
  const session = open(await start());
  await once(session, 'remoteSettings');
  expect(session.remoteSettings.maxConcurrentStreams).toBe(100);
  const refused = await stream(session, RESOLVE, { headers: { authorization: 'Bearer nobody' } });
  expect(refused.status).toBe(Code.Unauthenticated);
  expect(session.remoteSettings.maxConcurrentStreams).toBe(100);
  const raised = once(session, 'remoteSettings');
  await call(session);
  await raised;
  expect(session.remoteSettings.maxConcurrentStreams).toBe(1_000);
});

test('any number of watchers have the health looked at once a second, and are all notified when it changes', async () => {
  let looks = 0;
  let fails = false;
  const ping = async () => {
    looks += 1;
    if (fails) throw new Error('gone');
  };
  const session = open(await start({ db: { ping } }));
  const watches = await Promise.all(Array.from({ length: 30 }, () => stream(session, WATCH)));
  const before = looks;
  fails = true;
  await Promise.all(watches.map(({ opened }) => once(opened, 'data')));
  expect(looks - before).toBeLessThanOrEqual(3);
  session.destroy();
  // No caller is left.
  await expect.poll(() => servers[0]!.log.filter(({ route }) => route === WATCH.slice(1)).length).toBe(30);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const after = looks;
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
  expect(looks).toBe(after);
});

test('a stream that is reset in the bytes that open it is not begun', async () => {
  const looked = vi.fn<() => Promise<void>>(async () => {});
  const server = await start({ db: { ping: looked } });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  const origin = { ':scheme': 'http', ':authority': 'localhost' };
  const watch = { ...origin, ':method': 'POST', ':path': WATCH, 'content-type': 'application/grpc' };
  const dropped = [1, 3, 5].flatMap((id) => [
    request(id, watch, false),
    frame(FRAME.DATA, 1, id, EMPTY),
    frame(FRAME.RST_STREAM, 0, id, Buffer.from([0, 0, 0, 8])),
  ]);
  const asked = request(7, { ...origin, ':method': 'GET', ':path': '/nowhere' });
  socket.write(Buffer.concat([PREFACE, ...dropped, asked]));
  await expect.poll(() => server.log.length).toBeGreaterThan(0);
  socket.destroy();
  expect(looked).not.toHaveBeenCalled();
  expect(server.log.map(({ route }) => route)).toEqual(['unmatched']);
});

async function dropStreams(session: ClientHttp2Session, count: number): Promise<void> {
  for (let dropped = 0; dropped < count && !session.closed; dropped += 50) {
    const batch = await Promise.all(Array.from({ length: 50 }, () => stream(session, WATCH)));
    const closed = batch.map(({ opened }) => once(opened, 'close'));
    for (const { opened } of batch) opened.close(constants.NGHTTP2_CANCEL);
    await Promise.all(closed);
  }
}

test('a stranger whose session drops more than a hundred streams loses it, a caller with a credential does not', async () => {
  const server = await start();
  const paying = open(server);
  await call(paying);
  await dropStreams(paying, 250);
  expect(await call(paying)).toMatchObject({ status: undefined });
  const stranger = open(server);
  const message = once(stranger, 'goaway');
  await dropStreams(stranger, 250).catch(() => {});
  expect((await message)[0]).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
});

test('turns begin so many at once, the rest later, and one of everybody before a second of anybody', async () => {
  const turns = createTurnLimiter<string>(2);
  const begun: string[] = [];
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) turns.run(name[0]!, () => begun.push(name));
  expect(begun).toEqual(['a1', 'a2']);
  expect([turns.waiting(), turns.waiting('a')]).toEqual([4, 2]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4']);
  turns.run('d', () => begun.push('d1'));
  await expect.poll(() => begun.at(-1)).toBe('d1');
});

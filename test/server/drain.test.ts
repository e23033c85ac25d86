import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { expect, test } from 'vitest';
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from '../../gen/grpc/health/v1/health_pb.ts';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { FRAME, frame, request, widePreface } from '../faults/support/http2-frames.ts';
import { callByGrpcJs } from './grpc-js.ts';
import { startTestServer, type TestServer } from './support.ts';

const REST =
  'POST /accounts/resolve HTTP/1.1\r\nhost: a\r\nauthorization: Bearer integrator\r\ncontent-length: 18\r\n\r\n{"externalId":"a"}';

/** A server whose operation runs until the test releases it; `running` resolves after `calls` calls of it. */
async function startHeld(options: Parameters<typeof startTestServer>[1] = {}, calls = 1) {
  const running = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let called = 0;
  const resolveAccount = async ({ externalId }: { externalId: string }) => {
    called += 1;
    if (called === calls) running.resolve();
    await released.promise;
    return { account: { externalId } };
  };
  const server = await startTestServer({ resolveAccount }, options);
  return { server, running: running.promise, release: released.resolve };
}

test('a running REST request is finished before the server ends, and its connection is closed', async () => {
  const { server, running, release } = await startHeld();
  const socket = connect(server.port, '127.0.0.1');
  socket.write(REST);
  await running;
  const closed = server.close();
  await refusesConnections(server);
  release();
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200/);
  await closed;
});

test('a running gRPC request is finished before the server ends, and its session is told to go away', async () => {
  const { server, running, release } = await startHeld({}, 2);
  const session = connectHttp2(server.url);
  const goAway = once(session, 'goaway');
  const path = '/laurel.v1.AccountService/ResolveAccount';
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/json',
    authorization: 'Bearer integrator',
  });
  const other = callByGrpcJs(
    `127.0.0.1:${server.port}`,
    AccountService.method.resolveAccount,
    { externalId: 'a' },
    'integrator',
  );
  stream.end('{"externalId":"a"}');
  await running;
  const closed = server.close();
  await goAway;
  release();
  expect(await text(stream)).toContain('externalId');
  expect((await other).account?.externalId).toBe('a');
  await closed;
});

test('idle connections of both versions do not delay the end', async () => {
  const { server } = await startHeld();
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
  await once(socket, 'data');
  const silent = connect(server.port, '127.0.0.1');
  silent.on('error', () => {});
  await once(silent, 'connect');
  const session = connectHttp2(server.url);
  await once(session, 'connect');
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeLessThan(1_000);
  socket.destroy();
  silent.destroy();
});

test('a request that does not finish in time is cut off', async () => {
  const { server, running, release } = await startHeld({ drainTimeoutMs: 200 });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(REST);
  const session = connectHttp2(server.url);
  session.on('error', () => {});
  await running;
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeGreaterThanOrEqual(150);
  expect(await text(socket).catch(() => '')).toBe('');
  release();
});

test('a caller of HTTP/2 who reads nothing any more does not delay the end', async () => {
  const answered = Promise.withResolvers<void>();
  // More than the buffers between the two sides hold.
  const name = 'x'.repeat(12_000_000);
  const server = await startTestServer(
    {
      resolveAccount() {
        setImmediate(answered.resolve);
        return { account: { name } };
      },
    },
    { drainTimeoutMs: 200 },
  );
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  const headers = { ':scheme': 'http', ':authority': 'localhost', ':method': 'POST', ':path': '/accounts/resolve' };
  const own = { authorization: 'Bearer integrator', 'content-type': 'application/json' };
  socket.write(
    Buffer.concat([
      widePreface(),
      request(1, { ...headers, ...own }, false),
      frame(FRAME.DATA, 1, 1, Buffer.from('{"externalId":"a"}')),
    ]),
  );
  socket.pause();
  await answered.promise;
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeLessThan(3_000);
  socket.destroy();
});

test('while it drains, the readiness probe says why, and a health watch is notified and ended', async () => {
  const { server } = await startHeld({ drainDelayMs: 300 });
  const health = createClient(Health, createGrpcTransport({ baseUrl: server.url }));
  const watched = health.watch({});
  const watch = watched[Symbol.asyncIterator]();
  expect((await watch.next()).value?.status).toBe(ServingStatus.SERVING);
  const closed = server.close();
  const probe = await fetch(`${server.url}/readyz`);
  expect(probe.status).toBe(503);
  expect(await probe.json()).toEqual({ status: 'unready', reason: 'The service is shutting down.' });
  expect((await watch.next()).value?.status).toBe(ServingStatus.NOT_SERVING);
  expect((await watch.next()).done).toBe(true);
  await closed;
});

test('while it drains, everything is served, and HTTP/1.1 connections are closed with their answer', async () => {
  const { server, release } = await startHeld({ drainDelayMs: 1_000 });
  release();
  const closed = server.close();
  const socket = connect(server.port, '127.0.0.1');
  socket.write(REST);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200[^]*connection: close/i);
  await closed;
});

test('closed at once, it does not wait for a load balancer to notice', async () => {
  const { server } = await startHeld({ drainDelayMs: 60_000 });
  const begun = performance.now();
  await server.close({ atOnce: true });
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test('closing twice is closing once', async () => {
  const { server } = await startHeld();
  await Promise.all([server.close(), server.close()]);
});

async function refusesConnections(server: TestServer): Promise<void> {
  const socket = connect(server.port, '127.0.0.1');
  const [error] = await once(socket, 'error');
  expect((error as NodeJS.ErrnoException).code).toBe('ECONNREFUSED');
}

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ServerOptions } from '../../src/server/server.ts';
import { PREFACE } from '../faults/support/http2-frames.ts';
import { canCertify, certify, type TestCertificate } from '../support/certificates.ts';
import { startTestServer, type TestServer } from './support.ts';

const servers: TestServer[] = [];
const sockets: Socket[] = [];
let folder: string;
let certificate: TestCertificate;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-connection-throttle-'));
  if (canCertify) certificate = await certify(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.close({ atOnce: true })));
});

async function start(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ resolveAccount: ({ externalId }) => ({ account: { externalId } }) }, options);
  servers.push(server);
  return server;
}

const WELL = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
const BODY = '{"externalId":"ada"}';
const WITH_CREDENTIAL = [
  'POST /accounts/resolve HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer integrator',
  `content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
].join('\r\n');

type Caller = { readonly socket: Socket; readonly answer: Promise<string> };

/** A connection with one request that the service closes. */
async function ask(server: TestServer, { from = '127.0.0.1', isSecure = false, request = WELL } = {}): Promise<Caller> {
  const raw = connect({ port: server.port, host: '127.0.0.1', localAddress: from });
  sockets.push(raw);
  raw.on('error', () => {});
  await once(raw, 'connect');
  const socket = isSecure ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw;
  socket.on('error', () => {});
  socket.write(request);
  return { socket, answer: text(socket).catch(() => '') };
}

function askOften(server: TestServer, count: number, how: Parameters<typeof ask>[1] = {}): Promise<Caller[]> {
  return Promise.all(Array.from({ length: count }, () => ask(server, how)));
}

/** The number of answers so far. */
async function answered(callers: readonly Caller[]): Promise<number> {
  const now = Symbol('now');
  const states = await Promise.all(callers.map(({ answer }) => Promise.race([answer, Promise.resolve(now)])));
  return states.filter((state) => typeof state === 'string' && state.startsWith('HTTP/1.1 200')).length;
}

describe.each([['in plain text', false] as const, ...(canCertify ? [['over TLS', true] as const] : [])])(
  'connections %s',
  (_, isSecure) => {
    const tls = () => (isSecure ? { tls: certificate } : {});

    test('of an address without a credential begin at a rate, those of others at once', async () => {
      const server = await start({ anonymousConnectionsPerSecond: 4, ...tls() });
      const begun = performance.now();
      const callers = await askOften(server, 12, { isSecure });
      const other = await ask(server, { from: '127.0.0.9', isSecure });
      expect(await other.answer).toContain('HTTP/1.1 200');
      await expect.poll(() => answered(callers)).toBe(8);
      await Promise.all(callers.map(({ answer }) => answer));
      expect(await answered(callers)).toBe(12);
      expect(performance.now() - begun).toBeGreaterThan(900);
    });

    test('that wait begin when a credential is accepted from their address, and later ones do not wait', async () => {
      const server = await start({ anonymousConnectionsPerSecond: 1, ...tls() });
      // Two begin together: the second has a valid credential, but later.
      await (
        await ask(server, { isSecure })
      ).answer;
      const known = await ask(server, { isSecure, request: '' });
      const waiting = await askOften(server, 5, { isSecure });
      known.socket.write(WITH_CREDENTIAL);
      expect(await known.answer).toContain('HTTP/1.1 200');
      const begun = performance.now();
      const later = await askOften(server, 20, { isSecure });
      for (const { answer } of [...waiting, ...later]) expect(await answer).toContain('HTTP/1.1 200');
      expect(performance.now() - begun).toBeLessThan(900);
    });
  },
);

test('of too many connections that wait the newest are closed', async () => {
  const server = await start({ anonymousConnectionsPerSecond: 1 });
  const callers = await askOften(server, 20);
  await expect
    .poll(() => callers.filter(({ socket }) => socket.readableEnded || socket.destroyed).length)
    .toBeGreaterThanOrEqual(8);
  expect(await answered(callers)).toBeLessThanOrEqual(3);
});

test('a service that stops does not wait for connections that wait', async () => {
  const server = await start({ anonymousConnectionsPerSecond: 1 });
  const callers = await askOften(server, 10);
  const begun = performance.now();
  await server.close({ atOnce: true });
  expect(performance.now() - begun).toBeLessThan(1_500);
  await Promise.all(callers.map(({ answer }) => answer));
});

test('callers who go while they wait leave a service that goes on', async () => {
  const server = await start({ anonymousConnectionsPerSecond: 20 });
  for (let round = 0; round < 4; round += 1) {
    const leaving = await Promise.all(
      Array.from({ length: 50 }, async (_none, index) => {
        const socket = connect(server.port, '127.0.0.1');
        sockets.push(socket);
        socket.on('error', () => {});
        await once(socket, 'connect');
        socket.write(PREFACE);
        return () => (index % 2 === 0 ? socket.resetAndDestroy() : socket.end());
      }),
    );
    for (const leave of leaving) leave();
  }
  const other = await ask(server, { from: '127.0.0.9' });
  expect(await other.answer).toContain('HTTP/1.1 200');
  const patient = await ask(server);
  expect(await patient.answer).toContain('HTTP/1.1 200');
}, 30_000);

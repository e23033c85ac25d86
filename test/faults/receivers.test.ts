import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { systemClock } from '../../src/kernel/time/clock.ts';
import { createWebhookSender } from '../../src/webhooks/delivery/webhook-sender.ts';
import type { WebhookTarget } from '../../src/webhooks/configuration/webhook-target.ts';

/** The reaction of a hostile receiver to a request, as raw bytes, because HTTP libraries behave too well. */
type Behaviour = (socket: Socket) => void;

const MEBIBYTE = 1024 * 1024;

const sender = createWebhookSender({
  secrets: createSecretBox([randomBytes(32)]),
  allowPrivate: true,
  clock: systemClock,
});

// These cases wait their 5 seconds at the same time.
test.concurrent.each<[string, Behaviour]>([
  ['says nothing', () => {}],
  ['drips its status line', (socket) => drip(socket, `HTTP/1.1 200 ${'OK'.repeat(100)}`)],
  ['drips headers without end', (socket) => drip(socket, `HTTP/1.1 200 OK\r\n${'x-header: 1\r\n'.repeat(1_000)}`)],
  ['answers 100 Continue without end', (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000), 25)],
])('a receiver that %s is given up after 5 seconds', async (_, behaviour) => {
  const { attempt, seconds, disconnected } = await sendTo(behaviour);
  expect(attempt).toMatchObject({ outcome: 'TIMED_OUT', statusCode: null, error: 'ETIMEDOUT' });
  await disconnected;
  expect(seconds).toBeGreaterThan(4.9);
  expect(seconds).toBeLessThan(5.5);
});

test.concurrent('a receiver that drips its answer a byte a second has 5 seconds for the whole of it', async () => {
  const { attempt, seconds } = await sendTo((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n');
    drip(socket, 'x'.repeat(100), 1_000);
  });
  expect(attempt).toMatchObject({ outcome: 'TIMED_OUT', statusCode: 200 });
  expect(seconds).toBeLessThan(5.5);
});

test('of an answer of 300 MB 16 KiB are read and 1,024 characters kept, and the memory stays as it was', async () => {
  let written = 0;
  const before = process.memoryUsage();
  const { attempt, seconds, disconnected } = await sendTo((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${300 * MEBIBYTE}\r\n\r\n`);
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = (): void => {
      while (!socket.destroyed && written < 300 * MEBIBYTE && socket.write(chunk)) written += chunk.length;
    };
    socket.on('drain', more);
    more();
  });
  expect(attempt).toMatchObject({ outcome: 'DELIVERED', statusCode: 200, error: null });
  expect(attempt.responseExcerpt).toBe('x'.repeat(1_024));
  expect(seconds).toBeLessThan(1);
  await disconnected;
  // The amount that the two kernels buffer between them.
  expect(written).toBeLessThan(20 * MEBIBYTE);
  expect(process.memoryUsage().rss - before.rss).toBeLessThan(64 * MEBIBYTE);
});

test('an answer without end and without length is cut like any other', async () => {
  const { attempt, seconds } = await sendTo((socket) => {
    socket.write('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n');
    const chunk = `1000\r\n${'y'.repeat(4096)}\r\n`;
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
  });
  expect(attempt).toMatchObject({ outcome: 'REFUSED', statusCode: 500 });
  expect(seconds).toBeLessThan(1);
});

test('a compressed bomb is not opened', async () => {
  const bomb = gzipSync(Buffer.alloc(32 * MEBIBYTE, 'boom'));
  const { attempt } = await sendTo((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
    socket.end(bomb);
  });
  expect(attempt).toMatchObject({ outcome: 'DELIVERED', statusCode: 200 });
  expect(attempt.responseExcerpt).not.toContain('boomboomboomboom');
});

test.each<[string, Behaviour, string | RegExp]>([
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'ECONNRESET'],
  ['closes the connection', (socket) => socket.end(), 'ECONNRESET'],
  ['speaks no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), /^HPE_/],
  ['sends a header of 1 MiB', (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(MEBIBYTE)}\r\n\r\n`), /^HPE_/],
])('a receiver that %s has failed, at once', async (_, behaviour, error) => {
  const { attempt, seconds } = await sendTo(behaviour);
  expect(attempt).toMatchObject({ outcome: 'FAILED', statusCode: null });
  expect(attempt.error).toMatch(error);
  expect(seconds).toBeLessThan(1);
});

const OK_OF_100_BYTES = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf';
const OK_IN_CHUNKS = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n';

test.each<[string, Behaviour]>([
  ['resets amid its answer', (socket) => afterwards(socket, OK_OF_100_BYTES, () => socket.resetAndDestroy())],
  ['closes before as many bytes as it said', (socket) => afterwards(socket, OK_OF_100_BYTES, () => socket.end())],
  ['closes before the last chunk', (socket) => afterwards(socket, OK_IN_CHUNKS, () => socket.end())],
  ['resets before the last chunk', (socket) => afterwards(socket, OK_IN_CHUNKS, () => socket.resetAndDestroy())],
  ['sends a chunk that is none', (socket) => afterwards(socket, OK_IN_CHUNKS, () => socket.end('no size\r\n'))],
])('a receiver that %s has not taken the message, whatever its status says', async (_, behaviour) => {
  const { attempt, seconds } = await sendTo(behaviour);
  expect(attempt).toMatchObject({ outcome: 'FAILED', statusCode: 200, responseExcerpt: 'half' });
  expect(attempt.error).toMatch(/^(ECONNRESET|ERR_HTTP_CONTENT_LENGTH_MISMATCH|HPE_\w+)$/);
  expect(seconds).toBeLessThan(1);
});

test('a receiver whose refusal breaks off has refused', async () => {
  const { attempt } = await sendTo((socket) =>
    afterwards(socket, 'HTTP/1.1 410 Gone\r\ncontent-length: 100\r\n\r\nhalf', () => socket.end()),
  );
  expect(attempt).toMatchObject({ outcome: 'REFUSED', statusCode: 410, responseExcerpt: 'half' });
});

test.each<[string, string]>([
  ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['of as many bytes as it said', 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nhalf'],
  ['up to its last chunk', `${OK_IN_CHUNKS}0\r\n\r\n`],
])('an answer %s is whole, also if the connection is reset afterwards', async (_, answer) => {
  const { attempt } = await sendTo((socket) => afterwards(socket, answer, () => socket.resetAndDestroy()));
  expect(attempt).toMatchObject({ outcome: 'DELIVERED', error: null });
});

test('an answer that names no length ends with its connection, and is whole', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhalf';
  const { attempt } = await sendTo((socket) => afterwards(socket, answer, () => socket.end()));
  expect(attempt).toMatchObject({ outcome: 'DELIVERED', error: null, responseExcerpt: 'half' });
});

test('an answer is whole, also if the receiver closed before it had read all of the message', async () => {
  const answer = 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n';
  const behaviour: Behaviour = (socket) => socket.pause().end(answer);
  const { attempt } = await sendTo(behaviour, 'x'.repeat(8 * MEBIBYTE));
  expect(attempt).toMatchObject({ outcome: 'DELIVERED', statusCode: 204, error: null });
});

test('an answer that breaks off after 16 KiB, which nobody would have read on, counts', async () => {
  const answer = `HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n${'x'.repeat(17 * 1024)}`;
  const { attempt } = await sendTo((socket) => afterwards(socket, answer, () => socket.end()));
  expect(attempt).toMatchObject({ outcome: 'DELIVERED', statusCode: 200, error: null });
});

test('a receiver that switches protocols has refused, and its connection does not stay open', async () => {
  const { attempt, disconnected, seconds } = await sendTo((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
  });
  expect(attempt).toMatchObject({ outcome: 'REFUSED', statusCode: 101 });
  expect(seconds).toBeLessThan(1);
  await disconnected;
});

test('a redirect to this machine is an answer, and not followed', async () => {
  let connections = 0;
  const { attempt } = await sendTo((socket) => {
    connections += 1;
    socket.end('HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n');
  });
  expect(attempt).toMatchObject({ outcome: 'REFUSED', statusCode: 307 });
  expect(connections).toBe(1);
});

test('bytes that are no text are kept as text', async () => {
  const { attempt } = await sendTo((socket) => {
    socket.end(
      Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'),
        Buffer.from([0, 0xff, 0xfe, 0x41, 0, 0xf0, 0x9f]),
      ]),
    );
  });
  expect(attempt.outcome).toBe('DELIVERED');
  expect(attempt.responseExcerpt).toContain('A');
  expect(attempt.responseExcerpt).not.toContain('\0');
  expect(attempt.responseExcerpt?.isWellFormed()).toBe(true);
});

/** Sends one webhook to a new receiver. `disconnected` resolves after the connection is fully closed. */
async function sendTo(behaviour: Behaviour, body = '[1]') {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => behaviour(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const started = performance.now();
  const attempt = await sender.send(targetOf(endpoint), { id: 'message', body });
  const disconnected = once(server, 'close');
  // The server emits 'close' after its last connection is closed.
  server.close();
  return { attempt, disconnected, seconds: (performance.now() - started) / 1000 };
}

/** The receiver's reaction after its bytes have arrived, because a reset may overtake bytes on the way. */
function afterwards(socket: Socket, text: string, what: () => void): void {
  socket.write(text, () => setTimeout(what, 50));
}

function drip(socket: Socket, text: string, everyMs = 200): void {
  let index = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || index === text.length) clearInterval(timer);
    else socket.write(text[index++]!);
  }, everyMs);
}

function targetOf(endpoint: string): WebhookTarget {
  return {
    clientId: 'client',
    key: 'REWARDS',
    endpointId: null,
    endpoint,
    method: 'POST',
    authenticationMethodType: null,
    authenticationMethodKey: null,
    authenticationValueSealed: null,
    signingSecretSealed: null,
    formerSecretSealed: null,
    formerSecretUntil: null,
    configurationId: '00000000-0000-7000-8000-000000000000',
    retries: false,
  };
}

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';
import { emitByHand } from './grpc-by-hand.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await newGame(service);
});
afterAll(() => service.close());

/** Sends bytes on a new connection, and returns all received bytes after its end. */
function sendRaw(bytes: string): Promise<string> {
  const socket = connect(service.app.port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

/** The number of answers: a smuggled request would be one more. */
const answersIn = (received: string) => received.match(/^HTTP\/1\.1 \d{3}/gm) ?? [];

describe('request smuggling', () => {
  const smuggled = 'GET /metrics HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
  test.each([
    [
      'a length and chunks',
      `content-length: ${smuggled.length}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ['two lengths', `content-length: 0\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`],
    ['a list of lengths', `content-length: 0, ${smuggled.length}\r\n\r\n${smuggled}`],
    ['a length with a sign', `content-length: +0\r\n\r\n${smuggled}`],
    ['a hexadecimal length', `content-length: 0x0\r\n\r\n${smuggled}`],
    ['chunks that are not the last coding', `transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two codings', `transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ['an unknown coding', `transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['space before the colon', `transfer-encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a folded header', `x: y\r\n transfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a bare line feed in a header', `x: y\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a bare carriage return', `x: y\rtransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a chunk size with a sign', `transfer-encoding: chunked\r\n\r\n+0\r\n\r\n${smuggled}`],
    ['a chunk size with an underscore', `transfer-encoding: chunked\r\n\r\n0_0\r\n\r\n${smuggled}`],
  ])('%s is refused, and what follows is not read as a request', async (_name, rest) => {
    const answers = answersIn(await sendRaw(`POST /accounts/resolve HTTP/1.1\r\nhost: a\r\n${rest}`));
    expect(answers).toEqual([expect.stringMatching(/ 400$/)]);
  });
});

describe('bodies that grow', () => {
  const bomb = Buffer.alloc(64 * 1_048_576, 0x20);

  test.each([
    ['gzip', gzipSync(bomb)],
    ['br', brotliCompressSync(bomb)],
  ])('64 MiB of %s are refused by every protocol, and cost no memory to speak of', async (encoding, compressed) => {
    expect(compressed.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    const authorization = `Bearer ${service.apiKey}`;
    for (let round = 0; round < 5; round += 1) {
      const rest = await fetch(`${service.baseUrl}/gamification/triggers`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'content-encoding': encoding },
        body: compressed,
      });
      expect(rest.status).toBe(413);
      const rpc = await fetch(`${service.baseUrl}/laurel.v1.TriggerService/EmitTrigger`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'content-encoding': encoding },
        body: compressed,
      });
      expect(await rpc.json()).toMatchObject({ code: 'resource_exhausted' });
      expect(await emitByHand(service, compressed, encoding)).toBe('8');
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1_048_576);
  });

  test('a gRPC message that announces 4 GiB reserves nothing', async () => {
    const before = process.memoryUsage().rss;
    expect(await emitByHand(service, Buffer.alloc(0), undefined, 0xff_ff_ff_ff)).toBe('3');
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1_048_576);
  });
});

describe('paths', () => {
  test.each([
    '/admin/../accounts/resolve',
    '/accounts/%2e%2e/admin/clients/paginated',
    '//admin/clients/paginated',
    '/admin//clients/paginated',
    '/./admin/clients/paginated',
    '/admin/clients/paginated/',
    '/admin/clients/paginated;x=1',
    '/admin\\clients\\paginated',
    '/ADMIN/clients/paginated',
    '/admin/clients%2fpaginated',
  ])('%s is not another spelling of an operation', async (path) => {
    const received = await sendRaw(
      `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.serviceToken}\r\nconnection: close\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 (400|404)/);
  });

  test('an operation is guarded however its path is escaped', async () => {
    for (const path of ['/%61dmin/clients/paginated?page=1&limit=1', '/admin/clients/%70aginated?page=1&limit=1']) {
      const { status } = await service.rest('GET', path, undefined, service.adminToken);
      expect(status).toBe(403);
    }
  });

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'OPTIONS'])('the method %s does nothing', async (method) => {
    const received = await sendRaw(
      `${method} /accounts/resolve HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.apiKey}\r\nconnection: close\r\n\r\n`,
    );
    expect(received === '' || /^HTTP\/1\.1 4\d\d/.test(received), received).toBe(true);
    expect(received).not.toContain(service.apiKey);
  });

  test('a method by header is not one', async () => {
    const { id } = (await service.rest('POST', '/accounts', { externalId: randomBytes(8).toString('hex') })).body;
    const headers = {
      authorization: `Bearer ${service.apiKey}`,
      'x-http-method-override': 'DELETE',
      'x-method-override': 'DELETE',
    };
    await fetch(`${service.baseUrl}/accounts/${id}`, { headers });
    expect((await service.rest('GET', `/accounts/${id}`)).status).toBe(200);
  });
});

test('names of files that do not exist are not remembered', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const filler = 'x'.repeat(10_000);
  const ask = async (from: number, to: number) => {
    for (let number = from; number < to; number += 1) {
      const response = await fetch(`${service.baseUrl}/console/assets/${filler}${number}.js`);
      expect(response.status).toBe(404);
      await response.text();
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await ask(0, 100);
  // Cached once per encoding, they would be 18 MB.
  expect((await ask(100, 700)) - before).toBeLessThan(8 * 1_048_576);
});

test('after all of it nothing was unforeseen', () => {
  expect(service.log.filter((line) => line.includes('unforeseen error'))).toEqual([]);
});

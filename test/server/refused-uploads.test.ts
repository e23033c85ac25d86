import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { createImport, upload } from '../operations/imports/files.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** The bytes of a file: more than the buffers of sockets hold. */
const LENGTH = 8_000_000;

/**
 * Sends the head of an upload, then its whole body as fast as possible, then the next request, like a client that keeps its connection.
 * Returns all received data until the connection ended, or the next request was answered.
 */
async function uploadThenAsk(path: string, { token = service.adminToken, gzip = false } = {}) {
  const socket = connect(service.app.port, '127.0.0.1');
  socket.on('error', () => {});
  const encoding = gzip ? 'content-encoding: gzip\r\n' : '';
  socket.write(
    `PUT ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n${encoding}content-length: ${LENGTH}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(LENGTH, 'x'));
  socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
  return answers(socket);
}

/** The statuses of the answers, and whether the first announces the end of the connection. */
async function answers(socket: Socket): Promise<{ statuses: string[]; closes: boolean }> {
  let got = '';
  const statuses = () => [...got.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]!);
  await new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      got += data.toString('latin1');
      if (statuses().length === 2) resolve();
    });
    socket.on('close', () => resolve());
    socket.on('end', () => resolve());
    setTimeout(resolve, 12_000).unref();
  });
  const ended = socket.destroyed || socket.readableEnded;
  socket.destroy();
  expect(ended || statuses().length === 2, `the connection is left open after ${got}`).toBe(true);
  return { statuses: statuses(), closes: /^connection: close/im.test(got) };
}

const kinds: Readonly<Record<string, () => Promise<[path: string, status: string, options?: object]>>> = {
  'of an import that is not there': async () => [`/admin/imports/${newId()}/file`, '404'],
  'of an import that takes no more': async () => {
    const { uploadPath } = await createImport(service);
    await upload(service, uploadPath, 'externalId\na\n');
    return [uploadPath, '409'];
  },
  'at a wrong offset': async () => [`${(await createImport(service)).uploadPath}?offset=7`, '409'],
  'with a wrong credential': async () => [(await createImport(service)).uploadPath, '401', { token: 'wrong' }],
  'with an offset that is no number': async () => [`${(await createImport(service)).uploadPath}?offset=x`, '400'],
  'that does not decompress': async () => [(await createImport(service)).uploadPath, '400', { gzip: true }],
  'at a method that takes none': async () => ['/admin/imports', '405'],
  'at no operation': async () => ['/nowhere', '404'],
};

test.each(Object.keys(kinds))(
  'after the refusal of an upload %s the next request on its connection is answered, or the connection ends',
  async (kind) => {
    const [path, status, options] = await kinds[kind]!();
    const { statuses, closes } = await uploadThenAsk(path, options);
    expect(statuses[0]).toBe(status);
    if (!closes) expect(statuses[1]).toBe('200');
  },
);

test.each([
  ['stops in the middle', '', 500_000],
  ['waits for a word before it sends', 'expect: 100-continue\r\n', 0],
])('a caller that %s of a refused upload is told that the connection ends', async (_name, header, sent) => {
  const socket = connect(service.app.port, '127.0.0.1');
  const head = `PUT /admin/imports/${newId()}/file HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.adminToken}`;
  socket.write(`${head}\r\n${header}content-length: ${LENGTH}\r\n\r\n`);
  socket.write(Buffer.alloc(sent, 'x'));
  const { statuses, closes } = await answers(socket);
  expect(statuses).toEqual(['404']);
  expect(closes).toBe(true);
});

test('a header line with a NUL is a 400 that says so', async () => {
  const socket = connect(service.app.port, '127.0.0.1');
  socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\nx-name: a\0b\r\n\r\n');
  let got = '';
  for await (const data of socket) got += String(data);
  const [head = '', body = ''] = got.split('\r\n\r\n');
  expect(head).toContain('HTTP/1.1 400');
  expect(JSON.parse(body)).toMatchObject({
    statusCode: 400,
    code: 'BAD_REQUEST',
    message: expect.stringContaining('NUL'),
  });
});

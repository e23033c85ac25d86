import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWidgetsPages } from '../../src/server/pages/widgets-pages.ts';
import { startTestServer, type TestServer } from './support.ts';

const empty = mkdtempSync(join(tmpdir(), 'laurel-widgets-'));
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({});
});
afterAll(async () => {
  await server.close();
  rmSync(empty, { recursive: true, force: true });
});

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}/widgets.js`, { method, headers });

test('the script is JavaScript that a page of any origin may load, without a credential', async () => {
  const answer = await get({ origin: 'https://unknown.example.com' });
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(await answer.text()).toContain('laurel-points');
});

test('the script is kept for minutes, asked for by its digest after them, and sent compressed', async () => {
  const answer = await get({ 'accept-encoding': 'gzip' });
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=86400');
  expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
  const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': answer.headers.get('etag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await get({ 'accept-encoding': 'br' })).headers.get('content-encoding')).toBe('br');
});

test('another method is refused, and a service without the script says how to build it', async () => {
  expect((await get({}, 'POST')).status).toBe(405);
  expect((await get({}, 'HEAD')).status).toBe(200);
  const pages = createWidgetsPages(empty);
  const asked = (path: string) =>
    pages({ path, requestMethod: 'GET', request: { headers: {} } } as Parameters<typeof pages>[0]);
  await expect(asked('/widgets.js')).rejects.toThrow('Run `npm run setup`');
  expect(asked('/widgets.json')).toBeUndefined();
});

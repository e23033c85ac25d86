import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './support.ts';

const OPENAPI = `openapi: 3.1.0
info: { title: Laurel, version: 1.2.3 }
paths:
  /accounts/resolve:
    post: { tags: [Accounts], summary: 'Gives the account of an <external> id. Second sentence.' }
`;

let server: TestServer;
let ping: () => Promise<void>;
beforeAll(async () => {
  const openapiPath = join(await mkdtemp(join(tmpdir(), 'laurel-')), 'openapi.yaml');
  await writeFile(openapiPath, OPENAPI);
  server = await startTestServer(
    { resolveAccount: ({ externalId }) => ({ account: { externalId } }) },
    { openapiPath, db: { ping: () => ping() } },
  );
});
afterAll(() => server.close());

describe('readiness', () => {
  test.each([
    ['answers', async () => {}, 200, { status: 'ready' }],
    [
      'refuses',
      () => Promise.reject(new Error('password=x')),
      503,
      { status: 'unready', reason: 'The database cannot be reached.' },
    ],
    [
      'is silent',
      () => new Promise<void>(() => {}),
      503,
      { status: 'unready', reason: expect.stringContaining('not answered') },
    ],
  ])('a database that %s', async (_name, behaviour, status, body) => {
    ping = behaviour;
    const response = await fetch(`${server.url}/readyz`);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(body);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

test('the metrics count by operation and status, the same for every protocol', async () => {
  const headers = { authorization: 'Bearer integrator', 'content-type': 'application/json' };
  for (const path of ['/accounts/resolve', '/laurel.v1.AccountService/ResolveAccount']) {
    await fetch(server.url + path, { method: 'POST', headers, body: '{"externalId":"a"}' });
    await fetch(server.url + path, { method: 'POST', headers, body: '{"externalId":""}' });
  }
  await fetch(`${server.url}/no/such/path`);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const route = 'laurel.v1.AccountService/ResolveAccount';
  for (const protocol of ['rest', 'connect']) {
    expect(metrics).toContain(`http_requests_total{protocol="${protocol}",route="${route}",status="200"} 1`);
    expect(metrics).toContain(`http_requests_total{protocol="${protocol}",route="${route}",status="400"} 1`);
    expect(metrics).toContain(
      `http_request_duration_seconds_count{protocol="${protocol}",route="${route}",status="200"} 1`,
    );
  }
  expect(metrics).toContain('http_requests_total{protocol="rest",route="unmatched",status="404"} 1');
  expect(metrics).toContain('process_cpu_seconds_total');
});

test('the description is served as JSON', async () => {
  const openapi = await fetch(`${server.url}/openapi.json`);
  expect(await openapi.json()).toMatchObject({ info: { title: 'Laurel' } });
});

test('a page answers HEAD without a body, and refuses to be written', async () => {
  const head = await fetch(`${server.url}/healthz`, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe('15');
  expect(await head.text()).toBe('');
  const post = await fetch(`${server.url}/healthz`, { method: 'POST' });
  expect(post.status).toBe(405);
  expect(post.headers.get('allow')).toBe('GET, HEAD');
});

test('without origins, a browser of another origin gets no permission', async () => {
  const response = await fetch(`${server.url}/healthz`, { headers: { origin: 'https://elsewhere.example' } });
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

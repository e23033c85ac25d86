import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes } from '../../gen/routes.ts';
import { PRINCIPALS, startTestServer, type TestServer } from './support.ts';

const TOKEN = 'm'.repeat(40);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(
    { resolveAccount: ({ externalId }) => ({ account: { externalId } }) },
    { metricsToken: TOKEN },
  );
});
afterAll(() => server.close());

/** The security headers of an answer, and the server's banner, which must be absent. */
function expectGuarded(headers: Headers): void {
  for (const part of [/(default|object)-src 'none'/, /base-uri 'none'/, /frame-ancestors 'none'/]) {
    expect(headers.get('content-security-policy')).toMatch(part);
  }
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
  for (const banner of ['server', 'x-powered-by', 'via']) expect(headers.has(banner), banner).toBe(false);
}

/** A path of the route; the values of the variables do not affect the headers. */
const pathOf = (template: string) => template.replaceAll(/\{\w+\}/g, '01890a5d-ac96-774b-bcce-b302099a8057');

describe('every answer tells browsers to keep to themselves what it holds', () => {
  test.each(routes.map(({ httpMethod, path }) => [httpMethod, pathOf(path)] as const))(
    '%s %s',
    async (method, path) => {
      for (const token of ['serviceAdmin', 'integrator', 'nobody']) {
        const response = await fetch(server.url + path, { method, headers: { authorization: `Bearer ${token}` } });
        expectGuarded(response.headers);
      }
    },
  );

  test.each([...new Set(routes.map(({ rpc }) => `/${rpc.parent.typeName}/${rpc.name}`))])('%s', async (path) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer serviceAdmin' };
    expectGuarded((await fetch(server.url + path, { method: 'POST', headers, body: '{}' })).headers);
    const grpc = { 'content-type': 'application/grpc', authorization: 'Bearer serviceAdmin' };
    expectGuarded((await fetch(server.url + path, { method: 'POST', headers: grpc, body: '' })).headers);
  });

  test.each(['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/', '/no/such', '/%zz', '/accounts/%00'])(
    'GET %s',
    async (path) => expectGuarded((await fetch(server.url + path, { redirect: 'manual' })).headers),
  );

  test('an answer that succeeds', async () => {
    const response = await fetch(`${server.url}/accounts/resolve`, {
      method: 'POST',
      headers: { authorization: 'Bearer integrator', 'content-type': 'application/json' },
      body: '{"externalId":"a"}',
    });
    expect(response.status).toBe(200);
    expectGuarded(response.headers);
  });

  test('over HTTP/2', async () => {
    const session = connectHttp2(server.url);
    const [headers] = await once(session.request({ ':path': '/accounts/nothing' }).resume(), 'response');
    expectGuarded(new Headers(Object.entries(headers).filter(([name]) => !name.startsWith(':')) as [string, string][]));
    session.close();
  });

  test.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
    ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['an unknown expectation', 'GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: tea\r\nconnection: close\r\n\r\n', 200],
    ['large headers', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
  ])('%s', async (_name, bytes, status) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(bytes);
    const [head = '', body] = (await text(socket)).split('\r\n\r\n');
    const [line, ...fields] = head.split('\r\n');
    expect(line).toContain(` ${status} `);
    expectGuarded(new Headers(fields.map((field) => field.split(': ') as [string, string])));
    if (status >= 400)
      expect(JSON.parse(body ?? '')).toMatchObject({ statusCode: status, traceId: expect.any(String) });
  });
});

describe('the metrics, where a token is configured', () => {
  test.each([
    ['nothing', undefined],
    ['another token', 'Bearer x'],
    ['the token without its scheme', TOKEN],
    ["a client's credential", 'Bearer serviceAdmin'],
  ])('are refused to %s', async (_name, authorization) => {
    const response = await fetch(`${server.url}/metrics`, { headers: authorization ? { authorization } : {} });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.text()).not.toContain(TOKEN);
  });

  test('are shown for it', async () => {
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('http_requests_total');
  });

  test('name clients there, and nobody where none is', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { clientId } = PRINCIPALS['integrator']!;
    const open = await startTestServer({});
    const named = await startTestServer({}, { metricsToken: TOKEN });
    for (const { url } of [open, named])
      await fetch(`${url}/accounts/ada`, { headers: { authorization: 'Bearer integrator' } });
    vi.advanceTimersByTime(60_000);
    const textOf = async ({ url }: { url: string }) =>
      (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
    const [strangers, own] = [await textOf(open), await textOf(named)];
    vi.useRealTimers();
    expect(own).toContain(`laurel_client_requests_per_second{client="${clientId}"}`);
    expect(strangers).not.toContain(clientId);
    expect(strangers).toMatch(/laurel_client_requests_per_second\{client="other"\} 0\.0\d+/);
    await open.close();
    await named.close();
  });

  test('are open where none is', async () => {
    const open = await startTestServer({});
    expect((await fetch(`${open.url}/metrics`)).status).toBe(200);
    await open.close();
  });
});

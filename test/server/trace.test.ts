import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import type { HandlerContext } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { afterResponse } from '../../src/kernel/concurrency/after-response.ts';
import { exchangeKey } from '../../src/server/http/exchange.ts';
import { startTestServer, type TestServer } from './support.ts';

const run = promisify(execFile);
const BEARER = { authorization: 'Bearer integrator', 'content-type': 'application/json' };

let server: TestServer;
/** The operation's actions before its answer, and after it. */
let inside: ((context: HandlerContext) => Promise<void>) | undefined;
let afterwards: ((context: HandlerContext) => void) | undefined;

beforeAll(async () => {
  server = await startTestServer(
    {
      async resolveAccount({ externalId }, context) {
        afterResponse(context, () => afterwards?.(context));
        await inside?.(context);
        return { account: { externalId } };
      },
    },
    { corsOrigins: ['https://console.example'] },
  );
});
afterAll(() => server.close());

describe('trace', () => {
  test.each([
    ['REST', '/accounts/resolve'],
    ['Connect', '/laurel.v1.AccountService/ResolveAccount'],
  ])('an incoming traceparent is continued in the answer and the log (%s)', async (_name, path) => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { ...BEARER, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const response = await fetch(server.url + path, { method: 'POST', headers, body: '{"externalId":""}' });
    expect(response.headers.get('traceparent')).toMatch(
      new RegExp(`^00-${traceId}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`),
    );
    expect(await response.text()).toContain(traceId);
    expect(server.log.find((line) => line['traceId'] === traceId)).toMatchObject({
      msg: 'answered',
      route: 'laurel.v1.AccountService/ResolveAccount',
      status: 400,
      clientId: expect.any(String),
    });
    server.log.length = 0;
  });

  test.each(['', 'nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${'1'.repeat(32)}-00f067aa0ba902b7-01`])(
    'a traceparent of %j starts a new trace',
    async (traceparent) => {
      const response = await fetch(`${server.url}/healthz`, { headers: { traceparent } });
      expect(response.headers.get('traceparent')).toMatch(/^00-(?!0{32}|1{32})[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    },
  );

  test('neither the token, nor the body, nor the query is logged', async () => {
    await fetch(`${server.url}/accounts/resolve?q=query-word`, {
      method: 'POST',
      headers: BEARER,
      body: '{"externalId":"body-word"}',
    });
    await fetch(`${server.url}/accounts/resolve`, {
      method: 'POST',
      headers: BEARER,
      body: '{"externalId":"body-word"}',
    });
    expect(JSON.stringify(server.log)).not.toMatch(/Bearer|integrator|query-word|body-word/);
  });
});

describe('after the response', () => {
  const paths = { REST: '/accounts/resolve', Connect: '/laurel.v1.AccountService/ResolveAccount' };
  const versions = ['--http1.1', '--http2-prior-knowledge'];
  const cases = Object.entries(paths).flatMap(([name, path]) =>
    versions.map((version) => [name, version, path] as const),
  );

  test.each(cases)(
    'a callback runs once the answer has been handed to the system (%s, %s)',
    async (_name, version, path) => {
      const written = Promise.withResolvers<boolean | undefined>();
      afterwards = (context) => written.resolve(context.values.get(exchangeKey)?.response.writableFinished);
      const json = ['-H', 'content-type: application/json', '-d', '{"externalId":"a"}'];
      const { stdout } = await run('curl', [
        '-s',
        version,
        '-H',
        'authorization: Bearer integrator',
        ...json,
        server.url + path,
      ]);
      expect(stdout).toContain('externalId');
      expect(await written.promise).toBe(true);
    },
  );

  test('a callback runs also when the caller has gone meanwhile, and one that fails is only logged', async () => {
    const running = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    const socket = connect(server.port, '127.0.0.1');
    inside = async ({ signal }) => {
      running.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    afterwards = () => {
      called.resolve();
      throw new Error('callback at fault');
    };
    socket.write('POST /accounts/resolve HTTP/1.1\r\nhost: a\r\nauthorization: Bearer integrator\r\n');
    socket.write('content-length: 18\r\n\r\n{"externalId":"a"}');
    await running.promise;
    socket.resetAndDestroy();
    await called.promise;
    expect(server.log.some(({ msg }) => msg.includes('callback after the response failed'))).toBe(true);
  });
});

describe('browsers', () => {
  const preflight = (origin: string) =>
    fetch(`${server.url}/laurel.v1.AccountService/ResolveAccount`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-grpc-web',
      },
    });

  test('a configured origin may call', async () => {
    const response = await preflight('https://console.example');
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://console.example');
    expect(response.headers.get('access-control-allow-headers')).toMatch(/x-grpc-web.*authorization.*if-none-match/i);
  });

  test('another origin may not', async () => {
    expect((await preflight('https://elsewhere.example')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

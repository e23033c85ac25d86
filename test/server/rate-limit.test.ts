import { once } from 'node:events';
import { connect } from 'node:net';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterEach, expect, test } from 'vitest';
import { ErrorInfoSchema, RetryInfoSchema } from '../../gen/google/rpc/error_details_pb.ts';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { startTestServer, type TestServer } from './support.ts';

/** A limit so small that some of {@link MANY} concurrent calls are refused, however slow the machine. */
const TIGHT = { perSecond: 2, burst: 2 };
const MANY = 60;

const servers: TestServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function start(options: Partial<ServerOptions>): Promise<TestServer> {
  const server = await startTestServer(
    { resolveAccount: ({ externalId }) => ({ account: { externalId } }) },
    { ...options },
  );
  servers.push(server);
  return server;
}

function ask(server: TestServer, token = 'integrator', headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/accounts/resolve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: '{"externalId":"a"}',
  });
}

/** The statuses of `count` concurrent requests. */
async function together(count: number, one: () => Promise<Response>): Promise<Response[]> {
  return Promise.all(Array.from({ length: count }, one));
}

test('without a configured limit any number of requests is answered', async () => {
  const server = await start({});
  const answers = await together(300, () => ask(server));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

test('a credential that asks too often gets 429, with when to come back, and is answered then', async () => {
  const server = await start({ rateLimit: TIGHT });
  const answers = await together(MANY, () => ask(server));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).not.toEqual([]);
  expect(refused.every(({ status }) => status === 429)).toBe(true);
  const [first] = refused;
  expect(Number(first?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await first?.json()).toMatchObject({
    statusCode: 429,
    code: 'RATE_LIMITED',
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    message: expect.stringMatching(/2 requests a second.*after \d+ s/),
  });
  await expect.poll(async () => (await ask(server)).status, { timeout: 5_000, interval: 200 }).toBe(200);
});

test('one credential at its limit costs no other anything', async () => {
  const server = await start({ rateLimit: TIGHT });
  await together(MANY, () => ask(server));
  expect((await ask(server, 'clientAdmin')).status).not.toBe(429);
});

test('what needs no credential is not counted', async () => {
  const server = await start({ rateLimit: TIGHT });
  const answers = await together(MANY, () => fetch(`${server.url}/healthz`));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
});

test('the refusal does not wait for the body', async () => {
  const server = await start({ rateLimit: TIGHT });
  const sockets = Array.from({ length: MANY }, () => connect(server.port, '127.0.0.1'));
  const answers = sockets.map(async (socket) => {
    socket.on('error', () => {});
    socket.write(
      'POST /accounts/resolve HTTP/1.1\r\nhost: a\r\nauthorization: Bearer integrator\r\nconnection: close\r\n',
    );
    socket.write('content-length: 1000000\r\n\r\n');
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1.1 429/);
  });
  await Promise.any(answers);
  for (const socket of sockets) socket.destroy();
});

test('over Connect it is 429, with the same header', async () => {
  const server = await start({ rateLimit: TIGHT });
  const answers = await together(MANY, () =>
    fetch(`${server.url}/laurel.v1.AccountService/ResolveAccount`, {
      method: 'POST',
      headers: { authorization: 'Bearer integrator', 'content-type': 'application/json' },
      body: '{"externalId":"a"}',
    }),
  );
  const refused = answers.find(({ status }) => status !== 200);
  expect(refused?.status).toBe(429);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});

test('over gRPC it is RESOURCE_EXHAUSTED, with the reason and the delay', async () => {
  const server = await start({ rateLimit: TIGHT });
  const client = createClient(AccountService, createGrpcTransport({ baseUrl: server.url }));
  const headers = { authorization: 'Bearer integrator' };
  const calls = Array.from({ length: MANY }, () => client.resolveAccount({ externalId: 'a' }, { headers }));
  const failed = (await Promise.allSettled(calls)).find(({ status }) => status === 'rejected');
  const error = ConnectError.from((failed as PromiseRejectedResult).reason);
  expect(error.code).toBe(Code.ResourceExhausted);
  expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: 'RATE_LIMITED', domain: 'laurel' }]);
  expect(error.findDetails(RetryInfoSchema)).toMatchObject([{ retryDelay: { seconds: expect.any(BigInt) } }]);
});

test.each([
  [false, '127.0.0.1'],
  [true, '203.0.113.7'],
])('with trustForwarded %s the caller has the address %s', async (trustForwarded, address) => {
  const seen: (string | undefined)[] = [];
  const server = await start({
    trustForwarded,
    authenticator: {
      async authenticate({ callerAddress }) {
        seen.push(callerAddress?.());
        return { clientId: '01890a5d-ac96-774b-bcce-b302099a8057', credentialId: 'c', role: 'INTEGRATOR' };
      },
      async close() {},
    },
  });
  await ask(server, 'any', { 'x-forwarded-for': '10.1.1.1, 203.0.113.7' });
  expect(seen).toEqual([address]);
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Code, createClient, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from '../../gen/grpc/health/v1/health_pb.ts';
import { ServerReflection } from '../../gen/grpc/reflection/v1/reflection_pb.ts';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { callByGrpcJs } from './grpc-js.ts';
import { startTestServer, type TestServer } from './support.ts';

const run = promisify(execFile);
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const BEARER = { authorization: 'Bearer integrator' };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    async resolveAccount({ externalId }, context) {
      context.responseHeader.set('idempotency-replayed', 'true');
      return { account: { id: ID, externalId } };
    },
  });
});
afterAll(() => server.close());

/** All protocols of Node's Connect client. */
const transports: [string, (baseUrl: string) => Transport][] = (['1.1', '2'] as const).flatMap((httpVersion) => [
  [`Connect JSON over HTTP/${httpVersion}`, (baseUrl: string) => createConnectTransport({ baseUrl, httpVersion })],
  [
    `Connect binary over HTTP/${httpVersion}`,
    (baseUrl: string) => createConnectTransport({ baseUrl, httpVersion, useBinaryFormat: true }),
  ],
  [`gRPC-Web over HTTP/${httpVersion}`, (baseUrl: string) => createGrpcWebTransport({ baseUrl, httpVersion })],
]);
transports.push(['gRPC over HTTP/2', (baseUrl) => createGrpcTransport({ baseUrl })]);

describe('one port speaks every protocol', () => {
  test.each(transports)('%s', async (_name, transportTo) => {
    const headers = new Headers();
    const client = createClient(AccountService, transportTo(server.url));
    const response = await client.resolveAccount(
      { externalId: 'user-1' },
      { headers: BEARER, onHeader: (sent) => sent.forEach((value, name) => headers.set(name, value)) },
    );
    expect(response.account).toMatchObject({ id: ID, externalId: 'user-1' });
    expect(headers.get('idempotency-replayed')).toBe('true');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('server')).toBeNull();
  });

  test.each(['--http1.1', '--http2-prior-knowledge'])('REST by curl %s', async (version) => {
    const { stdout } = await run('curl', [
      '-si',
      version,
      `${server.url}/accounts/resolve`,
      '-H',
      'authorization: Bearer integrator',
      '-H',
      'content-type: application/json',
      '-d',
      '{"externalId":"user-1"}',
    ]);
    expect(stdout).toMatch(/^HTTP\/(1.1 200 OK|2 200)/);
    expect(stdout).toContain('idempotency-replayed: true');
    expect(stdout).toContain('"externalId":"user-1"');
  });

  test('gRPC by grpc-js', async () => {
    const address = `127.0.0.1:${server.port}`;
    const request = { externalId: 'user-1' };
    const response = await callByGrpcJs(address, AccountService.method.resolveAccount, request, 'integrator');
    expect(response.account).toMatchObject({ id: ID, externalId: 'user-1' });
  });

  test.each(['grpc', 'grpcweb', 'connect'])('buf curl over %s learns the schema by reflection', async (protocol) => {
    const url = `${server.url}/laurel.v1.AccountService/ResolveAccount`;
    const { stdout } = await run('node_modules/.bin/buf', [
      'curl',
      '--protocol',
      protocol,
      '--http2-prior-knowledge',
      '-H',
      'authorization: Bearer integrator',
      '-d',
      '{"externalId":"user-1"}',
      url,
    ]);
    expect(JSON.parse(stdout).account).toMatchObject({ id: ID, externalId: 'user-1' });
  });
});

describe('health and reflection need no credential', () => {
  test('the service and each of its parts are SERVING, and an unknown one is NOT_FOUND', async () => {
    const client = createClient(Health, createGrpcTransport({ baseUrl: server.url }));
    expect((await client.check({})).status).toBe(ServingStatus.SERVING);
    expect((await client.check({ service: 'laurel.v1.AccountService' })).status).toBe(ServingStatus.SERVING);
    await expect(client.check({ service: 'laurel.v9.Nothing' })).rejects.toMatchObject({ code: Code.NotFound });
    expect(Object.keys((await client.list({})).statuses)).toContain('laurel.v1.AccountService');
  });

  test('reflection finds files by symbol, name and extension, and answers the unknown without ending the stream', async () => {
    const client = createClient(ServerReflection, createGrpcTransport({ baseUrl: server.url }));
    const questions = [
      { case: 'listServices', value: '' },
      { case: 'fileContainingSymbol', value: 'laurel.v1.AccountService.ResolveAccount' },
      { case: 'fileContainingSymbol', value: 'laurel.v1.Account.IdType' },
      { case: 'fileContainingSymbol', value: 'laurel.v1.Nothing' },
      { case: 'fileByFilename', value: 'laurel/v1/account.proto' },
      {
        case: 'fileContainingExtension',
        value: { containingType: 'google.protobuf.MethodOptions', extensionNumber: 50812 },
      },
      { case: 'allExtensionNumbersOfType', value: 'google.protobuf.ServiceOptions' },
    ] as const;
    async function* asked() {
      for (const messageRequest of questions) yield { messageRequest };
    }
    const answers = await Array.fromAsync(
      client.serverReflectionInfo(asked()),
      ({ messageResponse }) => messageResponse,
    );
    expect(answers.map((answer) => answer.case)).toEqual([
      'listServicesResponse',
      'fileDescriptorResponse',
      'fileDescriptorResponse',
      'errorResponse',
      'fileDescriptorResponse',
      'fileDescriptorResponse',
      'allExtensionNumbersResponse',
    ]);
    expect(answers[0]?.value).toMatchObject({ service: [{ name: 'laurel.v1.AccountService' }, {}, {}, {}, {}] });
    expect(answers[6]).toMatchObject({ value: { extensionNumber: [50811, 50813] } });
  });

  test('v1alpha answers too', async () => {
    const { stdout } = await run('node_modules/.bin/buf', [
      'curl',
      '--reflect-protocol',
      'grpc-v1alpha',
      '--protocol',
      'grpc',
      '--http2-prior-knowledge',
      '--list-methods',
      server.url,
    ]);
    expect(stdout).toContain('laurel.v1.AccountService/ResolveAccount');
  });
});

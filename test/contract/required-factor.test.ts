// A client that requires a second factor refuses a user without one all operations except those of the own session.
import { type DescMethod, type DescService, getOption } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditAdminService } from '../../gen/laurel/admin/v1/audit_admin_service_pb.ts';
import { ExportAdminService } from '../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { ImportAdminService } from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { SessionService } from '../../gen/laurel/admin/v1/session_service_pb.ts';
import { ChangeService } from '../../gen/laurel/v1/change_service_pb.ts';
import { streamed_at } from '../../gen/laurel/http/v1/options_pb.ts';
import { routes } from '../../gen/routes.ts';
import { newId } from '../../src/kernel/ids.ts';
import { settledUser } from '../operations/clients/console.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { grpcCaller, restCaller } from './support/callers.ts';
import { hasSample, nameOf, samplesOf } from './support/requests.ts';
import { newWorld } from './support/world.ts';

let service: TestService;
/** The token of a client's administrator who signed in by password and has no second factor. */
let token: string;

beforeAll(async () => {
  service = await sharedService();
  const strict = await service.newTenant();
  const change = { version: 1, name: 'Strict', timeZone: 'UTC', requireSecondFactor: true };
  const changed = await service.rest('PUT', `/admin/clients/${strict.clientId}`, change, strict.adminToken);
  expect(changed).toMatchObject({ status: 200, body: { requireSecondFactor: true } });
  const { answer } = await settledUser(service, strict.adminToken, 'CLIENT_ADMIN');
  token = answer.body.accessToken as string;
}, 60_000);
afterAll(() => service.close());

/** Operations with a file or a stream, which do not use the gateway. */
const STREAMED = [AuditAdminService, ChangeService, ExportAdminService, ImportAdminService].flatMap(
  (desc: DescService) =>
    desc.methods.filter((method) => method.methodKind !== 'unary' && getOption(method, streamed_at) !== ''),
);

describe('nothing opens before it is set up', () => {
  test('over REST and gRPC, but for what is of the own session or for everybody', async () => {
    const world = await newWorld(service, service, 'HELD');
    const callers = [restCaller(service), grpcCaller(service)];
    const guarded = routes.filter(hasSample).filter(({ rpc }) => rpc.parent.typeName !== SessionService.typeName);
    expect(guarded.length).toBeGreaterThan(150);
    const passed: string[] = [];
    for (const route of guarded) {
      const [sample] = samplesOf(route);
      for (const caller of callers) {
        const { status, body } = await caller.call(route, sample?.(world) ?? {}, token);
        // Operations that the role does not include are refused for that reason.
        const isRefused = status === 403 && ['SECOND_FACTOR_SETUP_REQUIRED', 'FORBIDDEN'].includes(body?.code);
        if (!isRefused) passed.push(`${caller.protocol} ${nameOf(route)}: ${status} ${body?.code}`);
      }
    }
    for (const caller of callers) caller.close();
    expect(passed).toEqual([]);
  }, 60_000);

  test('as a file: each download and upload is refused before its first byte', async () => {
    const routes = STREAMED.map((rpc: DescMethod) => [rpc.name, ...getOption(rpc, streamed_at).split(' ')] as const);
    expect(routes.length).toBeGreaterThanOrEqual(10);
    for (const [name, method = '', path = ''] of routes) {
      const response = await fetch(service.baseUrl + path.replaceAll(/\{\w+\}/g, newId()), {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(method !== 'GET' && { body: 'externalId\n1\n' }),
      });
      expect([name, response.status, await response.json()]).toMatchObject([
        name,
        403,
        { code: 'SECOND_FACTOR_SETUP_REQUIRED' },
      ]);
    }
  });

  test('as a stream of gRPC', async () => {
    const session = new Http2SessionManager(service.baseUrl);
    const transport = createGrpcTransport({ baseUrl: service.baseUrl, sessionManager: session });
    const exports = createClient(ExportAdminService, transport);
    const imports = createClient(ImportAdminService, transport);
    const headers = { authorization: `Bearer ${token}` };
    const download = Array.fromAsync(exports.exportAccounts({}, { headers }));
    await expect(download).rejects.toThrow(/requires a second factor/);
    async function* pieces() {
      yield { id: newId(), data: new Uint8Array([1]) };
    }
    await expect(imports.uploadImport(pieces(), { headers })).rejects.toThrow(/requires a second factor/);
    session.abort();
  });
});

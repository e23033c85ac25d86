import { create, type DescMethod, fromJson, getOption, type Message } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ErrorInfoSchema } from '../../gen/google/rpc/error_details_pb.ts';
import { AuditAdminService } from '../../gen/laurel/admin/v1/audit_admin_service_pb.ts';
import { ExportAdminService } from '../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { ImportAdminService } from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { ChangeService } from '../../gen/laurel/v1/change_service_pb.ts';
import { streamed_at } from '../../gen/laurel/http/v1/options_pb.ts';
import { startService, type Tenant, type TestService } from '../support/service.ts';
import { isAllowed, type Role, ROLES, tokensOf } from './support/held-permissions.ts';
import { newWorld, type World } from './support/world.ts';

/** The fields of a request, all of them text. */
type Fields = Readonly<Record<string, string>>;

/** A request of each streaming operation with a client's resources; an operation that is missing here fails a test. */
const SAMPLES: Readonly<Record<string, (of: World) => Fields>> = {
  'AuditAdminService.exportAuditLog': () => ({}),
  'ChangeService.exportChanges': () => ({}),
  'ChangeService.exportChangesCsv': () => ({}),
  'ChangeService.followChanges': () => ({}),
  'ChangeService.watchAccount': (of) => ({ account_id: of.account }),
  'ExportAdminService.exportAccount': (of) => ({ id: of.account }),
  'ExportAdminService.exportAccounts': (of) => ({ audienceId: of.audience }),
  'ExportAdminService.exportProductCodes': (of) => ({ productId: of.product }),
  'ExportAdminService.exportRedemptions': () => ({}),
  'ExportAdminService.exportJournal': (of) => ({ accountId: of.account }),
  'ImportAdminService.uploadImport': (of) => ({ id: of.import }),
  'ImportAdminService.downloadRefusals': (of) => ({ id: of.import }),
};

const nameOf = (method: DescMethod) => `${method.parent.name}.${method.localName}`;
/** Streams without an end, of which a test reads the first message. */
const ENDLESS = new Set(['ChangeService.followChanges', 'ChangeService.watchAccount']);
const streams = [AuditAdminService, ChangeService, ExportAdminService, ImportAdminService]
  .flatMap(({ methods }): DescMethod[] => methods)
  .filter(({ methodKind }) => methodKind !== 'unary');
const cases = streams.map((method) => [nameOf(method), method] as const);

let service: TestService;
let stranger: Tenant;
let ours: World;
let theirs: World;
let tokens: ReadonlyMap<Role, string>;
let session: Http2SessionManager;

beforeAll(async () => {
  service = await startService({ trustForwarded: true });
  stranger = await service.newTenant();
  theirs = await newWorld(service, service, 'THEIRS');
  ours = await newWorld(service, stranger, 'OURS');
  tokens = await tokensOf(service);
  session = new Http2SessionManager(service.baseUrl);
}, 60_000);
afterAll(async () => {
  session.abort();
  await service.close();
});

type Outcome = { readonly code: string | undefined; readonly text: string };
type Call = (method: DescMethod, fields: Fields, token: string | undefined) => Promise<Outcome>;

/** The path and query of the option, with the values of the fields. */
const rest: Call = async (method, fields, token) => {
  const [httpMethod = '', template = ''] = getOption(method, streamed_at).split(' ');
  const left = new Map(Object.entries(fields));
  const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return value ?? '';
  });
  const query = new URLSearchParams([...left]);
  const response = await fetch(`${service.baseUrl}${path}?${query}`, {
    method: httpMethod,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(httpMethod === 'PUT' && { body: 'externalId\nsomebody\n' }),
  });
  const text = await response.text();
  return { code: response.ok ? undefined : (JSON.parse(text) as { code: string }).code, text };
};

const grpc: Call = async (method, fields, token) => {
  const transport = createGrpcTransport({ baseUrl: service.baseUrl, sessionManager: session });
  const headers = new Headers(token === undefined ? [] : [['authorization', `Bearer ${token}`]]);
  const sent = (async function* (): AsyncIterable<Message> {
    yield fromJson(method.input, fields);
  })();
  try {
    const answer = await transport.stream(method as never, undefined, 10_000, headers, sent as never);
    let text = '';
    for await (const message of answer.message) {
      text += asText(create(method.output, message as never));
      if (ENDLESS.has(nameOf(method))) break;
    }
    return { code: undefined, text };
  } catch (error) {
    const { rawMessage, ...failure } = ConnectError.from(error);
    const [info] = ConnectError.from(error).findDetails(ErrorInfoSchema);
    return { code: info?.reason ?? String(failure.code), text: rawMessage };
  }
};

/** The content of a message: the bytes of a file; other messages are not compared. */
function asText(message: Message): string {
  const { data } = message as Message & { data?: Uint8Array };
  return data === undefined ? '' : Buffer.from(data).toString();
}

test('every streaming operation is tried', () => {
  const known = service.app.operations.services
    .filter(({ typeName }) => typeName.startsWith('laurel.'))
    .flatMap(({ methods }): DescMethod[] => methods)
    .filter(({ methodKind }) => methodKind !== 'unary');
  expect(known.map(nameOf).toSorted()).toEqual(Object.keys(SAMPLES).toSorted());
});

describe.each([
  ['REST', rest, cases.filter(([name]) => !ENDLESS.has(name))],
  ['gRPC', grpc, cases],
] as const)('over %s', (_protocol, call, served) => {
  test.each(served)(
    '%s is refused without a credential, and to API keys if it is for administrators',
    async (name, method) => {
      const fields = SAMPLES[name]?.(theirs) ?? {};
      expect(await call(method, fields, undefined)).toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(await call(method, fields, 'hello')).toMatchObject({ code: 'UNAUTHENTICATED' });
      const { code } = await call(method, fields, service.apiKey);
      expect(code === 'FORBIDDEN', code).toBe(!name.startsWith('ChangeService.'));
    },
  );

  describe.each(served)('%s', (name, method) => {
    test.each(ROLES)('is answered to %s as its permission says', async (role) => {
      const { code } = await call(method, SAMPLES[name]?.(theirs) ?? {}, tokens.get(role));
      expect(code === 'FORBIDDEN', code).toBe(!isAllowed(role, method));
      expect(['UNAUTHENTICATED', 'INTERNAL']).not.toContain(code);
    });
  });

  test.each(served)("%s gives and takes nothing by another client's ids", async (name, method) => {
    const fields = SAMPLES[name]?.(theirs) ?? {};
    const { code, text } = await call(method, fields, stranger.adminToken);
    expect(text).not.toContain('THEIRS');
    // A refusal may repeat the sent id.
    if (!Object.values(fields).includes(theirs.account)) expect(text).not.toContain(theirs.account);
    // These operations look up no id, so they answer without foreign data.
    if (!/(export(Redemptions|Journal|AuditLog|Changes|ChangesCsv)|followChanges)$/.test(name))
      expect(code).toMatch(/_NOT_FOUND$/);
  });

  test.each(served.filter(([name]) => name.includes('.export') && !name.startsWith('Audit')))(
    '%s gives a client its own',
    async (name, method) => {
      const { code, text } = await call(method, SAMPLES[name]?.(ours) ?? {}, stranger.adminToken);
      expect(code).toBeUndefined();
      expect(text).toContain('OURS');
      expect(text).not.toContain('THEIRS');
    },
  );
});

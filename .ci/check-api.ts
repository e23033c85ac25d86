// Checks the API that is not released yet against docs/api.md, as far as a program can. The API of the last release keeps its shape: it is
// read from its fixture. Intended exceptions are in MEANT with their reasons, and in docs/decisions/0089.
import {
  createFileRegistry,
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  getOption,
  ScalarType,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { field as fieldRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../gen/routes.ts';
import { commentOf } from '../src/gateway/codegen/proto-comments.ts';
import { errorKinds } from '../src/kernel/errors/error-codes.ts';
import { LAST_RELEASE } from '../src/persistence/migrating/own-migrations.ts';

/** Intended exceptions to a rule: the reason by the full name in the message. A release empties it. */
const MEANT: Readonly<Record<string, string>> = {
  'laurel.v1.LeaderboardService.ListLeaderboardEntries':
    'A list by rank has one order, and its entries are found by account.',
  'laurel.v1.LeaderboardService.ListLeaderboardRunEntries': 'The same list of a run.',
};

const release = join(import.meta.dirname, '..', 'test', 'fixtures', `v${LAST_RELEASE.version}`);
const before = registryOf(readFileSync(join(release, 'descriptors.binpb')));
const now = registryOf(execFileSync('buf', ['build', 'proto', '--output', '-'], { maxBuffer: 1 << 28 }));
const releasedRoutes = new Set(
  (JSON.parse(readFileSync(join(release, 'routes.json'), 'utf8')) as string[]).map((route) =>
    route.split(' ').slice(0, 2).join(' '),
  ),
);

const files = [...now.files].filter(({ proto }) => proto.package.startsWith('laurel.'));
const messages = files.flatMap(({ messages: top }) => top.flatMap(withNested));
const rpcs = files.flatMap(({ services }) => services).flatMap(({ methods }) => methods);

/** Reserved words of Python or Java, without those that are allowed as the name of a field. */
const KEPT = new Set(
  'and as assert async await break case catch class continue def default del do elif else except final finally for from global goto if import in is lambda new nonlocal not or package pass private public raise return switch this throw try while with yield'.split(
    ' ',
  ),
);
/** Names of times without a participle: the bounds of a time range. */
const SPAN = /^(since|until|before)$|_(at|since|until)$/;
const WIDE = [ScalarType.INT64, ScalarType.UINT64, ScalarType.UINT32, ScalarType.SINT64, ScalarType.FIXED64];

const PAGE = 'rows next previous page per_page total_pages total_rows';
const names = (fields: readonly DescField[]) => fields.map(({ name }) => name);

const found = [
  ...files.flatMap(importsOf),
  ...files.flatMap(({ enums }) => enums).flatMap(topEnum),
  ...messages.flatMap((message) => message.nestedEnums).flatMap(firstValue),
  ...messages.flatMap(({ fields }) => fields).flatMap(fieldFaults),
  ...messages.flatMap(({ fields }) => fields).flatMap(deprecationFaults),
  ...rpcs.flatMap(rpcFaults),
  ...routes.flatMap(pathFaults),
  ...Object.entries(errorKinds).flatMap(([code, kind]) =>
    code.endsWith('_NOT_FOUND') && kind !== 'NOT_FOUND' ? [`${code}: 25, what ends in _NOT_FOUND is a 404`] : [],
  ),
];
const locationOf = (fault: string) => fault.slice(0, fault.indexOf(': '));
const locations = new Set(found.map(locationOf));
const faults = [
  ...found.filter((fault) => !(locationOf(fault) in MEANT)),
  ...Object.keys(MEANT).flatMap((location) =>
    locations.has(location) ? [] : [`${location}: departs from no rule; take it out of MEANT`],
  ),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`\nThe numbers are those of docs/api.md. What release ${LAST_RELEASE.version} had is left as it is.`);
  process.exit(1);
}

function registryOf(bytes: Uint8Array): FileRegistry {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
}

function withNested(message: DescMessage): DescMessage[] {
  return [message, ...message.nestedMessages.flatMap(withNested)];
}

function importsOf({ proto, name }: (typeof files)[number]): string[] {
  const isPublic = proto.package === 'laurel.v1';
  return isPublic && proto.dependency.some((path) => path.startsWith('laurel/admin/'))
    ? [`${name}: 1, laurel.v1 imports nothing of laurel.admin.v1`]
    : [];
}

function topEnum({ typeName }: DescEnum): string[] {
  return before.getEnum(typeName) ? [] : [`${typeName}: 3, an enum stands inside a message`];
}

function firstValue({ typeName, values }: DescEnum): string[] {
  return values[0]?.name.endsWith('_UNSPECIFIED') ? [] : [`${typeName}: 24, the first value is ..._UNSPECIFIED`];
}

function fieldFaults(field: DescField): string[] {
  const { name, parent } = field;
  if (before.getMessage(parent.typeName)?.fields.some((each) => each.name === name)) return [];
  const at = `${parent.typeName}.${name}`;
  const isMoment = field.message?.typeName === 'google.protobuf.Timestamp';
  return [
    ...(KEPT.has(name) ? [`${at}: 4, other languages keep this word for themselves`] : []),
    ...(isMoment && !SPAN.test(name) ? [`${at}: 23, a moment is named ..._at, ..._since or ..._until`] : []),
    ...(field.scalar !== undefined && WIDE.includes(field.scalar) ? [`${at}: 22, a count is int32`] : []),
  ];
}

function rpcFaults(rpc: DescMethod): string[] {
  const service = rpc.parent;
  const at = `${service.typeName}.${rpc.name}`;
  if (isReleased(rpc)) return [];
  const isAdmin = service.file.proto.package === 'laurel.admin.v1';
  const isNewService = before.getService(service.typeName) === undefined;
  return [
    ...(isNewService && isAdmin && !service.name.endsWith('AdminService')
      ? [`${at}: 1, a service for operators is called ...AdminService`]
      : []),
    ...(rpcs.some((other) => other !== rpc && other.name === rpc.name)
      ? [`${at}: 2, another package has an RPC of this name`]
      : []),
    ...listFaults(rpc, at),
  ];
}

function listFaults(rpc: DescMethod, at: string): string[] {
  if (!rpc.name.startsWith('List') || rpc.methodKind !== 'unary') return [];
  const { path = '', responseBody = '' } = routes.find((route) => route.rpc === findGenerated(rpc)) ?? {};
  const answered = names(rpc.output.fields).join(' ');
  const asked = names(rpc.input.fields);
  if (responseBody !== '' || !answered.startsWith('rows'))
    return [`${at}: 13, a list is answered as an object with rows`];
  if (path.endsWith('/paginated') !== (answered === PAGE)) return [`${at}: 14, a page has the fields ${PAGE}`];
  if (answered === PAGE) {
    const missing = ['page', 'limit', 'filters', 'order_by', 'search'].filter((name) => !asked.includes(name));
    return missing.length === 0 ? [] : [`${at}: 14, a list by page takes ${missing.join(', ')}`];
  }
  if (answered.includes('cursor') !== asked.includes('cursor'))
    return [`${at}: 15, a list by cursor takes cursor and answers next_cursor`];
  return [];
}

/** The RPC of the generated code, which the routes refer to. */
function findGenerated(rpc: DescMethod): DescMethod | undefined {
  return routes.find((route) => route.rpc.toString() === rpc.toString())?.rpc;
}

function isReleased(rpc: DescMethod): boolean {
  return before.getService(rpc.parent.typeName)?.methods.some(({ name }) => name === rpc.name) ?? false;
}

function pathFaults({ httpMethod, path, rpc }: (typeof routes)[number]): string[] {
  const at = `${httpMethod} ${path}`;
  if (releasedRoutes.has(at)) return [];
  const literals = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  return [
    ...(literals.some((segment) => !/^([a-z]+(-[a-z]+)*|v1)$/.test(segment))
      ? [`${at}: 6, segments are kebab-case`]
      : []),
    ...(/^\/(v1|admin|accounts|webhooks|gamification\/triggers)(\/|$)/.test(path)
      ? []
      : [`${at}: 6, what is new begins with /v1`]),
    ...(path.includes('{account_id}') && !hasIdType(rpc)
      ? [`${at}: 11, account_id is a UUID or comes with id_type`]
      : []),
  ];
}

function hasIdType({ input }: DescMethod): boolean {
  const id = input.fields.find(({ name }) => name === 'account_id')!;
  const { type } = getOption(id, fieldRules);
  const isUuid = type.case === 'string' && type.value.wellKnown.case === 'uuid';
  return isUuid || input.fields.some(({ name }) => name === 'id_type');
}

/** A deprecation names its version and its replacement. */
function deprecationFaults(field: DescField): string[] {
  if (field.proto.options?.deprecated !== true) return [];
  return /Deprecated since \d+\.\d+\.\d+: use `/.test(commentOf(field).replaceAll(/\s+/g, ' '))
    ? []
    : [`${field.parent.typeName}.${field.name}: 27, its comment says "Deprecated since x.y.z: use ..."`];
}

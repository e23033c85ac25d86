import type { DescMessage } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../gen/routes.ts';
import type { Route } from '../../src/gateway/route.ts';
import type { RestAnswer, Tenant, TestService } from '../support/service.ts';
import { startContractService } from './support/contract-service.ts';
import { Permission } from '../../gen/laurel/auth/v1/options_pb.ts';
import { requiredPermissions } from '../../src/server/rpc/required-permission.ts';
import { type Caller, grpcCaller, restCaller } from './support/callers.ts';
import { type Fields, hasSample, kindsOf, nameOf, restRequest, samplesOf } from './support/requests.ts';
import { newWorld, tokenFor, type World } from './support/world.ts';

let service: TestService;
let stranger: Tenant;
let theirs: World;
let ours: World;
/** All rows of the client whose resources strangers request, before their requests. */
let before: string;
/** Texts that must never reach strangers: every id in those rows, and the name of every resource. */
let secrets: string[];
/** Every id of a stranger's resource, as the value of a filter. */
let ids: string[];
let rest: Caller;
let grpc: Caller;

const needs = requiredPermissions();
const needsNoCredential = ({ rpc }: Route) => needs(rpc) === Permission.ANYONE;

/** Reads that show only numbers, or only the caller, and no name of a resource. */
const NAMELESS = new Set([
  'ChangeService.getChangeFeed',
  'SessionService.listSessions',
  'PublicationAdminService.listAllReservations',
  'SessionService.getSession',
  'StatisticsAdminService.getOverview',
  'WebhookAdminService.listWaitingWebhooks',
  'WebhookAdminService.listWebhookRetries',
]);

/** The calls of a tenant; over REST every answer is checked against the description. */
const callers: Record<'REST' | 'gRPC', (route: Route, fields: Fields, tenant: Tenant) => Promise<RestAnswer>> = {
  REST(route, fields, tenant) {
    const { method, path, body } = restRequest(route, fields);
    return service.rest(method, path, body, tokenFor(tenant, path));
  },
  gRPC: (route, fields, tenant) => grpc.call(route, fields, tokenFor(tenant, route.path)),
};

beforeAll(async () => {
  service = await startContractService();
  stranger = await service.newTenant();
  theirs = await newWorld(service, service, 'THEIRS');
  ours = await newWorld(service, stranger, 'OURS');
  before = await everyRow();
  secrets = [...new Set(before.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)), 'THEIRS'];
  ids = secrets.filter((secret) => secret !== 'THEIRS').slice(0, 1_000);
  rest = restCaller(service);
  grpc = grpcCaller(service);
});
afterAll(async () => {
  grpc.close();
  await service.close();
});

/** The client's rows of every table as text, without columns that change in the background. */
async function everyRow(): Promise<string> {
  return service.db.unitOfWork(service.clientId, async (uow) => {
    const tables = await uow.query<{ name: string }>(
      `select c.table_name as name from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and c.column_name = 'client_id' and t.table_type = 'BASE TABLE'
          and c.table_name not in ('statistic_hour', 'call_count', 'refused_call')
        order by 1`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const rows = [];
    for (const { name } of tables) {
      const found = await uow.query<{ row: object }>(
        `select to_jsonb(x) - 'last_used_at' - 'number' as row from ${name} x where client_id = $1`,
        [uow.clientId],
      );
      rows.push(name, ...found.map(({ row }) => JSON.stringify(row)).toSorted());
    }
    return rows.join('\n');
  });
}

/** Checks that a refusal contains only the requested id, and that another answer is empty. */
function expectNothing(answer: RestAnswer, asked: string): void {
  const text = JSON.stringify(answer.body ?? '');
  expect(secrets.filter((secret) => !asked.includes(secret) && text.includes(secret))).toEqual([]);
  // 401: all failed sign-ins have the same answer.
  if ([401, 403, 404].includes(answer.status)) return;
  // Administration answers 400 if a new resource would refer to a missing one.
  if (answer.status === 400) return expect(answer.body.message).toContain(asked);
  expect(answer.status).toBe(200);
  expect(emptied(answer.body)).toEqual(answer.body);
}

/** The answer without any data: no rows, and zero for every count. */
function emptied(body: unknown): unknown {
  if (Array.isArray(body)) return [];
  const fields = body as Record<string, unknown>;
  if (Array.isArray(fields['results'])) {
    const refused = expect.objectContaining({ error: expect.objectContaining({ statusCode: 404 }) });
    return { ...fields, results: fields['results'].map(() => refused) };
  }
  const empty = { boolean: false, number: 0, string: '' } as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (Array.isArray(value)) return [name, []];
      return [name, isPageNumber(name) ? value : (empty[typeof value] ?? value)];
    }),
  );
}

/** The fields of an empty page: its number and its size. */
function isPageNumber(name: string): boolean {
  return name === 'page' || name === 'perPage';
}

const sampled = routes.filter(hasSample);
const tried = sampled.flatMap((route) =>
  samplesOf(route).flatMap((sample) => kindsOf(sample).map((kind) => [nameOf(route), kind, route, sample] as const)),
);
const filtered = sampled.filter(({ rpc }) => rpc.input.fields.some(({ name }) => name === 'filters'));

test.each(routes.map((route) => [nameOf(route), route] as const))('%s has a sample request', (_name, route) => {
  expect(samplesOf(route)).not.toEqual([]);
});

describe.each(['REST', 'gRPC'] as const)("another client's id, over %s", (protocol) => {
  const ask = callers[protocol];

  test.each(tried)('%s finds nothing by its %s', async (_name, kind, route, sample) => {
    const fields = sample({ ...ours, [kind]: theirs[kind] });
    expectNothing(await ask(route, fields, stranger), theirs[kind]);
  });

  const byExternalId = sampled.filter(({ rpc }) => rpc.input.fields.some((field) => field.name === 'id_type'));
  test.each(byExternalId.map((route) => [nameOf(route), route] as const))(
    '%s finds nothing by the external id of their account',
    async (_name, route) => {
      for (const sample of samplesOf(route)) {
        const fields = sample({ ...ours, account: theirs.externalId });
        const answer = await ask(route, { ...fields, idType: 'EXTERNAL' }, stranger);
        const text = JSON.stringify(answer.body ?? '');
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      }
    },
  );

  test.each(filtered.map((route) => [nameOf(route), route] as const))(
    '%s finds nothing by a filter that asks for their things, with deleted ones and any one condition',
    async (name, route) => {
      const [sample] = samplesOf(route);
      if (sample === undefined || name.startsWith('ClientAdminService')) return;
      const fields = await filterableBy(route, sample(ours));
      let answered = 0;
      for (const field of fields) {
        const value = /name|email|external|code|title/i.test(field) ? 'THEIRS' : ids;
        const filters = JSON.stringify({ filters: [{ field, value }], matchAll: false, includeDeleted: true });
        const { status, body } = await ask(route, { ...sample(ours), filters }, stranger);
        const text = JSON.stringify(body);
        // The message of a refusal may name the field, but no foreign value.
        expect(
          secrets.filter((secret) => text.includes(secret)),
          `${field} ${status}`,
        ).toEqual([]);
        if (status === 200) answered += 1;
      }
      expect(answered).toBeGreaterThan(0);
    },
  );

  /** The fields of filters, as the refusal of any other field lists them. */
  async function filterableBy(route: Route, fields: Fields): Promise<string[]> {
    const filters = JSON.stringify({ filters: [{ field: 'nothing', value: 1 }] });
    const { status, body } = await ask(route, { ...fields, filters }, stranger);
    expect(status).toBe(400);
    return /Allowed: (.+)\.$/.exec(body.message)?.[1]?.split(', ') ?? [];
  }
});

test.each(sampled.map((route) => [nameOf(route), route] as const))(
  'another client cannot be named in the header where %s is called, not even with its ids',
  async (_name, route) => {
    for (const [protocol, caller] of [
      ['REST', rest],
      ['gRPC', grpc],
    ] as const) {
      for (const token of [stranger.apiKey, stranger.adminToken]) {
        const [sample] = samplesOf(route);
        const answer = await caller.call(route, sample?.(theirs) ?? {}, token, { 'laurel-client-id': theirs.client });
        if (needsNoCredential(route)) continue;
        expect(answer.status, protocol).toBe(403);
        expect(JSON.stringify(answer.body)).not.toContain('THEIRS');
      }
    }
  },
);

test.each(sampled.map((route) => [nameOf(route), route] as const))(
  'is tried everywhere %s takes one',
  (_name, route) => {
    const sample = JSON.stringify(samplesOf(route).map((sample) => sample(ours)));
    for (const field of idFields(route.rpc.input)) expect(sample, field).toContain(`"${field}":`);
  },
);

describe.each(['REST', 'gRPC'] as const)('a read without an id, over %s', (protocol) => {
  const reads = sampled.flatMap((route) => {
    const [sample] = samplesOf(route);
    const isRead = route.httpMethod === 'GET' && sample && kindsOf(sample).length === 0 && !needsNoCredential(route);
    return isRead ? [[nameOf(route), route, sample] as const] : [];
  });
  test.each(reads)('%s gives a client its own things only', async (name, route, sample) => {
    const answer = await callers[protocol](route, sample(ours), stranger);
    const text = JSON.stringify(answer.body);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    if (name.startsWith('ClientAdminService')) return expect(answer.status).toBe(403);
    // A sum has no name in it.
    if (!NAMELESS.has(name)) expect(text).toContain('OURS');
    const own = await callers[protocol](route, sample(theirs), service);
    if (!NAMELESS.has(name)) expect(JSON.stringify(own.body)).toContain('THEIRS');
  });
});

/** Samples that are refused for a separate reason: their resource is already deleted, or they need more than a credential. */
const REFUSED_BY_ITSELF = new Map([
  [
    'DeadTriggerAdminService.discardDeadTrigger',
    'DeadTriggerAdminService.discardDeadTrigger 404 DEAD_TRIGGER_NOT_FOUND',
  ],
  ['RewardAdminService.deliverPendingReward', 'RewardAdminService.deliverPendingReward 404 EARNED_REWARD_NOT_FOUND'],
  ['SessionService.signIn', 'SessionService.signIn 401 SIGN_IN_REFUSED'],
  ['SessionService.refreshSession', 'SessionService.refreshSession 401 SESSION_ENDED'],
  ['SessionService.listSessions', 'SessionService.listSessions 403 SESSION_REQUIRED'],
  ['SessionService.endSession', 'SessionService.endSession 403 SESSION_REQUIRED'],
  ['SessionService.beginSecondFactor', 'SessionService.beginSecondFactor 403 SESSION_REQUIRED'],
  ['SessionService.confirmSecondFactor', 'SessionService.confirmSecondFactor 403 SESSION_REQUIRED'],
  ['SessionService.disableSecondFactor', 'SessionService.disableSecondFactor 403 SESSION_REQUIRED'],
  ['SessionService.changePassword', 'SessionService.changePassword 403 SESSION_REQUIRED'],
]);

test('the same requests, made of own things only, are answered', async () => {
  const tenant = await service.newTenant();
  const own = await newWorld(service, tenant, 'OWN');
  // It takes back what the other samples name.
  const undoes = /\.reverseTriggersOfAccount$/;
  const ends = /\.(delete|erase|end|revoke(?!\w*Tokens)|discard)/;
  // The operation also removes deleted resources, so it comes later.
  const removes = /\.removeAccount$/;
  const turns = [undoes, ends, removes];
  const turnOf = (route: Route) => turns.findIndex((turn) => turn.test(nameOf(route)));
  const refused = [];
  for (const route of sampled.toSorted((a, b) => turnOf(a) - turnOf(b))) {
    for (const sample of samplesOf(route)) {
      const { status, body } = await callers.REST(route, sample(own), tenant);
      // 409: the operation found all resources but was too late, such as the claim of a closed campaign.
      if (status >= 300 && status !== 409) refused.push(`${nameOf(route)} ${status} ${body.code}`);
    }
  }
  const forOthers = sampled.filter(({ rpc }) => needs(rpc) === Permission.ADMINISTER_SERVICE);
  expect(refused.toSorted()).toEqual(
    [
      ...forOthers.map((route) => `${nameOf(route)} 403 FORBIDDEN`),
      ...sampled.flatMap((route) => REFUSED_BY_ITSELF.get(nameOf(route)) ?? []),
    ].toSorted(),
  );
});

test('after all of it, nothing of the other client has changed', async () => {
  expect(await everyRow()).toBe(before);
});

/** JSON names of the fields of a request that hold ids of resources, at any depth. */
function idFields(message: DescMessage): string[] {
  return message.fields.flatMap((field) => {
    if (field.message) return field.message.typeName.startsWith('laurel.') ? idFields(field.message) : [];
    const isId = /^id$|_ids?$/.test(field.name) && !/^(operation|external)_id$/.test(field.name);
    return isId ? [field.jsonName] : [];
  });
}

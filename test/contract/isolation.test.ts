import type { DescMessage } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../gen/routes.ts';
import type { Route } from '../../src/gateway/route.ts';
import type { RestAnswer, Tenant, TestService } from '../support/service.ts';
import { startContractService } from './contract-service.ts';
import { type Fields, kindsOf, nameOf, restRequest, samplesOf } from './requests.ts';
import { newWorld, tokenFor, type World } from './world.ts';

let service: TestService;
let stranger: Tenant;
let theirs: World;
let ours: World;
/** Every row of the client whose things strangers ask for, before they do. */
let before: string;
/** What must never reach them: every id in those rows, and the name of everything. */
let secrets: string[];

beforeAll(async () => {
  service = await startContractService();
  stranger = await service.newTenant();
  theirs = await newWorld(service, service, 'THEIRS');
  ours = await newWorld(service, stranger, 'OURS');
  before = await everyRow();
  secrets = [...new Set(before.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)), 'THEIRS'];
});
afterAll(() => service.close());

/** The client's rows of every table, as text; without what changes by itself. */
async function everyRow(): Promise<string> {
  return service.db.unitOfWork(service.clientId, async (uow) => {
    const tables = await uow.query<{ name: string }>(
      `select c.table_name as name from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and c.column_name = 'client_id' and t.table_type = 'BASE TABLE'
        order by 1`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const rows = [];
    for (const { name } of tables) {
      const found = await uow.query<{ row: object }>(
        `select to_jsonb(x) - 'last_used_at' as row from ${name} x where client_id = $1 order by 1::text`,
        [uow.clientId],
      );
      rows.push(name, ...found.map(({ row }) => JSON.stringify(row)));
    }
    return rows.join('\n');
  });
}

async function ask(route: Route, fields: Fields, tenant: Tenant): Promise<RestAnswer> {
  const { method, path, body } = restRequest(route, fields);
  return service.rest(method, path, body, tokenFor(tenant, path));
}

/** A refusal tells nothing but the id that was asked for; another answer must hold nothing at all. */
function expectNothing(answer: RestAnswer, asked: string): void {
  const text = JSON.stringify(answer.body ?? '');
  expect(secrets.filter((secret) => secret !== asked && text.includes(secret))).toEqual([]);
  if (answer.status === 403 || answer.status === 404) return;
  // Administration says 400 where a new thing would refer to what there is not.
  if (answer.status === 400) return expect(answer.body.message).toContain(asked);
  expect(answer.status).toBe(200);
  expect(emptied(answer.body)).toEqual(answer.body);
}

/** The answer as it would be if there were nothing to tell. */
function emptied(body: unknown): unknown {
  if (Array.isArray(body)) return [];
  const { results } = body as { results?: unknown[] };
  if (results) return { results: results.map(() => ({ error: expect.objectContaining({ statusCode: 404 }) })) };
  return { releasedQuantity: 0 };
}

describe("another client's id", () => {
  const cases = routes.flatMap((route) =>
    samplesOf(route).flatMap((sample) => kindsOf(sample).map((kind) => [nameOf(route), kind, route, sample] as const)),
  );

  test.each(cases)('%s finds nothing by its %s', async (_name, kind, route, sample) => {
    const fields = sample({ ...ours, [kind]: theirs[kind] });
    expectNothing(await ask(route, fields, stranger), theirs[kind]);
  });

  const byExternalId = routes.filter(({ rpc }) => rpc.input.fields.some((field) => field.name === 'id_type'));
  test.each(byExternalId.map((route) => [nameOf(route), route] as const))(
    '%s finds nothing by the external id of their account',
    async (_name, route) => {
      for (const sample of samplesOf(route)) {
        const fields = sample({ ...ours, account: theirs.externalId });
        const answer = await ask(route, { ...fields, idType: 'EXTERNAL' }, stranger);
        const told = JSON.stringify(answer.body ?? '');
        expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
      }
    },
  );

  test.each(routes.map((route) => [nameOf(route), route] as const))(
    'is tried everywhere %s takes one',
    (_name, route) => {
      const sample = JSON.stringify(samplesOf(route).map((sample) => sample(ours)));
      for (const field of idFields(route.rpc.input)) expect(sample, field).toContain(`"${field}":`);
    },
  );
});

describe('a read without an id', () => {
  const reads = routes.flatMap((route) => {
    const [sample] = samplesOf(route);
    const isRead = route.httpMethod === 'GET' && sample && kindsOf(sample).length === 0;
    return isRead ? [[nameOf(route), route, sample] as const] : [];
  });
  test.each(reads)('%s gives a client its own things only', async (name, route, sample) => {
    const answer = await ask(route, sample(ours), stranger);
    const text = JSON.stringify(answer.body);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    if (name.startsWith('ClientAdminService')) return expect(answer.status).toBe(403);
    expect(text).toContain('OURS');
    expect(JSON.stringify((await ask(route, sample(theirs), service)).body)).toContain('THEIRS');
  });
});

test('the same requests, made of own things only, are answered', async () => {
  const tenant = await service.newTenant();
  const own = await newWorld(service, tenant, 'OWN');
  const ends = /\.(delete|erase|end|revoke|discard)/;
  const refused = [];
  for (const route of routes.toSorted((a, b) => Number(ends.test(nameOf(a))) - Number(ends.test(nameOf(b))))) {
    for (const sample of samplesOf(route)) {
      const { status, body } = await ask(route, sample(own), tenant);
      // 409: an operation that found everything and for which it was too late, such as the claim of a closed campaign.
      if (status >= 300 && status !== 409) refused.push(`${nameOf(route)} ${status} ${body.code}`);
    }
  }
  expect(refused).toEqual([
    'ClientAdminService.createClient 403 FORBIDDEN',
    'ClientAdminService.getClient 403 FORBIDDEN',
    'ClientAdminService.listClients 403 FORBIDDEN',
    'DeadTriggerAdminService.discardDeadTrigger 404 DEAD_TRIGGER_NOT_FOUND',
  ]);
});

test('after all of it, nothing of the other client has changed', async () => {
  expect(await everyRow()).toBe(before);
});

/** JSON names of the fields of a request that hold ids of things, at any depth. */
function idFields(message: DescMessage): string[] {
  return message.fields.flatMap((field) => {
    if (field.message) return field.message.typeName.startsWith('laurel.') ? idFields(field.message) : [];
    const isId = /^id$|_ids?$/.test(field.name) && !/^(operation|external)_id$/.test(field.name);
    return isId ? [field.jsonName] : [];
  });
}

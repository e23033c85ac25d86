// The lists of the TypeScript package against the service: pages, conditions, and the fields that its types know.
import { create, type DescMethodUnary, type DescService } from '@bufbuild/protobuf';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as admin from '../../../packages/typescript/src/gen/admin.ts';
import * as v1 from '../../../packages/typescript/src/gen/v1.ts';
import { Laurel, type LaurelOptions } from '../../../packages/typescript/src/index.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';

const { AccountService, Assignment_Status } = v1;

let service: TestService;
let laurel: Laurel;

const laurelOf = (options: LaurelOptions = {}) => new Laurel({ url: service.baseUrl, key: service.apiKey, ...options });

beforeAll(async () => {
  service = await sharedService();
  await newGame(service, { missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 100 }] });
  laurel = laurelOf();
  await laurel.emit('PURCHASE', 'ada', { amount: 12.5 });
});
afterAll(() => service.close());

test('a list asks for page after page, as far as it is read', async () => {
  for (let index = 0; index < 7; index += 1) await laurel.emit('LOGIN', `paged-${index}`);
  const calls: string[] = [];
  const counting = laurelOf({ hooks: { before: ({ name }) => calls.push(name) } });
  const names: (string | undefined)[] = [];
  const query = { where: { externalId: 'paged' }, orderBy: 'externalId desc', pageSize: 3 } as const;
  for await (const { externalId } of counting.list(AccountService.method.listAccounts, query)) names.push(externalId);
  expect(names).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `paged-${index}`));
  expect(calls).toHaveLength(3);
  for await (const _ of counting.list(AccountService.method.listAccounts, query)) break;
  expect(calls).toHaveLength(4);
});

test('conditions: whole texts, absence, any of them, moments', async () => {
  const namesOf = async (query: Parameters<typeof list>[0]) => (await list(query)).map(({ externalId }) => externalId);
  const list = (
    query: Parameters<typeof laurel.list<typeof v1.ListAccountsRequestSchema, typeof v1.ListAccountsResponseSchema>>[1],
  ) => Array.fromAsync(laurel.list(AccountService.method.listAccounts, query));
  await laurel.client(AccountService).createAccount({ externalId: 'named', name: 'Grace' });
  expect(await namesOf({ where: { externalId: ['named', 'paged-1'] } })).toEqual(['paged-1', 'named']);
  expect(await namesOf({ where: { externalId: ['named', 'paged-1'], name: null } })).toEqual(['paged-1']);
  expect(await namesOf({ where: { externalId: ['paged-1'], name: 'grac' }, matchAny: true })).toEqual([
    'paged-1',
    'named',
  ]);
  const [named] = await list({ where: { name: 'Grace', email: undefined } });
  const createdAt = new Date(Number(named!.createdAt!.seconds) * 1_000 + named!.createdAt!.nanos / 1e6);
  expect(await namesOf({ where: { createdAt } })).toEqual(['named']);
});

test('the feed is filtered by its fields', async () => {
  expect(await laurel.feed('ada', { where: { status: 'COMPLETED' } })).toEqual([]);
  const [item] = await laurel.feed('ada', { where: { status: ['ACTIVE', 'COMPLETED'], type: 'MISSION' } });
  expect(item?.status).toBe(Assignment_Status.ACTIVE);
  expect(await laurel.progress('ada')).toHaveLength(1);
  expect(await laurel.completed('ada')).toEqual([]);
  expect(await laurel.earnedRewards('ada', { where: { rewardType: 'POINTS' } })).toEqual([]);
});

test('the fields of the types are those that the service names', async () => {
  const types = await readFile(join(import.meta.dirname, '../../../packages/typescript/src/gen/filters.ts'), 'utf8');
  const client = laurelOf({ key: service.serviceToken });
  const services = ([...Object.values(v1), ...Object.values(admin)] as unknown[]).filter(isService);
  let compared = 0;
  for (const [, request, body = ''] of types.matchAll(/^ {2}'(.+?)': \{ (.*) \};$/gm)) {
    const methods = services.flatMap((each) => each.methods).filter(({ methodKind }) => methodKind === 'unary');
    const method = methods.find(({ input }) => input.typeName === request) as DescMethodUnary;
    const fields = body.split('; ').map((field) => field.slice(0, field.indexOf(':')));
    const named = await fieldsNamedBy(client, method);
    // A list of one thing, here of none: it names no fields.
    if (named === undefined) continue;
    expect(fields.filter((field) => !field.startsWith('[')).toSorted(), request).toEqual(named);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(25);
});

function isService(value: unknown): value is DescService {
  return (value as DescService).kind === 'service';
}

/** The fields that the refusal of a condition on an unknown field names. */
async function fieldsNamedBy(client: Laurel, method: DescMethodUnary): Promise<string[] | undefined> {
  const filters = { filters: [{ field: 'noSuchField', value: { kind: { case: 'boolValue', value: true } } }] };
  const ids = method.input.fields.filter(({ name, scalar }) => /(^|_)id$/.test(name) && scalar !== undefined);
  const known = Object.fromEntries(ids.map(({ localName }) => [localName, crypto.randomUUID()]));
  const input = create(method.input, { page: 1, limit: 1, ...known, filters });
  const error = await client.transport
    .unary(method, undefined, undefined, undefined, input as never)
    .catch((thrown: unknown) => thrown);
  const { message = '' } = error as { message?: string };
  const [, allowed] = /Allowed: (.*)\./.exec(message) ?? [];
  return message.startsWith('There is no ') ? undefined : (allowed?.split(', ').toSorted() ?? [message]);
}

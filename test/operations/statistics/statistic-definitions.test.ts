// Definitions of statistics: the answers, the refusals, repeats, and the definitions of another client.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTenant, type RestAnswer, restAs, startService, type TestService } from '../../support/service.ts';

type Json = RestAnswer['body'];

let service: TestService;

beforeAll(async () => {
  service = await startService();
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'COFFEE', type: 'AMOUNT' });
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' });
});
afterAll(() => service.close());

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

const PATH = '/admin/statistic-definitions';

const draft = (fields: Json = {}) => ({
  statisticDefinition: { programmaticCode: 'COFFEE', aggregation: 'SUM', period: 'MONTH', ...fields },
});
const create = (fields: Json) => service.rest('POST', PATH, draft(fields));

test('a statistic is created, read, listed, renamed and deleted', async () => {
  const created = await ok('POST', PATH, draft({ code: 'cups', condition: 'event.amount >= 2.0' }));
  expect(created).toMatchObject({
    ...{ code: 'cups', name: 'cups', description: '', source: 'EVENTS', programmaticCode: 'COFFEE' },
    ...{ aggregation: 'SUM', period: 'MONTH', condition: 'event.amount >= 2.0', version: 1 },
    countedSince: created.createdAt,
  });
  expect(await ok('GET', `${PATH}/${created.id}`)).toEqual(created);
  const { rows } = await ok('GET', `${PATH}/paginated?page=1&limit=10&search=cup`);
  expect(rows).toEqual([created]);
  const { code, programmaticCode, aggregation, period, condition } = created;
  const same = { code, programmaticCode, aggregation, period, condition };
  const renamed = { version: 1, statisticDefinition: { ...same, name: 'Cups of a month', description: 'Large ones' } };
  expect(await ok('PUT', `${PATH}/${created.id}`, renamed)).toMatchObject({ name: 'Cups of a month', version: 2 });
  await ok('DELETE', `${PATH}/${created.id}?version=2`);
  expect(await service.rest('GET', `${PATH}/${created.id}`)).toMatchObject({
    status: 404,
    body: { code: 'STATISTIC_DEFINITION_NOT_FOUND' },
  });
  // The code is free again.
  await ok('DELETE', `${PATH}/${(await ok('POST', PATH, draft({ code: 'cups' }))).id}`);
});

test.each<[string, Json]>([
  ['POINTS', { aggregation: 'SUM' }],
  ['MISSIONS', { aggregation: 'COUNT' }],
])('a statistic of %s has neither events nor a condition', async (source, fields) => {
  const own = { source, programmaticCode: undefined, ...fields };
  const created = await ok('POST', PATH, draft({ code: source.toLowerCase(), ...own }));
  expect(created).toMatchObject({ source, period: 'MONTH', ...fields });
  expect(created).not.toHaveProperty('programmaticCode');
  const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'source', value: source }] }));
  expect((await ok('GET', `${PATH}/paginated?page=1&limit=10&filters=${filters}`)).rows).toEqual([created]);
  const named = { version: 1, ...draft({ code: created.code, name: 'Named', ...own }) };
  expect(await ok('PUT', `${PATH}/${created.id}`, named)).toMatchObject({ name: 'Named', version: 2 });
});

test.each<[string, Json, string]>([
  ['a code of events that does not exist', { code: 'a', programmaticCode: 'TEA' }, `'TEA' is no code of events`],
  ['a sum of events without amounts', { code: 'a', programmaticCode: 'VISIT' }, 'send COUNT or DAYS'],
  ['a word that expressions reserve', { code: 'true' }, 'is reserved'],
  ['a mistake in the condition', { code: 'a', condition: 'event.size > 2' }, 'event.size'],
  ['the progress of a mission', { code: 'a', condition: 'mission.progress > 2.0' }, 'moved whatever missions count'],
  ['a condition that is no condition', { code: 'a', condition: 'event.amount' }, 'must be a BOOLEAN'],
  ['no code of events', { code: 'a', programmaticCode: '' }, 'send the code of the events'],
  ['another aggregation of points', { code: 'a', source: 'POINTS', aggregation: 'MAX' }, 'send SUM'],
  ['a sum of missions', { code: 'a', source: 'MISSIONS', programmaticCode: '' }, 'send COUNT'],
  ['a code of events for points', { code: 'a', source: 'POINTS' }, 'leave it out for one of POINTS'],
  [
    'a condition of points',
    { code: 'a', source: 'POINTS', programmaticCode: '', condition: 'true' },
    'condition` is for statistics of EVENTS',
  ],
  ['no aggregation', { code: 'a', aggregation: undefined }, 'statisticDefinition.aggregation'],
  ['a code with a space', { code: 'a b' }, 'statisticDefinition.code'],
])('%s is refused, and the message says what to send instead', async (_, fields, words) => {
  const { status, body } = await create(fields);
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
  expect(body.message).toContain(words);
});

test('a second statistic of one code, and a changed meaning, are refused', async () => {
  const { id } = await ok('POST', PATH, draft({ code: 'twice' }));
  expect(await create({ code: 'twice' })).toMatchObject({
    status: 409,
    body: { code: 'STATISTIC_DEFINITION_ALREADY_EXISTS' },
  });
  const { statisticDefinition } = draft({ code: 'twice' });
  const changed = { version: 1, statisticDefinition: { ...statisticDefinition, aggregation: 'MAX', period: 'YEAR' } };
  const refused = await service.rest('PUT', `${PATH}/${id}`, changed);
  expect(refused).toMatchObject({ status: 409, body: { code: 'STATISTIC_DEFINITION_IMMUTABLE' } });
  expect(refused.body.message).toContain('aggregation, period');
  const late = await service.rest('PUT', `${PATH}/${id}`, { version: 7, statisticDefinition });
  expect(late).toMatchObject({ status: 409, body: { code: 'VERSION_CONFLICT' } });
  expect(await service.rest('DELETE', `${PATH}/${id}?version=7`)).toMatchObject({ body: { code: 'VERSION_CONFLICT' } });
});

test('a statistic that expressions use cannot be deleted, and the message names them', async () => {
  const { id } = await ok('POST', PATH, draft({ code: 'used' }));
  const expression = 'account.statistics.used >= 3.0';
  const audience = await ok('POST', '/admin/audiences', { name: 'Regulars', kind: 'RULE', expression });
  await ok('POST', '/admin/missions', {
    audienceId: audience.id,
    mission: {
      ...{ type: 'MISSION', name: 'More', programmaticCode: 'VISIT', target: 1 },
      conditions: { expression: 'account.statistics.used < 10.0' },
    },
  });
  await ok('POST', '/admin/rewards', {
    name: 'Share',
    type: 'POINTS',
    amountExpression: 'account.statistics.used / 2.0',
    amountMax: 9,
  });
  const refused = await service.rest('DELETE', `${PATH}/${id}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'STATISTIC_DEFINITION_IN_USE' } });
  for (const use of [`audience 'Regulars'`, `mission 'More'`, `reward 'Share'`])
    expect(refused.body.message).toContain(`account.statistics.used of ${use}`);
});

test('events that a statistic counts cannot lose their definition, and their definition says so', async () => {
  const { id } = await ok('POST', '/admin/event-definitions', { programmaticCode: 'CAKE', type: 'SINGLE' });
  await ok('POST', PATH, draft({ code: 'cakes', programmaticCode: 'CAKE', aggregation: 'COUNT' }));
  const refused = await service.rest('DELETE', `/admin/event-definitions/${id}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'EVENT_DEFINITION_IN_USE' } });
  expect(refused.body.message).toContain(`statistic 'cakes'`);
});

test('another client sees none of them, and may use the same code', async () => {
  const { id } = await ok('POST', PATH, draft({ code: 'mine' }));
  const tenant = await newTenant(service.db);
  const other = restAs(service.baseUrl, tenant);
  expect((await other('GET', `${PATH}/paginated?page=1&limit=10`)).body.rows).toEqual([]);
  for (const method of ['GET', 'DELETE'])
    expect(await other(method, `${PATH}/${id}`)).toMatchObject({ body: { code: 'STATISTIC_DEFINITION_NOT_FOUND' } });
  await other('POST', '/admin/event-definitions', { programmaticCode: 'COFFEE', type: 'AMOUNT' });
  expect((await other('POST', PATH, draft({ code: 'mine' }))).status).toBe(201);
});

test('a client has at most 100 statistics', async () => {
  const tenant = await newTenant(service.db);
  const other = restAs(service.baseUrl, tenant);
  await other('POST', '/admin/event-definitions', { programmaticCode: 'COFFEE', type: 'AMOUNT' });
  for (let index = 0; index < 100; index += 1)
    expect((await other('POST', PATH, draft({ code: `s${index}` }))).status).toBe(201);
  expect(await other('POST', PATH, draft({ code: 'more' }))).toMatchObject({
    status: 409,
    body: { code: 'TOO_MANY_STATISTIC_DEFINITIONS' },
  });
});

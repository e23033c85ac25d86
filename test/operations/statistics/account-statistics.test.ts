// The values of statistics: reads, corrections, reversals, merges, expressions that read them, and housekeeping.
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { TriggerService } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { expect, test } from 'vitest';
import { deleteOldEvents } from '../../../src/statistics/values/delete-old-events.ts';
import { removeDeletedValues } from '../../../src/statistics/values/remove-values.ts';
import { newTenant, type RestAnswer, restAs } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';
import { playStatistics } from './statistics-scene.ts';

type Json = RestAnswer['body'];

const DAY = 86_400_000;

const scene = playStatistics();
const { ok, send, listed, values } = scene;

/** Creates a statistic of the scene. @returns its name in expressions */
async function statistic(aggregation: string, period = 'ALL_TIME', fields: Json = {}): Promise<string> {
  const code = `${aggregation.toLowerCase()}_${period.toLowerCase()}_${scene.number}`;
  const definition = { code, programmaticCode: scene.code, aggregation, period, ...fields };
  await ok('POST', '/admin/statistic-definitions', { statisticDefinition: definition });
  return code;
}

const sendTogether = (amounts: readonly number[]) =>
  ok('POST', '/gamification/triggers/batch', { triggers: amounts.map((amount) => scene.trigger(amount)) });

const correct = (fields: Json) =>
  scene.service.rest('POST', `/admin/accounts/${encodeURIComponent(scene.who)}/statistics/correct`, {
    ...{ idType: 'EXTERNAL', reason: 'A wrong import' },
    ...fields,
  });

const query = <Row extends object>(sql: string) =>
  scene.service.db.unitOfWork(scene.service.clientId, (uow) => uow.query<Row>(sql, [scene.service.clientId]));

test('an account without events has zeros, and nothing for MAX and LAST; so has an unknown external id', async () => {
  for (const aggregation of ['COUNT', 'SUM', 'DAYS', 'MAX', 'LAST']) await statistic(aggregation);
  const nothing = { count_all_time: 0, sum_all_time: 0, days_all_time: 0, max_all_time: undefined };
  expect(await values()).toEqual({ ...nothing, last_all_time: undefined });
  expect(await values('nobody')).toEqual({ ...nothing, last_all_time: undefined });
  const unknown = await scene.service.rest('GET', `/v1/accounts/01982f6e-0000-7000-8000-000000000000/statistics`);
  expect(unknown).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
});

test('a period has its key and bounds, and the one before it can be read', async () => {
  const own = await statistic('SUM', 'DAY');
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  await send(5, { occurredAt: new Date(midnight - 1_000).toISOString() });
  await send(7);
  const [today] = (await listed()).filter((row) => row.code === own);
  expect(today).toMatchObject({ period: 'DAY', periodKey: dayOf(midnight), value: 7 });
  const [before] = (await listed(scene.who, '&period=PREVIOUS')).filter((row) => row.code === own);
  expect(before).toMatchObject({ periodKey: dayOf(midnight - DAY), value: 5, until: today!.since });
});

test('an event of one code moves no other statistic, and a condition leaves events out', async () => {
  await statistic('COUNT');
  await statistic('SUM', 'YEAR', { condition: 'event.amount > 10.0' });
  await send(5);
  await send(20);
  expect(await values()).toEqual({ count_all_time: 2, sum_year: 20 });
});

test('a repeat of an event moves nothing again', async () => {
  await statistic('COUNT');
  const operationId = `coffee ${scene.number}`;
  for (let attempt = 0; attempt < 3; attempt += 1) await send(5, { operationId });
  expect(await values()).toEqual({ count_all_time: 1 });
});

test('a reversal says which statistics fell, and so does the journal', async () => {
  const sum = await statistic('SUM', 'MONTH');
  await statistic('MAX');
  const operationId = `coffee ${scene.number}`;
  await send(30);
  await send(50, { operationId });
  const path = '/gamification/triggers/reversals';
  const reversal = { triggerOperationId: operationId, programmaticCode: scene.code };
  const part = await ok('POST', path, { ...reversal, amount: 10 });
  expect(part.statistics).toEqual(
    expect.arrayContaining([expect.objectContaining({ code: sum, amount: -10, periodKey: expect.any(String) })]),
  );
  expect(await values()).toEqual({ sum_month: 70, max_all_time: 40 });
  await ok('POST', path, reversal);
  expect(await values()).toEqual({ sum_month: 30, max_all_time: 30 });
  const { rows } = await ok('GET', `/admin/journal?programmaticCode=${scene.code}&limit=10`);
  const moves = (rows as Json[]).map((row) => row.statistics.find((each: Json) => each.code === sum).amount);
  expect(moves).toEqual([-40, -10, 50, 30]);
});

test('a simulated event says what it would bring, and brings nothing', async () => {
  const own = await statistic('SUM');
  // Over REST the answer is the list of missions.
  const client = createClient(TriggerService, createGrpcTransport({ baseUrl: scene.service.baseUrl }));
  const event = {
    programmaticCode: scene.code,
    accountId: scene.who,
    idType: Account_IdType.EXTERNAL,
    metadata: { amount: 7 },
  };
  const headers = { authorization: `Bearer ${scene.service.apiKey}` };
  const { statistics } = await client.simulateTrigger({ trigger: event }, { headers });
  expect(statistics).toMatchObject([{ code: own, amount: 7 }]);
  expect(await values()).toEqual({ sum_all_time: 0 });
});

test('two accounts that become one have the sum, the largest and the last, and both theirs again after an undo', async () => {
  for (const aggregation of ['COUNT', 'SUM', 'DAYS', 'MAX', 'LAST']) await statistic(aggregation);
  const guest = scene.who;
  await send(5);
  await send(9);
  scene.who = `other ${scene.number}`;
  await ok('POST', '/accounts', { externalId: scene.who });
  await send(7);
  const merge = { intoAccountId: scene.who, idType: 'EXTERNAL', progress: 'SUM' };
  const { mergeId } = await ok('POST', `/accounts/${encodeURIComponent(guest)}/merge`, merge);
  const both = { count_all_time: 3, sum_all_time: 21, days_all_time: 1, max_all_time: 9, last_all_time: 7 };
  expect(await values()).toEqual(both);
  expect(await values(guest)).toEqual(both);
  expect(await differences(scene.service.db, scene.service.clientId)).toEqual([]);
  await ok('POST', `/accounts/${encodeURIComponent(scene.who)}/merges/${mergeId}/undo`, { idType: 'EXTERNAL' });
  expect(await values()).toMatchObject({ count_all_time: 1, sum_all_time: 7, max_all_time: 7 });
  expect(await values(guest)).toMatchObject({ count_all_time: 2, sum_all_time: 14, max_all_time: 9 });
});

test('support sets a value with a reason, and later events move it on from there', async () => {
  const own = await statistic('SUM', 'MONTH');
  await send(5);
  const { status, body } = await correct({ code: own, value: 100.5 });
  expect({ status, body }).toMatchObject({ status: 200, body: { code: own, value: 100.5 } });
  await send(2);
  expect(await values()).toEqual({ sum_month: 102.5 });
  const { rows } = await ok('GET', '/admin/audit/paginated?page=1&limit=5');
  expect(JSON.stringify(rows)).toContain('A wrong import');
});

test('a correction is refused with words, and changes nothing', async () => {
  const own = await statistic('SUM', 'MONTH');
  const ever = await statistic('SUM');
  const refusals: [Json, string][] = [
    [{ code: 'nothing', value: 1 }, 'STATISTIC_DEFINITION_NOT_FOUND'],
    [{ code: own, value: 1, periodKey: '2026-W13' }, 'BAD_REQUEST'],
    [{ code: own, value: 1, periodKey: '2999-01' }, 'BAD_REQUEST'],
    [{ code: ever, value: 1, periodKey: '2026-01' }, 'BAD_REQUEST'],
    [{ code: own, value: 0.00001 }, 'BAD_REQUEST'],
    [{ code: own, value: 1, reason: '' }, 'BAD_REQUEST'],
  ];
  for (const [fields, refusal] of refusals)
    expect((await correct(fields)).body, JSON.stringify(fields)).toMatchObject({ code: refusal });
  expect(await values()).toEqual({ sum_month: 0, sum_all_time: 0 });
});

test('a correction with an operation id happens once', async () => {
  const own = await statistic('SUM');
  const operationId = `correction ${scene.number}`;
  await correct({ code: own, value: 10, operationId });
  await send(1);
  await correct({ code: own, value: 10, operationId });
  expect(await values()).toEqual({ sum_all_time: 11 });
  expect((await correct({ code: own, value: 11, operationId })).body.code).toBe('OPERATION_ID_REUSED');
});

test('an event sees the values from before it, also the events of one batch', async () => {
  for (const aggregation of ['COUNT', 'DAYS', 'MAX', 'LAST']) {
    const own = await statistic(aggregation, 'MONTH');
    const least = { COUNT: 2, DAYS: 1, MAX: 8, LAST: 4 }[aggregation];
    const { id: audienceId } = await ok('POST', '/admin/audiences', { name: own, kind: 'EVERYONE' });
    await ok('POST', '/admin/missions', {
      audienceId,
      mission: {
        ...{ type: 'MISSION', name: own, programmaticCode: scene.code, target: 1_000 },
        conditions: { expression: `has(account.statistics.${own}) && account.statistics.${own} >= ${least}.0` },
      },
    });
  }
  const amounts = [3, 8, 4, 1];
  await sendTogether(amounts);
  const progress = async () => {
    const path = `/v1/gamification/missions/progress/${encodeURIComponent(scene.who)}?idType=EXTERNAL`;
    const rows = (await ok('GET', path)) as unknown as Json[];
    return Object.fromEntries(
      rows.filter(({ name }) => name.endsWith(`_${scene.number}`)).map((row) => [row.name.split('_')[0], row.progress]),
    );
  };
  // Before the events: COUNT 0 1 2 3; DAYS 0 1 1 1; MAX - 3 8 8; LAST - 3 8 4.
  const first = { count: 4 + 1, days: 8 + 4 + 1, max: 4 + 1, last: 4 + 1 };
  expect(await progress()).toEqual(first);
  // One by one, before them: COUNT 4 5; DAYS 1 1; MAX 8 8; LAST 1 6.
  await send(6);
  await send(2);
  expect(await progress()).toEqual({ count: 13, days: 21, max: 13, last: 7 });
});

test('an amount by a statistic is what it was before the event', async () => {
  const own = await statistic('SUM');
  const amountExpression = `account.statistics.${own} + 1.0`;
  const { id } = await ok('POST', '/admin/rewards', { name: own, type: 'POINTS', amountExpression, amountMax: 100 });
  const { id: audienceId } = await ok('POST', '/admin/audiences', { name: own, kind: 'EVERYONE' });
  const mission = { type: 'MISSION', name: own, programmaticCode: scene.code, target: 1, repeat: {}, rewardIds: [id] };
  await ok('POST', '/admin/missions', { audienceId, mission });
  await sendTogether([1, 1, 1]);
  await send(1);
  const { available } = await ok('GET', `/loyalty/accounts/${encodeURIComponent(scene.who)}/points?idType=EXTERNAL`);
  expect(available).toBe(1 + 2 + 3 + 4);
});

test('an audience by a statistic has an account from the event on that follows, is counted, listed and explained', async () => {
  const own = await statistic('COUNT', 'MONTH');
  const audience = await ok('POST', '/admin/audiences', {
    ...{ name: own, kind: 'RULE', expression: `account.statistics.${own} >= 2.0` },
  });
  await ok('POST', '/admin/missions', {
    audienceId: audience.id,
    mission: { type: 'MISSION', name: own, programmaticCode: scene.code, target: 1_000 },
  });
  const path = `/admin/audiences/${audience.id}`;
  const explained = () => ok('GET', `${path}/accounts/${encodeURIComponent(scene.who)}/explanation?idType=EXTERNAL`);
  expect(await explained()).toMatchObject({
    member: false,
    explanation: expect.stringContaining(`account.statistics.${own}`),
  });
  await sendTogether([10, 20, 30]);
  await send(40);
  expect(await explained()).toMatchObject({ member: true });
  expect(await ok('GET', path)).toMatchObject({ memberCount: 1 });
  const { rows: members } = await ok('GET', `${path}/members/paginated?page=1&limit=10`);
  expect(members).toMatchObject([{ account: { externalId: scene.who } }]);
  const rows = (await ok(
    'GET',
    `/v1/gamification/missions/progress/${encodeURIComponent(scene.who)}?idType=EXTERNAL`,
  )) as unknown as Json[];
  expect(rows.find(({ name }) => name === own)).toMatchObject({ progress: 30 + 40 });
});

test('an old event can be forgotten: a reversal of a later one goes back to its value', async () => {
  await statistic('MAX');
  await statistic('LAST');
  await send(50);
  await send(20);
  const tomorrow = new Date(Date.now() + DAY);
  expect(await deleteOldEvents(scene.service.db, scene.service.clientId, tomorrow)).toBeGreaterThan(1);
  const operationId = `coffee ${scene.number}`;
  await send(70, { operationId });
  expect(await values()).toEqual({ max_all_time: 70, last_all_time: 70 });
  await ok('POST', '/gamification/triggers/reversals', {
    triggerOperationId: operationId,
    programmaticCode: scene.code,
  });
  expect(await values()).toEqual({ max_all_time: 50, last_all_time: 20 });
});

test('the values of a deleted statistic are removed, and its deletion is forgotten a day later', async () => {
  const own = await statistic('COUNT', 'DAY');
  await statistic('DAYS');
  await send(1);
  const { rows } = await ok('GET', `/admin/statistic-definitions/paginated?page=1&limit=10&search=_${scene.number}`);
  for (const { id } of rows as Json[]) await ok('DELETE', `/admin/statistic-definitions/${id}`);
  expect((await listed()).filter((row) => row.code === own)).toEqual([]);
  const left = (table: string) =>
    query<{ rows: number }>(`select count(*)::int as rows from ${table} where client_id = $1`);
  const before = (await left('account_statistic'))[0]!.rows;
  expect(await removeDeletedValues(scene.service.db, scene.service.clientId, new Date())).toBe(3);
  expect((await left('account_statistic'))[0]!.rows).toBe(before - 2);
  expect(await left('deleted_statistic')).toEqual([{ rows: 2 }]);
  await removeDeletedValues(scene.service.db, scene.service.clientId, new Date(Date.now() + 2 * DAY));
  expect(await left('deleted_statistic')).toEqual([{ rows: 0 }]);
});

test('verify finds a value that its events do not add up to', async () => {
  for (const aggregation of ['COUNT', 'SUM', 'DAYS', 'MAX', 'LAST']) await statistic(aggregation);
  await send(5);
  const add = (much: number) =>
    query(
      `update account_statistic set value = value + ${much} where client_id = $1
          and account_id = (select id from account where client_id = $1 and external_id = '${scene.who}')`,
    );
  await add(1);
  const found = await differences(scene.service.db, scene.service.clientId);
  expect(found.map(({ subject, stored, recomputed }) => [subject, Number(stored) - Number(recomputed)])).toEqual(
    Array.from({ length: 5 }, () => ['account_statistic.value', 1]),
  );
  await add(-1);
});

test('another client has no such account, statistic or value', async () => {
  const own = await statistic('SUM');
  await send(5);
  const other = restAs(scene.service.baseUrl, await newTenant(scene.service.db));
  expect(
    (await other('GET', `/v1/accounts/${encodeURIComponent(scene.who)}/statistics?idType=EXTERNAL`)).body.rows,
  ).toEqual([]);
  const body = { idType: 'EXTERNAL', code: own, value: 1, reason: 'Mine' };
  const path = `/admin/accounts/${encodeURIComponent(scene.who)}/statistics/correct`;
  expect((await other('POST', path, body)).body.code).toBe('ACCOUNT_NOT_FOUND');
});

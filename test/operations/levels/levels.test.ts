// Level tracks: definitions and their refusals, rewards and webhooks of events, reviews, expressions, merges, and housekeeping.
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { TriggerService } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { removeDeletedLevels } from '../../../src/levels/accounts/remove-levels.ts';
import { reviewLevels } from '../../../src/levels/accounts/review-levels.ts';
import { newTenant, type RestAnswer, restAs, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';
import { startReceiver } from '../webhooks/receiver.ts';

type Json = RestAnswer['body'];

const DAY = 86_400_000;

let service: TestService;
let scenes = 0;
let [code, who, track] = ['', '', ''];

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});
beforeEach(async () => {
  scenes += 1;
  [code, who, track] = [`SALE_${scenes}`, `account ${scenes}`, `tier_${scenes}`];
  await ok('POST', '/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
  await ok('POST', '/admin/statistic-definitions', {
    statisticDefinition: { code: `spent_${scenes}`, programmaticCode: code, aggregation: 'SUM', period: 'ALL_TIME' },
  });
  await ok('POST', '/accounts', { externalId: who });
});
// A client may have 20 tracks.
beforeEach(() => async () => {
  const { rows } = await ok('GET', '/admin/level-tracks/paginated?page=1&limit=100');
  for (const { id } of rows as Json[]) await service.rest('DELETE', `/admin/level-tracks/${id}`);
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

const points = async (amount: number): Promise<string> =>
  (await ok('POST', '/admin/rewards', { name: `${amount} points`, type: 'POINTS', amount })).id;

const level = (name: string, threshold: number, ...rewardIds: string[]) => ({ code: name, threshold, rewardIds });

const draft = (levels: readonly Json[], fields: Json = {}) => {
  return { levelTrack: { code: track, statisticCode: `spent_${scenes}`, levels, ...fields } };
};
const createTrack = (levels: readonly Json[], fields: Json = {}) =>
  ok('POST', '/admin/level-tracks', draft(levels, fields));

const send = (amount: number, fields: Json = {}) =>
  ok('POST', '/gamification/triggers', {
    ...{ programmaticCode: code, accountId: who, idType: 'EXTERNAL', metadata: { amount } },
    ...fields,
  });
const takeBack = (triggerOperationId: string) =>
  ok('POST', '/gamification/triggers/reversals', { triggerOperationId, programmaticCode: code });

/** The scene's level of an account. */
async function levelOf(account = who): Promise<Json> {
  const { rows } = await ok('GET', `/v1/accounts/${encodeURIComponent(account)}/levels?idType=EXTERNAL`);
  return (rows as Json[]).find((row) => row.trackCode === track);
}
const available = async (account = who): Promise<number> =>
  (await ok('GET', `/loyalty/accounts/${encodeURIComponent(account)}/points?idType=EXTERNAL`)).available;

const query = <Row extends object>(sql: string) =>
  service.db.unitOfWork(service.clientId, (uow) => uow.query<Row>(sql, [service.clientId]));

test('an event pays every level that it reaches, lowest first, and says so in answer, journal and list of rewards', async () => {
  const { id } = await createTrack([
    level('none', 0),
    level('silver', 100, await points(1)),
    level('gold', 200, await points(20), await points(300)),
    level('black', 900, await points(4000)),
  ]);
  const { rewards } = await send(250);
  expect((rewards as Json[]).map(({ amount }) => amount)).toEqual([1, 20, 300]);
  expect(rewards[0]).toMatchObject({ levelTrackId: id, missionId: null, campaignId: null });
  expect(await available()).toBe(321);
  expect(await levelOf()).toMatchObject({
    level: { number: 3, code: 'gold', name: 'gold', threshold: 200 },
    next: { level: { code: 'black' }, missing: 650, progress: expect.closeTo(50 / 700) },
    countedValue: 250,
    since: expect.any(String),
  });
  const { rows } = await ok('GET', `/admin/journal?programmaticCode=${code}&limit=1`);
  expect(rows[0].levels).toEqual([{ trackId: id, trackCode: track, code: 'gold' }]);
});

test('a level pays once: not again after a reversal, a repeat, or a second track change', async () => {
  const [silver, gold] = [level('silver', 100, await points(7)), level('gold', 1000)];
  const { id, version } = await createTrack([silver, gold], { downgrade: 'BALANCE', holdDays: 1 });
  const operationId = `sale ${scenes}`;
  await send(150, { operationId });
  await send(150, { operationId });
  await takeBack(operationId);
  await send(160);
  expect(await available()).toBe(7);
  await ok('PUT', `/admin/level-tracks/${id}`, {
    version,
    ...draft([level('silver', 50, ...silver.rewardIds), gold], { downgrade: 'NEVER' }),
  });
  await send(1);
  expect(await available()).toBe(7);
});

test('twenty events at once pay a level once', async () => {
  await createTrack([level('silver', 5, await points(7))]);
  await Promise.all(Array.from({ length: 20 }, () => send(1)));
  expect(await available()).toBe(7);
  expect((await levelOf()).countedValue).toBe(20);
});

test('a read never pays: a new track shows levels at once, and the next event of any code pays them', async () => {
  await send(150);
  await createTrack([level('silver', 100, await points(7))]);
  const shown = await levelOf();
  expect(shown).toMatchObject({ level: { code: 'silver' } });
  expect(shown.since).toBeUndefined();
  expect(await available()).toBe(0);
  await ok('POST', '/admin/event-definitions', { programmaticCode: `${code}_OTHER`, type: 'SINGLE' });
  await send(0, { programmaticCode: `${code}_OTHER`, metadata: {} });
  expect(await available()).toBe(7);
  expect((await levelOf()).since).toEqual(expect.any(String));
});

test('changed thresholds count at once for all accounts, write nothing, and are previewed', async () => {
  const { id } = await createTrack([level('silver', 100), level('gold', 200)]);
  const accounts = [50, 120, 150, 220].map((amount) => ({ amount, account: `${who} ${amount}` }));
  for (const { amount, account } of accounts) {
    await ok('POST', '/accounts', { externalId: account });
    await send(amount, { accountId: account });
  }
  const levels = [level('bronze', 40), level('silver', 130), level('gold', 140), level('black', 500)];
  const stored = () => query('select account_id, code, since, paid from account_level where client_id = $1 order by 1');
  const before = await stored();
  expect(await ok('POST', '/admin/level-tracks/preview', draft(levels))).toEqual({
    ...{ rising: 2, falling: 1, unchanged: 1 },
    levels: [
      { accounts: 0, accountsNow: 1 },
      { code: 'bronze', accounts: 2, accountsNow: 0 },
      { code: 'silver', accounts: 0, accountsNow: 2 },
      { code: 'gold', accounts: 2, accountsNow: 1 },
      { code: 'black', accounts: 0, accountsNow: 0 },
    ],
  });
  await ok('PUT', `/admin/level-tracks/${id}`, { version: 1, ...draft(levels) });
  const codes = await Promise.all(accounts.map(async ({ account }) => (await levelOf(account)).level.code));
  expect(codes).toEqual(['bronze', 'bronze', 'gold', 'gold']);
  expect(await stored()).toEqual(before);
});

test('an endpoint receives each change once, with rewards; a review at risk is announced before, and a lost level after', async () => {
  const receiver = await startReceiver();
  const endpoint = { name: track, url: receiver.url, types: ['LEVEL_CHANGED', 'LEVEL_AT_RISK'] };
  const { id: endpointId } = await ok('POST', '/webhooks/endpoints', { endpoint });
  const fields = { downgrade: 'ONE', holdDays: 30, atRiskDays: 5 };
  const { id } = await createTrack([level('bronze', 0), level('silver', 100, await points(7))], fields);
  const operationId = `sale ${scenes}`;
  await send(150, { operationId });
  await send(1);
  const [risen] = await receiver.got(1);
  const { id: accountId } = await ok('GET', `/accounts/${encodeURIComponent(who)}?idType=EXTERNAL`);
  const about = { accountId, externalId: who, trackId: id, trackCode: track };
  expect(JSON.parse(risen!.body)).toMatchObject({
    type: 'LEVEL_CHANGED',
    data: {
      ...about,
      level: { number: 2, code: 'silver' },
      operationId,
      rewards: [{ rewardType: 'POINTS', amount: 7 }],
    },
  });
  await takeBack(operationId);
  const { reviewAt, level: held, levelAfterReview } = await levelOf();
  expect({ held, levelAfterReview }).toMatchObject({ held: { code: 'silver' }, levelAfterReview: { code: 'bronze' } });
  const review = async (days: number) => {
    await reviewLevels(service.db, service.clientId, new Date(Date.parse(reviewAt) + days * DAY));
  };
  await review(-6);
  for (const days of [-4, -3]) await review(days);
  const [, atRisk] = await receiver.got(2);
  expect(JSON.parse(atRisk!.body)).toMatchObject({
    type: 'LEVEL_AT_RISK',
    data: { ...about, level: { code: 'silver' }, levelAfterReview: { code: 'bronze' }, reviewAt },
  });
  for (const days of [0, 1]) await review(days);
  const [, , lost] = await receiver.got(3);
  expect(JSON.parse(lost!.body)).toMatchObject({
    type: 'LEVEL_CHANGED',
    data: { ...about, previousCode: 'silver', level: { code: 'bronze' }, rewards: [] },
  });
  await ok('DELETE', `/webhooks/endpoints/${endpointId}`);
  await receiver.close();
});

test('conditions, amounts and audiences read the level from before the event, also the events of one batch', async () => {
  await createTrack([level('bronze', 10), level('silver', 20)]);
  const amountExpression = `account.levels.${track} * 10.0 + 1.0`;
  const { id: reward } = await ok('POST', '/admin/rewards', {
    name: track,
    type: 'POINTS',
    amountExpression,
    amountMax: 100,
  });
  const { id: everyone } = await ok('POST', '/admin/audiences', { name: track, kind: 'EVERYONE' });
  const { id: audienceId } = await ok('POST', '/admin/audiences', {
    ...{ name: `${track} rule`, kind: 'RULE', expression: `account.levels.${track} >= 1.0` },
  });
  const mission = { type: 'MISSION', programmaticCode: code, target: 1_000 };
  await ok('POST', '/admin/missions', {
    audienceId: everyone,
    mission: { ...mission, name: `condition ${scenes}`, conditions: { expression: `account.levels.${track} == 1.0` } },
  });
  await ok('POST', '/admin/missions', { audienceId, mission: { ...mission, name: `audience ${scenes}` } });
  await ok('POST', '/admin/missions', {
    audienceId: everyone,
    mission: { ...mission, name: `amount ${scenes}`, target: 1, repeat: {}, counts: 'EVENTS', rewardIds: [reward] },
  });
  const explained = () =>
    ok('GET', `/admin/audiences/${audienceId}/accounts/${encodeURIComponent(who)}/explanation?idType=EXTERNAL`);
  expect(await explained()).toMatchObject({ member: false, explanation: expect.stringContaining('account.levels') });
  // Before the events, the levels are 0, 0, 1, 2.
  const trigger = (amount: number) => {
    return { programmaticCode: code, accountId: who, idType: 'EXTERNAL', metadata: { amount } };
  };
  await ok('POST', '/gamification/triggers/batch', { triggers: [4, 8, 16, 32].map(trigger) });
  const rows = (await ok(
    'GET',
    `/v1/gamification/missions/progress/${encodeURIComponent(who)}?idType=EXTERNAL`,
  )) as Json[];
  const progress = (name: string) => rows.find((row) => row.name === `${name} ${scenes}`)?.progress;
  expect([progress('condition'), progress('audience')]).toEqual([16, 16 + 32]);
  expect(await available()).toBe(1 + 1 + 11 + 21);
  expect(await explained()).toMatchObject({ member: true });
  expect(await ok('GET', `/admin/audiences/${audienceId}`)).toMatchObject({ memberCount: 1 });
  const { rows: tracks } = await ok('GET', `/admin/level-tracks/paginated?page=1&limit=10&search=${track}`);
  const refused = await service.rest('DELETE', `/admin/level-tracks/${tracks[0].id}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'LEVEL_TRACK_IN_USE' } });
  expect(refused.body.message).toContain(`audience '${track} rule'`);
});

test('accounts that become one keep what either was paid; the next event pays what both reach together, once', async () => {
  await createTrack([
    level('bronze', 10, await points(1)),
    level('silver', 20, await points(20)),
    level('gold', 100, await points(300)),
  ]);
  const guest = who;
  await send(25);
  who = `other ${scenes}`;
  await ok('POST', '/accounts', { externalId: who });
  await send(80);
  const merge = { intoAccountId: who, idType: 'EXTERNAL', progress: 'SUM' };
  const { mergeId } = await ok('POST', `/accounts/${encodeURIComponent(guest)}/merge`, merge);
  expect(await levelOf()).toMatchObject({ level: { code: 'gold' }, countedValue: 105 });
  expect(await available()).toBe(42);
  await ok('POST', `/accounts/${encodeURIComponent(who)}/merges/${mergeId}/undo`, { idType: 'EXTERNAL' });
  expect((await levelOf(guest)).level.code).toBe('silver');
  await ok('POST', `/accounts/${encodeURIComponent(guest)}/merge`, merge);
  await send(1);
  await send(1);
  expect(await available()).toBe(42 + 300);
});

test('a merged account brings the levels that it was paid, and the value that it holds', async () => {
  await createTrack([level('silver', 20, await points(20)), level('gold', 100, await points(300))]);
  const guest = who;
  const operationId = `sale ${scenes}`;
  await send(150, { operationId });
  await takeBack(operationId);
  who = `other ${scenes}`;
  await ok('POST', '/accounts', { externalId: who });
  await send(30);
  const merge = { intoAccountId: who, idType: 'EXTERNAL', progress: 'SUM' };
  await ok('POST', `/accounts/${encodeURIComponent(guest)}/merge`, merge);
  expect(await levelOf()).toMatchObject({ level: { code: 'gold' }, countedValue: 150, value: 30 });
  await send(200);
  expect(await available()).toBe(20 + 300 + 20);
});

test('a review that takes no level is not announced before', async () => {
  const endpoint = { name: track, url: 'http://127.0.0.1:9/', types: ['LEVEL_AT_RISK'] };
  const { id: endpointId } = await ok('POST', '/webhooks/endpoints', { endpoint });
  const fields = { downgrade: 'ONE', holdDays: 30, atRiskDays: 5 };
  await createTrack([level('bronze', 0), level('silver', 100), level('gold', 200)], fields);
  const atRisk = async () => {
    const { reviewAt } = await levelOf();
    await reviewLevels(service.db, service.clientId, new Date(Date.parse(reviewAt) - DAY));
    const sql = `select count(*)::int as rows from outbox_message where client_id = $1 and type = 'LEVEL_AT_RISK'`;
    return (await query<{ rows: number }>(sql))[0]!.rows;
  };
  await send(150);
  expect(await atRisk()).toBe(0);
  await send(100, { operationId: `sale ${scenes}` });
  await takeBack(`sale ${scenes}`);
  expect(await atRisk()).toBe(1);
  await ok('DELETE', `/webhooks/endpoints/${endpointId}`);
});

test('a simulated event says which levels it would announce and pay, and does neither', async () => {
  const { id } = await createTrack([level('silver', 5, await points(7))]);
  const client = createClient(TriggerService, createGrpcTransport({ baseUrl: service.baseUrl }));
  const event = { programmaticCode: code, accountId: who, idType: Account_IdType.EXTERNAL, metadata: { amount: 7 } };
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const { levels, levelRewards } = await client.simulateTrigger({ trigger: event }, { headers });
  expect(levels).toMatchObject([{ trackId: id, trackCode: track, code: 'silver' }]);
  expect(levelRewards).toMatchObject([{ name: '7 points', amount: 7 }]);
  expect(await available()).toBe(0);
  expect((await levelOf()).level).toBeUndefined();
});

test('a track is refused with words for the field that is wrong', async () => {
  const archived = await points(3);
  await ok('POST', `/admin/rewards/${archived}/archive`);
  const monthly = `month_${scenes}`;
  await ok('POST', '/admin/statistic-definitions', {
    statisticDefinition: { code: monthly, programmaticCode: code, aggregation: 'SUM', period: 'MONTH' },
  });
  const nobody = '01982f6e-0000-7000-8000-000000000000';
  const levels = [level('silver', 5)];
  const refusals: [Json, string][] = [
    [draft([]), 'levels'],
    [draft([level('silver', 5), level('gold', 5)]), 'levelTrack.levels[1].threshold'],
    [draft([level('silver', 5), level('silver', 6)]), 'levelTrack.levels[1].code'],
    [draft([level('silver', 0.00001)]), 'levelTrack.levels[0].threshold'],
    [draft([level('silver', 5, nobody)]), nobody],
    [draft([level('silver', 5, archived)]), archived],
    [draft([{ ...level('silver', 5), imageUrl: 'javascript:alert(1)' }]), 'image'],
    [draft(levels, { code: 'in' }), 'levelTrack.code'],
    [draft(levels, { statisticCode: 'nothing' }), 'levelTrack.statisticCode'],
    [draft(levels, { downgrade: 'ONE' }), 'levelTrack.holdDays'],
    [draft(levels, { holdDays: 5 }), 'levelTrack.holdDays'],
    [draft(levels, { downgrade: 'ONE', statisticCode: monthly, holdDays: 5 }), 'levelTrack.holdDays'],
    [draft(levels, { atRiskDays: 5 }), 'levelTrack.atRiskDays'],
    [draft(levels, { downgrade: 'BALANCE', holdDays: 5, atRiskDays: 6 }), 'levelTrack.atRiskDays'],
  ];
  for (const [body, words] of refusals)
    for (const path of ['/admin/level-tracks', '/admin/level-tracks/preview']) {
      const answer = await service.rest('POST', path, body);
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
      expect(answer.body.message).toContain(words);
    }
});

test('a track keeps its code and statistic, and is changed by one operator at a time', async () => {
  const { id } = await createTrack([level('silver', 5)]);
  const change = (fields: Json, version = 1) =>
    service.rest('PUT', `/admin/level-tracks/${id}`, { version, ...draft([level('silver', 6)], fields) });
  expect((await change({ code: 'another' })).body.code).toBe('LEVEL_TRACK_IMMUTABLE');
  expect(await change({ name: 'Tiers' })).toMatchObject({ status: 200, body: { name: 'Tiers', version: 2 } });
  expect((await change({})).body.code).toBe('VERSION_CONFLICT');
  expect((await service.rest('POST', '/admin/level-tracks', draft([level('gold', 1)]))).body.code).toBe(
    'LEVEL_TRACK_ALREADY_EXISTS',
  );
});

test('a statistic with a track, and a reward of a level, are in use', async () => {
  const reward = await points(3);
  const { id } = await createTrack([level('silver', 5, reward)]);
  const { rows } = await ok('GET', `/admin/statistic-definitions/paginated?page=1&limit=10&search=spent_${scenes}`);
  const deleteStatistic = () => service.rest('DELETE', `/admin/statistic-definitions/${rows[0].id}`);
  const archive = () => service.rest('POST', `/admin/rewards/${reward}/archive`);
  expect((await deleteStatistic()).body).toMatchObject({
    code: 'STATISTIC_DEFINITION_IN_USE',
    message: expect.stringContaining(`level track '${track}'`),
  });
  expect((await archive()).body).toMatchObject({
    code: 'REWARD_IN_USE',
    message: expect.stringContaining(`level track '${track}'`),
  });
  await ok('DELETE', `/admin/level-tracks/${id}`);
  expect((await deleteStatistic()).status).toBe(204);
  expect((await archive()).status).toBe(200);
});

test('the levels of a deleted track are removed, and its deletion is forgotten a day later', async () => {
  const { id } = await createTrack([level('silver', 5)]);
  await send(7);
  await ok('DELETE', `/admin/level-tracks/${id}`);
  expect(await levelOf()).toBeUndefined();
  expect((await service.rest('DELETE', `/admin/level-tracks/${id}`)).body.code).toBe('LEVEL_TRACK_NOT_FOUND');
  expect(await removeDeletedLevels(service.db, service.clientId, new Date())).toBeGreaterThan(0);
  const left = (table: string) =>
    query<{ rows: number }>(`select count(*)::int as rows from ${table} where client_id = $1 and track_id = '${id}'`);
  expect(await left('account_level')).toEqual([{ rows: 0 }]);
  expect(await left('deleted_level_track')).toEqual([{ rows: 1 }]);
  await removeDeletedLevels(service.db, service.clientId, new Date(Date.now() + 2 * DAY));
  expect(await left('deleted_level_track')).toEqual([{ rows: 0 }]);
});

test('a deleted account, and a track that is gone, end their reviews', async () => {
  const { id } = await createTrack([level('silver', 5)], { downgrade: 'BALANCE', holdDays: 1 });
  await send(7);
  const { id: accountId } = await ok('GET', `/accounts/${encodeURIComponent(who)}?idType=EXTERNAL`);
  await ok('DELETE', `/accounts/${accountId}`);
  who = `another ${scenes}`;
  await ok('POST', '/accounts', { externalId: who });
  await send(7);
  const later = new Date(Date.now() + 3 * DAY);
  expect(await reviewLevels(service.db, service.clientId, later)).toBeGreaterThan(1);
  await ok('DELETE', `/admin/level-tracks/${id}`);
  await reviewLevels(service.db, service.clientId, new Date(later.getTime() + 3 * DAY));
  expect(await reviewLevels(service.db, service.clientId, new Date(later.getTime() + 9 * DAY))).toBe(0);
});

test('an unknown external id has the level of a new account, and an unknown id is refused', async () => {
  await createTrack([level('bronze', 0), level('silver', 5)]);
  expect(await levelOf('nobody')).toMatchObject({ level: { code: 'bronze' }, next: { missing: 5, progress: 0 } });
  const unknown = await service.rest('GET', '/v1/accounts/01982f6e-0000-7000-8000-000000000000/levels');
  expect(unknown).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
});

test('a client has at most 20 tracks', async () => {
  const create = (index: number) =>
    service.rest('POST', '/admin/level-tracks', draft([level('silver', 5)], { code: `${track}_${index}` }));
  const { totalRows } = await ok('GET', '/admin/level-tracks/paginated?page=1&limit=1');
  for (let index = totalRows; index < 20; index += 1) expect((await create(index)).status).toBe(201);
  expect((await create(20)).body.code).toBe('TOO_MANY_LEVEL_TRACKS');
});

test("another client has none of a client's tracks and levels", async () => {
  const { id } = await createTrack([level('silver', 5)]);
  await send(7);
  const other = restAs(service.baseUrl, await newTenant(service.db));
  expect((await other('GET', `/v1/accounts/${encodeURIComponent(who)}/levels?idType=EXTERNAL`)).body.rows).toEqual([]);
  expect((await other('GET', `/admin/level-tracks/${id}`)).body.code).toBe('LEVEL_TRACK_NOT_FOUND');
  expect((await other('DELETE', `/admin/level-tracks/${id}`)).body.code).toBe('LEVEL_TRACK_NOT_FOUND');
});

// Statistics that count the events which the journal had at their creation: values, reversals, both passes, leaderboards and refusals.
import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { TriggerSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { fillLeaderboards } from '../../../src/leaderboards/entries/fill-leaderboards.ts';
import { clientsWithPast } from '../../../src/statistics/definitions/past-events.queries.ts';
import { deleteOldEvents } from '../../../src/statistics/values/delete-old-events.ts';
import { countPastEvents } from '../../../src/triggers/count-past-events.ts';
import { runTriggers } from '../../../src/triggers/run-triggers.ts';
import { createAudiencesOf } from '../../support/audiences-of.ts';
import { newTenant, type RestAnswer, restAs } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';
import { playStatistics } from './statistics-scene.ts';

type Json = RestAnswer['body'];

const HOUR = 3_600_000;
const AGGREGATIONS = ['COUNT', 'SUM', 'DAYS', 'MAX', 'LAST'] as const;

const scene = playStatistics({ attributes: [{ name: 'size', type: 'STRING' }] });
const { ok, send, values } = scene;

const draft = (aggregation: string, fields: Json = {}) => ({
  ...{ code: `${aggregation.toLowerCase()}_${scene.number}`, programmaticCode: scene.code, aggregation },
  ...{ period: 'ALL_TIME', countsPastEvents: true, ...fields },
});
const statistic = (aggregation: string, fields: Json = {}) =>
  ok('POST', '/admin/statistic-definitions', { statisticDefinition: draft(aggregation, fields) });

const takeBack = (triggerOperationId: string, amount?: number) =>
  ok('POST', '/gamification/triggers/reversals', { triggerOperationId, programmaticCode: scene.code, amount });

/** One pass over the journal; the second one is due five minutes after the first. */
const pass = (later = 0) =>
  countPastEvents(scene.service.db, scene.service.clientId, new Date(Date.now() + later), createCatalogs());
const count = async () => (await pass()) + (await pass(HOUR));

test('a statistic counts the events that the journal has, and shows how far it has come', async () => {
  await send(5);
  await send(9);
  const created = await statistic('SUM');
  expect(created).toMatchObject({ countsPastEvents: true, countedUntil: created.countedSince });
  expect(Date.parse(created.countedSince)).toBeLessThan(Date.parse(created.createdAt));
  expect(await values()).toEqual({ sum: 0 });
  await send(2);
  expect(await values()).toEqual({ sum: 2 });
  const due = () => scene.service.db.systemUnitOfWork((uow) => clientsWithPast(uow, new Date()));
  expect(await due()).toEqual([scene.service.clientId]);
  expect(await pass()).toBe(2);
  expect(await values()).toEqual({ sum: 16 });
  expect(await due()).toEqual([]);
  expect(await pass(HOUR)).toBe(0);
  const done = await ok('GET', `/admin/statistic-definitions/${created.id}`);
  expect(done).toMatchObject({ countedSince: created.countedSince, version: 1 });
  expect(done).not.toHaveProperty('countedUntil');
});

test('the condition decides about past events by what was sent', async () => {
  await send(5, {}, { size: 'large' });
  await send(7, {}, { size: 'small' });
  await send(9);
  await statistic('SUM', { condition: 'event.size == "large"' });
  await count();
  expect(await values()).toEqual({ sum: 5 });
});

test('an event whose amount the journal does not have counts where none is needed', async () => {
  await send(5);
  await scene.service.db.unitOfWork(scene.service.clientId, (uow) =>
    uow.query(
      `update journal_batch set entries = replace(entries::text, '"v":5', '"b":1')::json
        where client_id = $1 and programmatic_codes @> array[$2]`,
      [scene.service.clientId, scene.code],
    ),
  );
  for (const aggregation of ['COUNT', 'SUM', 'MAX']) await statistic(aggregation);
  await statistic('DAYS', { condition: 'event.amount >= 1.0' });
  await count();
  expect(await values()).toEqual({ count: 1, sum: 0, max: undefined, days: 0 });
});

test('a past event is taken back of each statistic, whole or in part, before and after it is counted', async () => {
  await send(5, { operationId: `a ${scene.number}` });
  await send(9, { operationId: `b ${scene.number}` });
  await send(30, { operationId: `c ${scene.number}` });
  await takeBack(`c ${scene.number}`);
  await takeBack(`b ${scene.number}`, 3);
  for (const aggregation of AGGREGATIONS) await statistic(aggregation);
  await count();
  expect(await values()).toEqual({ count: 2, sum: 11, days: 1, max: 6, last: 6 });
  const { statistics } = await takeBack(`b ${scene.number}`, 4);
  expect(statistics.find((each: Json) => each.code === `sum_${scene.number}`)).toMatchObject({ amount: -4 });
  expect(await values()).toEqual({ count: 2, sum: 7, days: 1, max: 5, last: 2 });
  await takeBack(`b ${scene.number}`);
  expect(await values()).toEqual({ count: 1, sum: 5, days: 1, max: 5, last: 5 });
  await takeBack(`a ${scene.number}`);
  expect(await values()).toEqual({ count: 0, sum: 0, days: 0, max: undefined, last: undefined });
});

test('two hosts count each event once', async () => {
  for (let each = 0; each < 12; each += 1) await send(1);
  for (const aggregation of ['COUNT', 'SUM', 'DAYS']) await statistic(aggregation);
  const counted = await Promise.all([pass(), pass(), pass()]);
  expect(counted.reduce((sum, each) => sum + each, 0)).toBe(36);
  await pass(HOUR);
  expect(await values()).toEqual({ count: 12, sum: 12, days: 1 });
});

test('an event whose transaction began before the creation is found by the second pass, once', async () => {
  const catalogs = createCatalogs();
  const before = await scene.service.db.unitOfWork(scene.service.clientId, (uow) => catalogs(uow));
  await statistic('SUM');
  await pass();
  const about = {
    programmaticCode: scene.code,
    accountId: scene.who,
    idType: Account_IdType.EXTERNAL,
    metadata: { amount: 7 },
  };
  const stale = Object.assign(async () => before, { lastKnown: () => before });
  await scene.service.db.unitOfWork(scene.service.clientId, (uow) =>
    runTriggers(uow, stale, [create(TriggerSchema, about)], new Date()),
  );
  expect(await values()).toEqual({ sum: 0 });
  expect(await pass(HOUR)).toBe(1);
  expect(await values()).toEqual({ sum: 7 });
});

test('an account has the past events of those that were merged into it, and a deleted one is passed over', async () => {
  await send(5);
  const guest = scene.who;
  scene.who = `survivor ${scene.number}`;
  await ok('POST', '/accounts', { externalId: scene.who });
  await send(9);
  const merge = { intoAccountId: scene.who, idType: 'EXTERNAL', progress: 'SUM' };
  await ok('POST', `/accounts/${encodeURIComponent(guest)}/merge`, merge);
  const survivor = scene.who;
  scene.who = `gone ${scene.number}`;
  const { id } = await ok('POST', '/accounts', { externalId: scene.who });
  await send(3);
  await ok('DELETE', `/accounts/${id}`);
  await statistic('SUM');
  expect(await count()).toBe(2);
  expect(await values(survivor)).toEqual({ sum: 14 });
});

test('past events that cannot be taken back any more stay counted, and verify agrees', async () => {
  await send(5);
  await send(9);
  for (const aggregation of AGGREGATIONS) await statistic(aggregation);
  await count();
  const all = { count: 2, sum: 14, days: 1, max: 9, last: 9 };
  expect(await values()).toEqual(all);
  expect(
    await deleteOldEvents(scene.service.db, scene.service.clientId, new Date(Date.now() + HOUR)),
  ).toBeGreaterThanOrEqual(10);
  expect(await values()).toEqual(all);
  await send(1);
  expect(await values()).toEqual({ count: 3, sum: 15, days: 1, max: 9, last: 1 });
  expect(await differences(scene.service.db, scene.service.clientId)).toEqual([]);
});

test('a leaderboard over the statistic ranks accounts by their past events, also those of an audience', async () => {
  await send(5);
  const { id: audienceId } = await ok('POST', '/admin/audiences', { name: `Few ${scene.number}`, kind: 'MANUAL' });
  const { id: accountId } = await ok('POST', '/accounts/resolve', { externalId: scene.who });
  await ok('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds: [accountId] });
  await statistic('SUM');
  const boards = [[], [audienceId]].map(async (audienceIds, index) => {
    const name = `Board ${scene.number} ${index}`;
    const leaderboard = { name, statisticCode: `sum_${scene.number}`, audienceIds, order: 'HIGHEST_FIRST' };
    const { id } = await ok('POST', '/admin/leaderboards', { leaderboard });
    await ok('POST', `/admin/leaderboards/${id}/activate`);
    return id as string;
  });
  const ids = await Promise.all(boards);
  const fill = () =>
    fillLeaderboards(scene.service.db, scene.service.clientId, new Date(Date.now() + HOUR), createAudiencesOf());
  await fill();
  await count();
  await fill();
  for (const id of ids) {
    const { rows } = await ok('GET', `/v1/leaderboards/${id}/entries/paginated?page=1&limit=10`);
    expect(rows).toMatchObject([{ rank: 1, value: 5 }]);
  }
});

test('past events are refused where the journal does not know enough, in words', async () => {
  const path = '/admin/statistic-definitions';
  const refused = async (fields: Json) => {
    const answer = await scene.service.rest('POST', path, { statisticDefinition: draft('COUNT', fields) });
    expect(answer.body).toMatchObject({ code: 'BAD_REQUEST' });
    return answer.body.message as string;
  };
  expect(await refused({ condition: 'account.createdAt < event.occurredAt' })).toContain('account.createdAt');
  const ofPoints = { source: 'POINTS', programmaticCode: undefined, aggregation: 'SUM' };
  expect(await refused(ofPoints)).toContain('statisticDefinition.countsPastEvents');
});

test('an update may leave past events out, and cannot change them', async () => {
  const { id, countsPastEvents } = await statistic('COUNT');
  expect(countsPastEvents).toBe(true);
  const update = (version: number, fields: Json) =>
    scene.service.rest('PUT', `/admin/statistic-definitions/${id}`, {
      version,
      statisticDefinition: draft('COUNT', { name: 'Cups', ...fields }),
    });
  expect((await update(1, { countsPastEvents: undefined })).body).toMatchObject({
    name: 'Cups',
    countsPastEvents: true,
  });
  expect((await update(2, { countsPastEvents: false })).body).toMatchObject({ code: 'STATISTIC_DEFINITION_IMMUTABLE' });
});

test('the events of another client are not counted', async () => {
  await send(5);
  const tenant = await newTenant(scene.service.db);
  const other = restAs(scene.service.baseUrl, tenant);
  await other('POST', '/accounts', { externalId: scene.who });
  await other('POST', '/admin/event-definitions', { programmaticCode: scene.code, type: 'AMOUNT' });
  const created = await other('POST', '/admin/statistic-definitions', { statisticDefinition: draft('SUM') });
  expect(created.status).toBe(201);
  expect(await countPastEvents(scene.service.db, tenant.clientId, new Date(), createCatalogs())).toBe(0);
  const { body } = await other('GET', `/v1/accounts/${encodeURIComponent(scene.who)}/statistics?idType=EXTERNAL`);
  expect(body.rows).toMatchObject([{ value: 0 }]);
});

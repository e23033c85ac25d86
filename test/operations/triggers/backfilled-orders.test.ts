// Events that are older than 24 hours: docs/backfill.md. Its tables are played by backfill-page.test.ts.
import { beforeEach, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import type { RestAnswer } from '../../support/service.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { enableBackfill } from './backfill-fixture.ts';
import {
  balance,
  code,
  created,
  mission,
  points,
  reverse,
  send,
  service,
  shopper,
  useShopScene,
} from './shop-scene.ts';

type Json = RestAnswer['body'];

useShopScene();
beforeEach(() => enableBackfill(service, 30));

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const startsAt = daysAgo(20);
const event = (operationId: string, days: number, amount = 1, fields: Json = {}) => ({
  programmaticCode: code,
  accountId: shopper,
  idType: 'EXTERNAL',
  metadata: { amount },
  occurredAt: daysAgo(days),
  operationId: `${code}-${operationId}`,
  ...fields,
});
const backfill = (triggers: readonly Json[], options: Json = {}, token = service.adminToken) =>
  service.rest('POST', '/gamification/triggers/backfill', { triggers, ...options }, token);

describe('backfilled events', () => {
  test('are known by their operation ids to every call for events', async () => {
    await mission({ target: 100, startsAt });
    await send('a', 5);
    const first = await backfill([event('a', 0, 5), event('b', 3, 7), event('b', 3, 7), event('b', 3, 8)]);
    expect(first.body.results).toMatchObject([
      { result: { replayed: true, progressedMissions: [{ progress: 5 }] } },
      { result: { replayed: false, progressedMissions: [{ progress: 12 }] } },
      { result: { replayed: true } },
      { error: { statusCode: 400, code: 'OPERATION_ID_REUSED' } },
    ]);
    expect(first.body.summary).toMatchObject({ applied: 1, replayed: 2, refused: 1 });
    expect((await send('b', 7)).headers.get('idempotency-replayed')).toBe('true');
    expect((await backfill([event('b', 3, 7)])).body.summary).toMatchObject({ applied: 0, replayed: 1 });
  });

  test('are refused one by one', async () => {
    await send('a', 1);
    const { body: account } = await service.rest('GET', `/accounts/${shopper}?idType=EXTERNAL`);
    await ok(service.rest('POST', `/admin/accounts/${account.id}/suspend`, { reason: 'Fraud?' }));
    const other = { accountId: `${shopper}-other` };
    const { status, body } = await backfill([
      event('none', 3, 1, { ...other, occurredAt: undefined }),
      event('old', 31, 1, other),
      event('future', -1, 1, other),
      event('code', 3, 1, { ...other, programmaticCode: 'UNKNOWN' }),
      event('internal', 3, 1, { accountId: '019a0000-0000-7000-8000-000000000000', idType: 'INTERNAL' }),
      event('suspended', 3),
      event('fine', 3, 1, other),
    ]);
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { error: { code: 'BAD_REQUEST', message: expect.stringContaining('needs occurredAt') } },
      { error: { code: 'BAD_REQUEST', message: expect.stringContaining('30 days') } },
      { error: { code: 'BAD_REQUEST', message: expect.stringContaining('future') } },
      { error: { statusCode: 404, code: 'EVENT_DEFINITION_NOT_FOUND' } },
      { error: { statusCode: 404, code: 'ACCOUNT_NOT_FOUND' } },
      { error: { statusCode: 409, code: 'ACCOUNT_SUSPENDED' } },
      { result: { uncountedReason: 'NO_MISSION' } },
    ]);
    expect(body.summary).toMatchObject({ applied: 1, refused: 6 });
  });

  test('can be taken back like any other', async () => {
    await mission({ target: 5, startsAt, rewardIds: [await points(50)] });
    await backfill([event('a', 9, 2), event('b', 3, 3)], { rewards: 'ALL' });
    expect(await balance()).toMatchObject({ available: 50 });
    expect((await reverse('a')).body).toMatchObject({ amount: 2, missions: [{ progress: 3, completionLost: true }] });
    expect(await balance()).toMatchObject({ available: 0 });
  });
});

test('a rehearsal answers the same, and stores nothing', async () => {
  await mission({ target: 5, startsAt, repeat: {}, rewardIds: [await points(50)] });
  const events = [event('a', 9, 12), event('b', 3, 3), event('bad', 99)];
  const rehearsed = await backfill(events, { rewards: 'ALL', dryRun: true });
  expect(await service.rest('GET', `/accounts/${shopper}?idType=EXTERNAL`)).toMatchObject({ status: 404 });
  const done = await backfill(events, { rewards: 'ALL' });
  // New ids and times differ: the account is another one.
  const plain = (body: Json) =>
    JSON.parse(
      JSON.stringify(body, (key, value) => (/(^id|Id|At)$/.test(key) && key !== 'missionId' ? undefined : value)),
    );
  expect(plain(rehearsed.body)).toEqual(plain(done.body));
  expect(done.body.summary).toMatchObject({
    applied: 2,
    refused: 1,
    missionsCompleted: 3,
    rewards: [{ name: '50 points', earned: 3, amount: 150 }],
  });
  expect(await balance()).toMatchObject({ available: 150 });
});

test('webhooks are sent only if the call says so', async () => {
  const receiver = await startReceiver();
  const endpoint = { name: code, url: receiver.url, types: ['REWARDS_REVERSED', 'MISSION_COMPLETED'] };
  await created('/webhooks/endpoints', { endpoint });
  await mission({ target: 1, startsAt, repeat: {} });
  await backfill([event('quiet', 9)]);
  await backfill([event('loud', 3)], { webhooks: true });
  const [request] = await receiver.got(1);
  expect(JSON.parse(request!.body)).toMatchObject({ type: 'MISSION_COMPLETED', data: { operationId: `${code}-loud` } });
  await receiver.close();
});

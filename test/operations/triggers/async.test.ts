import { randomUUID } from 'node:crypto';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { TriggerService } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { DAY } from '../../../src/kernel/time/timestamp.ts';
import { newGame } from '../../support/game.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { holdAccount, holdRemovals, inboxOf, untilApplied, untilBlocked } from './inbox-fixture.ts';

let service: TestService;
let other: Tenant;
/** The milliseconds by which the service's clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(Date.now() + ahead), triggerConcurrency: 1 });
  other = await service.newTenant();
  await newGame(service, { missions: [{ target: 1_000_000 }] });
});
afterAll(() => service.close());

const emit = (body: object | string, token?: string) => service.rest('POST', '/gamification/triggers', body, token);
const emitAsync = (body: object | string, token?: string) =>
  service.rest('POST', '/gamification/triggers/async', body, token);
const login = (accountId: string, more: object = {}) => ({
  programmaticCode: 'LOGIN',
  accountId,
  idType: 'EXTERNAL',
  ...more,
});
const progressOf = async (accountId: string) => {
  const { body } = await service.rest('GET', `/v1/gamification/missions/progress/${accountId}?idType=EXTERNAL`);
  return body.map((item: { progress: number }) => item.progress);
};

describe('an asynchronous event', () => {
  test('is answered 200 with no body, and creates the unknown external account', async () => {
    const answer = await emitAsync(login('newcomer'));
    expect(answer).toMatchObject({ status: 200, body: undefined });
    await untilApplied(service);
    expect(await progressOf('newcomer')).toEqual([1]);
  });

  test('reaches the feed, the earned rewards and the rewards webhook', async () => {
    const receiver = await startReceiver();
    await service.rest('PUT', '/webhooks/rewards', { endpoint: receiver.url });
    const { campaignId } = await newGame(service, {
      codes: { ONCE: 'SINGLE' },
      missions: [{ programmaticCode: 'ONCE' }],
    });
    await emitAsync({ ...login('winner'), programmaticCode: 'ONCE' });
    const [request] = await receiver.got(1);
    const [item] = JSON.parse(request!.body);
    expect(item).toMatchObject({ type: 'POINTS', amount: 10, campaignId });

    const earned = await service.rest('GET', '/v1/gamification/missions/my-rewards/winner?idType=EXTERNAL');
    expect(earned.body).toMatchObject([{ accountId: item.accountId, campaignId, status: 'DELIVERED' }]);
    const completed = encodeURIComponent(JSON.stringify({ filters: [{ field: 'status', value: 'COMPLETED' }] }));
    const feed = await service.rest('GET', `/v1/feed/account/winner?idType=EXTERNAL&filters=${completed}`);
    expect(feed.body).toMatchObject([{ campaignId, status: 'COMPLETED' }]);
    await service.rest('DELETE', '/webhooks/rewards');
    await receiver.close();
  });

  test('is accepted over gRPC as well', async () => {
    const client = createClient(TriggerService, createGrpcTransport({ baseUrl: service.baseUrl }));
    const trigger = { programmaticCode: 'LOGIN', accountId: 'by-grpc', idType: Account_IdType.EXTERNAL };
    await client.emitTriggerAsync({ trigger }, { headers: { authorization: `Bearer ${service.apiKey}` } });
    await untilApplied(service);
    expect(await progressOf('by-grpc')).toEqual([1]);
  });

  test('counts for the moment of its acceptance, however long it waits', async () => {
    await newGame(service, {
      codes: { DAILY: 'SINGLE' },
      missions: [{ type: 'ROUTINE', programmaticCode: 'DAILY', period: 'DAY', target: 3, occurrences: 5 }],
      campaign: { startsAt: new Date(Date.now() - 2 * DAY).toISOString() },
    });
    const daily = (more: object) => ({ ...login('punctual', more), programmaticCode: 'DAILY' });
    await emit(daily({}));
    const release = await holdAccount(service, 'punctual');
    const operationIds = [randomUUID(), randomUUID()] as const;
    const accepted = new Date();
    const late = new Date(accepted.getTime() - DAY + 60_000);
    await emitAsync(daily({ operationId: operationIds[0] }));
    await emitAsync(daily({ operationId: operationIds[1], occurredAt: late.toISOString() }));
    ahead = 3 * DAY;
    await release();
    await untilApplied(service);
    ahead = 0;
    for (const [operationId, moment] of [
      [operationIds[0], accepted],
      [operationIds[1], late],
    ] as const) {
      const { body } = await emit(daily({ operationId }));
      expect(body.progressedMissions).toMatchObject([{ periodKey: moment.toISOString().slice(0, 10) }]);
    }
  });

  test('is applied after those of its account that were accepted before it', async () => {
    await emit(login('orderly'));
    const release = await holdAccount(service, 'orderly');
    const operationIds = Array.from({ length: 25 }, () => randomUUID());
    for (const operationId of operationIds) await emitAsync(login('orderly', { operationId }));
    await release();
    await untilApplied(service);
    const answers = [];
    for (const operationId of operationIds) answers.push(await emit(login('orderly', { operationId })));
    expect(answers.map(({ body }) => body.progressedMissions[0].progress)).toEqual(operationIds.map((_, at) => at + 2));
  });

  test.each(['end', 'pause'])('counts and pays although somebody says %s before it is applied', async (verb) => {
    const code = `BEFORE_${verb.toUpperCase()}`;
    const { campaignId } = await newGame(service, {
      codes: { [code]: 'SINGLE' },
      missions: [{ programmaticCode: code, target: 15 }],
    });
    const players = Array.from({ length: 20 }, (_, at) => `${verb}-${at}`);
    const event = (accountId: string) => emitAsync({ ...login(accountId), programmaticCode: code });
    const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => event(players[at % 20]!)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await service.rest('POST', `/admin/campaigns/${campaignId}/${verb}`)).status).toBe(200);
    await event('too-late');
    await untilApplied(service);
    if (verb === 'pause')
      expect((await service.rest('POST', `/admin/campaigns/${campaignId}/activate`)).status).toBe(200);
    const pointsOf = async (id: string) =>
      (await service.rest('GET', `/loyalty/accounts/${id}/points?idType=EXTERNAL`)).body;
    const paid = await Promise.all(players.map(async (id) => (await pointsOf(id)).available));
    expect(paid).toEqual(players.map(() => 10));
    expect(await progressOf('too-late')).toEqual([]);
  });

  test('of a quiet client does not wait for all those of a noisy one', async () => {
    await newGame(service, { adminToken: other.adminToken });
    await emit(login('noisy'));
    const release = await holdAccount(service, 'noisy');
    const noise = (_: unknown, at: number) => emitAsync(login('noisy', { operationId: `noise-${at}` }));
    await Promise.all(Array.from({ length: 600 }, noise));
    await emitAsync(login('quiet', { operationId: 'quiet' }), other.apiKey);
    await release();
    await untilApplied(service);
    const applied = await service.db.systemUnitOfWork((uow) =>
      uow.query<{ id: string }>(`select id from operation where id ~ 'noise|quiet' order by xmin::text::bigint`),
    );
    // The events of the batch in progress come first, and at most one more batch.
    expect(applied).toHaveLength(601);
    expect(applied.findIndex(({ id }) => id === 'quiet')).toBeLessThan(400);
  });
});

describe('bad input gets the error of the synchronous call and stores nothing', () => {
  const valid = { programmaticCode: 'LOGIN', accountId: 'careless', idType: 'EXTERNAL' };
  const cases: Array<[string, object | string, number, string]> = [
    ['malformed JSON', '{"programmaticCode": "LOGIN"', 400, 'BAD_REQUEST'],
    ['an unknown field', { ...valid, colour: 'red' }, 400, 'BAD_REQUEST'],
    ['an empty accountId', { ...valid, accountId: '' }, 400, 'BAD_REQUEST'],
    ['a SINGLE event with metadata', { ...valid, metadata: { amount: 1 } }, 400, 'BAD_REQUEST'],
    ['an AMOUNT event without amount', { ...valid, programmaticCode: 'PURCHASE' }, 400, 'BAD_REQUEST'],
    ['a fifth decimal', { ...valid, programmaticCode: 'PURCHASE', metadata: { amount: 1.00001 } }, 400, 'BAD_REQUEST'],
    ['occurredAt in the future', { ...valid, occurredAt: '2999-01-01T00:00:00Z' }, 400, 'BAD_REQUEST'],
    ['occurredAt too long ago', { ...valid, occurredAt: '2020-01-01T00:00:00Z' }, 400, 'BAD_REQUEST'],
    ['a malformed internal id', { ...valid, idType: 'INTERNAL' }, 400, 'BAD_REQUEST'],
    ['an unknown code', { ...valid, programmaticCode: 'NOPE' }, 404, 'EVENT_DEFINITION_NOT_FOUND'],
    ['an unknown internal id', { programmaticCode: 'LOGIN', accountId: randomUUID() }, 404, 'ACCOUNT_NOT_FOUND'],
  ];
  test.each(cases)('%s', async (_name, body, statusCode, code) => {
    const answer = await emitAsync(body);
    expect(answer).toMatchObject({ status: statusCode, body: { statusCode, code, traceId: expect.any(String) } });
    expect(await inboxOf(service)).toEqual([]);
    expect(await progressOf('careless').catch(() => [])).toEqual([]);
  });

  test('also when it arrives together with good events', async () => {
    const answers = await Promise.all([
      emitAsync(login('good-1')),
      emitAsync({ ...valid, programmaticCode: 'NOPE' }),
      emitAsync(login('good-2')),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
    await untilApplied(service);
    expect([await progressOf('good-1'), await progressOf('good-2')]).toEqual([[1], [1]]);
  });
});

describe('operation ids are shared with the synchronous call', () => {
  test('a repeat is accepted again, applied or not, and has no new effect', async () => {
    const event = login('repeater', { operationId: randomUUID() });
    const first = await Promise.all(Array.from({ length: 20 }, () => emitAsync(event)));
    await untilApplied(service);
    const late = await emitAsync(event);
    expect([...first, late].map(({ status }) => status)).toEqual(Array.from({ length: 21 }, () => 200));
    const replayed = [...first, late].filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replayed).toHaveLength(20);
    await untilApplied(service);
    expect(await progressOf('repeater')).toEqual([1]);
  });

  test('a repeat that waited while the first was applied and left the inbox is known for one', async () => {
    const event = login('overlapping', { operationId: randomUUID() });
    const release = await holdRemovals(service, 'after');
    await emitAsync(event);
    await untilBlocked(service);
    const repeat = emitAsync(event);
    await untilBlocked(service, 2);
    await release();
    const answer = await repeat;
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await inboxOf(service)).toEqual([]);
    expect(await progressOf('overlapping')).toEqual([1]);
  });

  test('what was applied asynchronously gives a synchronous repeat its stored answer', async () => {
    const operationId = randomUUID();
    const { body: account } = await service.rest('POST', '/accounts/resolve', { externalId: 'both-ways' });
    const event = { programmaticCode: 'LOGIN', accountId: account.id, operationId };
    await emitAsync(event);
    await untilApplied(service);
    for (const repeat of [event, { ...event, idType: 'INTERNAL', metadata: {} }]) {
      const answer = await emit(repeat);
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
      expect(answer.body.progressedMissions).toMatchObject([{ previousProgress: 0, progress: 1 }]);
    }
    expect(await progressOf('both-ways')).toEqual([1]);
  });

  test('what was applied synchronously is not applied again', async () => {
    const event = login('sync-first', { operationId: randomUUID() });
    await emit(event);
    const answer = await emitAsync(event);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    await untilApplied(service);
    expect(await progressOf('sync-first')).toEqual([1]);
  });

  test('other content is refused, while the first waits and after it was applied', async () => {
    const operationId = randomUUID();
    await emit(login('reuser'));
    const release = await holdAccount(service, 'reuser');
    await emitAsync(login('reuser', { operationId }));
    const other = login('somebody-else', { operationId });
    expect(await emitAsync(other)).toMatchObject({ status: 400, body: { code: 'OPERATION_ID_REUSED' } });
    await release();
    await untilApplied(service);
    expect(await emitAsync(other)).toMatchObject({ status: 400, body: { code: 'OPERATION_ID_REUSED' } });
  });

  test('a synchronous call while the event waits applies it at once, and only once', async () => {
    await emit(login('in-the-way'));
    const release = await holdAccount(service, 'in-the-way');
    await emitAsync(login('in-the-way'));
    const event = login('impatient', { operationId: randomUUID() });
    await emitAsync(event);
    const answer = await emit(event);
    expect(answer).toMatchObject({ status: 200, body: { progressedMissions: [{ progress: 1 }] } });
    await release();
    await untilApplied(service);
    expect(await progressOf('impatient')).toEqual([1]);
  });

  test('a synchronous call while the event is being applied is told to come back', async () => {
    await emit(login('busy'));
    const release = await holdAccount(service, 'busy');
    const event = login('busy', { operationId: randomUUID() });
    await emitAsync(event);
    await untilBlocked(service);
    expect(await emit(event)).toMatchObject({ status: 409, body: { code: 'OPERATION_IN_PROGRESS' } });
    await release();
    await untilApplied(service);
    expect((await emit(event)).headers.get('idempotency-replayed')).toBe('true');
  });
});

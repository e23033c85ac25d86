import { describe, expect, test } from 'vitest';
import { secondUseKey } from '../../../src/idempotency/claim.ts';
import { restAs, newTenant, type RestAnswer } from '../../support/service.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { post } from '../operation-ids/every-operation.ts';
import { holdAccount, holdOperation, inboxOf, waitForAnHour, untilApplied, untilBlocked } from './inbox-fixture.ts';
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

describe('the reversal of an event', () => {
  test('takes its amount from the mission, and gives back the surplus that was cut off at the target', async () => {
    const { id } = await mission({ target: 10 });
    await send('a', 6);
    expect((await send('b', 9)).body).toMatchObject({ progressedMissions: [{ progress: 10, status: 'COMPLETED' }] });
    expect((await send('c', 3)).body).toMatchObject({ progressedMissions: [] });
    expect(await reverse('a')).toMatchObject({
      status: 200,
      body: {
        state: 'REVERSED',
        amount: 6,
        amountLeft: 0,
        missions: [{ missionId: id, previousProgress: 10, progress: 9, target: 10, completionLost: true }],
        reopenedCampaignIds: [],
        rewards: [],
      },
    });
    expect((await send('d', 1)).body).toMatchObject({
      progressedMissions: [{ previousProgress: 9, progress: 10, status: 'COMPLETED' }],
    });
  });

  test('takes a part back, several times, up to the whole', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    expect((await reverse('a', { amount: 4 })).body).toMatchObject({
      amount: 4,
      amountLeft: 6,
      missions: [{ progress: 6 }],
    });
    expect(await reverse('a', { amount: 7 })).toMatchObject({ status: 409, body: { code: 'REVERSAL_TOO_LARGE' } });
    expect((await reverse('a', { amount: 6 })).body).toMatchObject({ amountLeft: 0, missions: [{ progress: 0 }] });
    const again = await reverse('a');
    expect(again).toMatchObject({ status: 409, body: { code: 'REVERSAL_TOO_LARGE' } });
    expect(again.body['message']).toContain('nothing is left');
  });

  test('may have the operation id of its event, and the rest of the event can still be taken back', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    expect((await reverse('a', { amount: 4, operationId: `${code}-a` })).body).toMatchObject({ amountLeft: 6 });
    expect((await reverse('a')).body).toMatchObject({ amount: 6, amountLeft: 0 });
  });

  test('under one operation id happens once', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const first = await reverse('a', { amount: 4, operationId: `${code}-r` });
    const second = await reverse('a', { amount: 4, operationId: `${code}-r` });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await reverse('a', { amount: 5, operationId: `${code}-r` })).toMatchObject({
      status: 400,
      body: { code: 'OPERATION_ID_REUSED' },
    });
  });

  test.each([
    [{}, 'Name the event'],
    [{ triggerOperationId: 'x' }, 'Name the event'],
    [{ triggerOperationId: 'x', programmaticCode: 'Y', journalEntryId: 'a'.repeat(40) }, 'leave'],
    [{ journalEntryId: 'a'.repeat(40) }, 'GET /admin/journal'],
  ])('by %j is refused', async (body, words) => {
    const answer = await service.rest('POST', '/gamification/triggers/reversals', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringContaining(words) },
    });
  });

  test('of an unknown event is a 404', async () => {
    expect(await reverse('nobody')).toMatchObject({ status: 404, body: { code: 'TRIGGER_NOT_FOUND' } });
    const journalEntryId = '019a0000-0000-7000-8000-000000000000.000';
    const answer = await service.rest('POST', '/gamification/triggers/reversals', { journalEntryId });
    expect(answer).toMatchObject({ status: 404, body: { code: 'TRIGGER_NOT_FOUND' } });
  });

  test('names an event without an operation id by its journal entry', async () => {
    await mission({ target: 100 });
    await send('a', 10, { operationId: undefined });
    const { body } = await service.rest('GET', `/admin/journal?programmaticCode=${code}`);
    const [entry] = body['rows'];
    const answer = await service.rest('POST', '/gamification/triggers/reversals', { journalEntryId: entry.id });
    expect(answer).toMatchObject({ status: 200, body: { amount: 10, missions: [{ progress: 0 }] } });
  });

  test('is an entry of the journal, with its reason', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    await reverse('a', { reason: 'Order returned', operationId: `${code}-r` });
    const { body } = await service.rest('GET', `/admin/journal?programmaticCode=${code}`);
    expect(body['rows'][0]).toMatchObject({
      effect: 'REVERSED',
      operationId: `${code}-r`,
      missions: [{ previousProgress: 10, progress: 0 }],
      reversal: { triggerOperationId: `${code}-a`, amount: 10, reason: 'Order returned', rewards: [] },
    });
  });
});
describe('a series', () => {
  test('STREAK loses the period of the event while it is open', async () => {
    const startsAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const rewardIds = [await points(10)];
    await mission({ type: 'STREAK', target: 2, period: 'DAY', perPeriodTarget: 5, rewardIds, startsAt });
    const yesterday = new Date(Date.now() - 86_400_000 + 5_000).toISOString();
    await send('a', 5, { occurredAt: yesterday });
    expect((await send('b', 7)).body).toMatchObject({ progressedMissions: [{ status: 'COMPLETED' }] });
    expect((await reverse('b', { amount: 2 })).body).toMatchObject({ missions: [{ completionLost: false }] });
    expect((await reverse('b', { amount: 1 })).body).toMatchObject({
      missions: [{ previousProgress: 2, progress: 1, completionLost: true }],
      rewards: [{ amountReversed: 10 }],
    });
    expect((await send('c', 1)).body).toMatchObject({ progressedMissions: [{ progress: 2, status: 'COMPLETED' }] });
  });

  test('ROUTINE loses the period of the event, and the whole routine counts one less', async () => {
    await mission({ type: 'ROUTINE', target: 5, period: 'DAY', rewardIds: [await points(10)] });
    await send('a', 3);
    await send('b', 4);
    expect(await balance()).toMatchObject({ available: 10 });
    expect((await reverse('b')).body).toMatchObject({
      missions: [{ previousProgress: 5, progress: 3, completionLost: true }],
      rewards: [{ amountReversed: 10 }],
    });
    expect((await send('c', 2)).body).toMatchObject({ rewards: [{ amount: 10 }] });
  });

  test('of an earlier release did not store what is needed', async () => {
    await mission({ type: 'ROUTINE', target: 5, period: 'DAY' });
    await send('a', 3);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`update journal_batch set entries = replace(entries::text, '"k"', '"z"')::json where client_id = $1`, [
        service.clientId,
      ]),
    );
    expect(await reverse('a')).toMatchObject({ status: 409, body: { code: 'REVERSAL_NOT_STORED' } });
  });
});

describe('the reversal of an event that was not applied', () => {
  const accepted = (operationId: string, amount: number) => ({
    programmaticCode: code,
    accountId: shopper,
    metadata: { amount },
    operationId: `${code}-${operationId}`,
  });
  const accept = (operationId: string, amount: number) =>
    service.rest('POST', '/gamification/triggers/async', { ...accepted(operationId, amount), idType: 'EXTERNAL' });

  test('removes it from the queue, so that it never counts; a part of it must wait', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const release = await holdAccount(service, shopper);
    await accept('b', 20);
    await untilBlocked(service);
    // The worker has the event for a moment, until it gives up to wait for the account.
    expect(await reverse('b', { amount: 5 })).toMatchObject({ status: 409, body: { code: 'OPERATION_IN_PROGRESS' } });
    await expect
      .poll(async () => (await reverse('b')).body, { timeout: 10_000 })
      .toMatchObject({
        state: 'WITHDRAWN',
        amount: 20,
        amountLeft: 0,
        missions: [],
      });
    await release();
    await untilApplied(service);
    expect((await send('c', 1)).body).toMatchObject({ progressedMissions: [{ previousProgress: 10, progress: 11 }] });
    expect(await reverse('b')).toMatchObject({ status: 404, body: { code: 'TRIGGER_NOT_FOUND' } });
  });

  test('removes both rows of an event that two processes stored under its two keys at the same time', async () => {
    await mission({ target: 100 });
    const event = { ...accepted('b', 20), idType: 'EXTERNAL' } as const;
    await waitForAnHour(service, event);
    await waitForAnHour(service, event, secondUseKey(`trigger/${code}`, event.operationId));
    expect(await reverse('b')).toMatchObject({ status: 200, body: { state: 'WITHDRAWN', amount: 20 } });
    expect(await inboxOf(service)).toEqual([]);
  });

  test('leaves it in the queue while another transaction has its operation id', async () => {
    await waitForAnHour(service, { ...accepted('b', 20), idType: 'EXTERNAL' });
    const giveBack = await holdOperation(service, { programmaticCode: code, operationId: `${code}-b` });
    expect(await reverse('b')).toMatchObject({ status: 409, body: { code: 'OPERATION_IN_PROGRESS' } });
    await giveBack();
    expect(await reverse('b')).toMatchObject({ status: 200, body: { state: 'WITHDRAWN', amount: 20 } });
  });

  test('finds it at any moment, also at the one at which it is applied', async () => {
    const codes = new Map<string, number>();
    for (let round = 0; round < 20; round += 1) {
      const ids = Array.from({ length: 60 }, (_, index) => `${round}-${index}`);
      await Promise.all(ids.map((id) => accept(id, 1)));
      // Each reversal meets the worker at another moment of its work.
      await Promise.all(
        ids.map(async (id) => {
          for (let answered = 'OPERATION_IN_PROGRESS'; answered === 'OPERATION_IN_PROGRESS';) {
            const { body } = await reverse(id);
            answered = body['code'] ?? body['state'];
            codes.set(answered, (codes.get(answered) ?? 0) + 1);
          }
        }),
      );
    }
    const found = (codes.get('REVERSED') ?? 0) + (codes.get('WITHDRAWN') ?? 0);
    expect(found, JSON.stringify([...codes])).toBe(20 * 60);
  });

  test('removes a dead trigger', async () => {
    const { id } = (await service.rest('POST', '/accounts/resolve', { externalId: shopper })).body;
    const release = await holdAccount(service, shopper, { thenDelete: true });
    await service.rest('POST', '/gamification/triggers/async', {
      programmaticCode: code,
      accountId: id,
      metadata: { amount: 5 },
      operationId: `${code}-dead`,
    });
    await untilBlocked(service);
    await release();
    await untilApplied(service);
    expect(await reverse('dead', { amount: 1 })).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect((await reverse('dead')).body).toMatchObject({ state: 'WITHDRAWN', accountId: id, amount: 5 });
    expect(await inboxOf(service)).toEqual([]);
  });
});

describe('the account of an event', () => {
  test('that was deleted is a 404', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const { id } = (await service.rest('GET', `/accounts/${shopper}?idType=EXTERNAL`)).body;
    expect((await service.rest('DELETE', `/accounts/${id}`)).status).toBe(204);
    expect(await reverse('a')).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
  });

  test('of another client is not found, nor is its journal entry', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const { body } = await service.rest('GET', `/admin/journal?programmaticCode=${code}`);
    const other = restAs(service.baseUrl, await newTenant(service.db));
    const path = '/gamification/triggers/reversals';
    const named = { programmaticCode: code, triggerOperationId: `${code}-a` };
    expect(await other('POST', path, named)).toMatchObject({ status: 404 });
    const entry = { journalEntryId: body['rows'][0].id };
    expect(await other('POST', path, entry)).toMatchObject({ status: 404, body: { code: 'TRIGGER_NOT_FOUND' } });
  });

  test('may have many reversals at once: each takes its part once', async () => {
    await mission({ target: 5, repeat: {}, rewardIds: [await points(1)] });
    await send('a', 40);
    const answers = await Promise.all(Array.from({ length: 12 }, () => reverse('a', { amount: 4 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
    expect(await balance()).toMatchObject({ available: 0 });
  });
});

describe('a batch of reversals', () => {
  const reverseAll = (reversals: Json[]) =>
    service.rest('POST', '/gamification/triggers/reversals/batch', { reversals });
  const named = (operationId: string, fields: Json = {}) => ({
    programmaticCode: code,
    triggerOperationId: `${code}-${operationId}`,
    ...fields,
  });

  test('answers each by its own result or error, in order', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    await send('b', 20, { accountId: `${shopper}-2` });
    const reversals = [named('a', { amount: 4 }), named('nobody'), named('b'), { amount: -1 }, named('a'), named('a')];
    const { status, body } = await reverseAll(reversals);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      results: [
        { result: { amount: 4, amountLeft: 6, missions: [{ progress: 6 }] } },
        { error: { statusCode: 404, code: 'TRIGGER_NOT_FOUND' } },
        { result: { amount: 20, amountLeft: 0, missions: [{ progress: 0 }] } },
        { error: { statusCode: 400, code: 'BAD_REQUEST' } },
        { result: { amount: 6, amountLeft: 0, missions: [{ progress: 0 }] } },
        { error: { statusCode: 409, code: 'REVERSAL_TOO_LARGE' } },
      ],
    });
  });

  test('repeats what was done under an operation id', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const reversal = named('a', { amount: 4, operationId: `${code}-r` });
    const first = await reverseAll([reversal]);
    expect((await reverseAll([reversal])).body).toEqual(first.body);
  });

  test('takes no header Idempotency-Key; a single reversal does', async () => {
    await mission({ target: 100 });
    await send('a', 10);
    const header = { 'idempotency-key': `${code}-key` };
    const path = '/gamification/triggers/reversals';
    expect(await post(service, `${path}/batch`, { reversals: [named('a')] }, header)).toMatchObject({ status: 400 });
    const first = await post(service, path, named('a', { amount: 4 }), header);
    expect(first).toMatchObject({ status: 200 });
    expect((await post(service, path, named('a', { amount: 4 }), header)).body).toEqual(first.body);
  });

  test('of none, or of more than 200, is refused', async () => {
    expect(await reverseAll([])).toMatchObject({ status: 400 });
    expect(await reverseAll(Array(201).fill(named('a')))).toMatchObject({ status: 400 });
  });
});

test('REWARDS_REVERSED is announced to endpoints that receive it', async () => {
  const receiver = await startReceiver();
  const endpoint = { name: code, url: receiver.url, types: ['REWARDS_REVERSED'] };
  await created('/webhooks/endpoints', { endpoint });
  await mission({ target: 10, rewardIds: [await points(100)] });
  await send('a', 10);
  await reverse('a', { reason: 'Returned', operationId: `${code}-r` });
  const [request] = await receiver.got(1);
  expect(JSON.parse(request!.body)).toMatchObject({
    type: 'REWARDS_REVERSED',
    clientId: service.clientId,
    data: {
      externalId: shopper,
      programmaticCode: code,
      triggerOperationId: `${code}-a`,
      operationId: `${code}-r`,
      reason: 'Returned',
      rewards: [{ name: '100 points', rewardType: 'POINTS', amountReversed: 100, amountKept: 0 }],
    },
  });
  await receiver.close();
});

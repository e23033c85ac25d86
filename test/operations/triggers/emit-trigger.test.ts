import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame, newProduct } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { whileInProgress } from '../../support/while-in-progress.ts';

let service: TestService;
let other: Awaited<ReturnType<TestService['newTenant']>>;

beforeAll(async () => {
  service = await startService();
  other = await service.newTenant();
  await newGame(service, {
    missions: [
      { name: 'Log in three times', target: 3 },
      { name: 'Spend 50', programmaticCode: 'PURCHASE', target: 50, conditions: { minAmount: 5 } },
    ],
  });
});
afterAll(() => service.close());

const emit = (body: object | string, token?: string) => service.rest('POST', '/gamification/triggers', body, token);
const login = (accountId: string, more: object = {}) =>
  emit({ programmaticCode: 'LOGIN', accountId, idType: 'EXTERNAL', ...more });
const purchase = (accountId: string, metadata: unknown) =>
  emit({ programmaticCode: 'PURCHASE', accountId, idType: 'EXTERNAL', metadata });

describe('an event', () => {
  test('progresses a mission and creates the unknown external account', async () => {
    const answer = await login('newcomer');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      progressedMissions: [
        {
          assignmentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          missionId: expect.any(String),
          campaignId: expect.any(String),
          type: 'MISSION',
          name: 'Log in three times',
          previousProgress: 0,
          progress: 1,
          target: 3,
          status: 'ACTIVE',
          periodKey: '',
        },
      ],
      rewards: [],
    });
  });

  test('that completes a mission of a campaign not complete yet earns nothing of the campaign', async () => {
    for (let count = 0; count < 2; count += 1) await login('thrice');
    const answer = await login('thrice');
    expect(answer.body.progressedMissions).toMatchObject([
      { progress: 3, status: 'COMPLETED', completedAt: expect.any(String) },
    ]);
    expect(answer.body.rewards).toEqual([]);
  });

  test('that completes the last mission delivers the completion rewards', async () => {
    for (let count = 0; count < 3; count += 1) await login('finisher');
    const answer = await purchase('finisher', { amount: 60.5 });
    expect(answer.body.progressedMissions).toMatchObject([{ name: 'Spend 50', previousProgress: 0, progress: 50 }]);
    expect(answer.body.rewards).toMatchObject([
      { rewardType: 'POINTS', amount: 10, status: 'DELIVERED', missionId: null },
    ]);
  });

  test('after completion changes nothing and is no error', async () => {
    for (let count = 0; count < 3; count += 1) await login('eager');
    expect((await login('eager')).body).toEqual({ progressedMissions: [], rewards: [] });
  });

  test('below the minimum amount changes nothing and is no error', async () => {
    expect(await purchase('frugal', { amount: 4.99 })).toMatchObject({
      status: 200,
      body: { progressedMissions: [], rewards: [] },
    });
  });

  test('sums amounts exactly: 0.1 and 0.2 are 0.3', async () => {
    await newGame(service, {
      codes: { DRIP: 'AMOUNT' },
      missions: [{ programmaticCode: 'DRIP', target: 1 }],
    });
    const drip = (amount: number) =>
      emit({ programmaticCode: 'DRIP', accountId: 'dripper', idType: 'EXTERNAL', metadata: { amount } });
    await drip(0.1);
    expect((await drip(0.2)).body.progressedMissions).toMatchObject([{ previousProgress: 0.1, progress: 0.3 }]);
  });

  test('names the same account in upper case and, by another space, a different one', async () => {
    const { body: account } = await service.rest('POST', '/accounts/resolve', { externalId: 'spelling' });
    const upper = { programmaticCode: 'LOGIN', accountId: account.id.toUpperCase(), idType: 'INTERNAL' };
    expect((await emit(upper)).body.progressedMissions).toMatchObject([{ progress: 1 }]);
    expect((await login('spelling ')).body.progressedMissions).toMatchObject([{ progress: 1 }]);
    expect((await login('spelling')).body.progressedMissions).toMatchObject([{ progress: 2 }]);
  });
});

describe('bad input gets the documented error and writes nothing', () => {
  const uuid = randomUUID();
  const valid = { programmaticCode: 'LOGIN', accountId: 'careless', idType: 'EXTERNAL' };
  const cases: Array<[string, object | string, number, string]> = [
    ['malformed JSON', '{"programmaticCode": "LOGIN"', 400, 'BAD_REQUEST'],
    ['no body', '', 400, 'BAD_REQUEST'],
    ['an array', '[]', 400, 'BAD_REQUEST'],
    ['an unknown field', { ...valid, colour: 'red' }, 400, 'BAD_REQUEST'],
    ['an unknown enum name', { ...valid, idType: 'OUTER' }, 400, 'BAD_REQUEST'],
    ['an enum name in lower case', { ...valid, idType: 'external' }, 400, 'BAD_REQUEST'],
    ['a number as accountId', { ...valid, accountId: 7 }, 400, 'BAD_REQUEST'],
    ['an empty accountId', { ...valid, accountId: '' }, 400, 'BAD_REQUEST'],
    ['no programmaticCode', { accountId: 'careless', idType: 'EXTERNAL' }, 400, 'BAD_REQUEST'],
    ['a NUL character', { ...valid, accountId: 'care\0less' }, 400, 'BAD_REQUEST'],
    ['metadata that is no object', { ...valid, metadata: 5 }, 400, 'BAD_REQUEST'],
    ['a SINGLE event with metadata', { ...valid, metadata: { amount: 1 } }, 400, 'BAD_REQUEST'],
    ['an AMOUNT event without amount', { ...valid, programmaticCode: 'PURCHASE' }, 400, 'BAD_REQUEST'],
    ['an amount as text', { ...valid, programmaticCode: 'PURCHASE', metadata: { amount: '7' } }, 400, 'BAD_REQUEST'],
    ['a negative amount', { ...valid, programmaticCode: 'PURCHASE', metadata: { amount: -1 } }, 400, 'BAD_REQUEST'],
    [
      'an infinite amount',
      `{"programmaticCode":"PURCHASE","accountId":"careless","idType":"EXTERNAL","metadata":{"amount":1e999}}`,
      400,
      'BAD_REQUEST',
    ],
    ['a fifth decimal', { ...valid, programmaticCode: 'PURCHASE', metadata: { amount: 1.00001 } }, 400, 'BAD_REQUEST'],
    [
      'more than amount',
      { ...valid, programmaticCode: 'PURCHASE', metadata: { amount: 1, tax: 2 } },
      400,
      'BAD_REQUEST',
    ],
    ['occurredAt in the future', { ...valid, occurredAt: '2999-01-01T00:00:00Z' }, 400, 'BAD_REQUEST'],
    ['occurredAt too long ago', { ...valid, occurredAt: '2020-01-01T00:00:00Z' }, 400, 'BAD_REQUEST'],
    ['a malformed internal id', { ...valid, idType: 'INTERNAL' }, 400, 'BAD_REQUEST'],
    ['an operationId of 129 characters', { ...valid, operationId: 'x'.repeat(129) }, 400, 'BAD_REQUEST'],
    ['an unknown code', { ...valid, programmaticCode: 'NOPE' }, 404, 'EVENT_DEFINITION_NOT_FOUND'],
    ['an unknown internal id', { ...valid, accountId: uuid, idType: 'INTERNAL' }, 404, 'ACCOUNT_NOT_FOUND'],
  ];
  test.each(cases)('%s', async (_name, body, statusCode, code) => {
    const answer = await emit(body);
    const { details: _details, ...error } = answer.body;
    expect(error).toEqual({
      statusCode,
      code,
      message: expect.any(String),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(answer.status).toBe(statusCode);
    expect(answer.body.message.length).toBeGreaterThan(15);
    const rows = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`select 1 from account where external_id like 'care%'`),
    );
    expect(rows).toEqual([]);
  });

  test('a body of 2 MiB', async () => {
    const answer = await emit({ ...valid, metadata: { note: 'x'.repeat(2 ** 21) } });
    expect(answer).toMatchObject({ status: 413, body: { statusCode: 413 } });
  });

  test("another client's account id is as unknown as any", async () => {
    const { body: account } = await service.rest('POST', '/accounts/resolve', { externalId: 'mine' });
    await newGame(service, { adminToken: other.adminToken });
    const answer = await emit({ programmaticCode: 'LOGIN', accountId: account.id }, other.apiKey);
    expect(answer).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
  });

  test('an event at fault does not fail those that arrive with it', async () => {
    const answers = await Promise.all([
      login('neighbour-1'),
      emit({ ...valid, programmaticCode: 'NOPE' }),
      login('neighbour-2'),
      emit({ ...valid, accountId: uuid, idType: 'INTERNAL' }),
      login('neighbour-3'),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 404, 200, 404, 200]);
  });
});

describe('operation ids', () => {
  test('a repeat gives the stored answer and has no new effect', async () => {
    const operationId = randomUUID();
    const first = await login('repeater', { operationId });
    const second = await login('repeater', { operationId });
    expect(second.body).toEqual(first.body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await login('repeater')).body.progressedMissions).toMatchObject([{ progress: 2 }]);
  });

  test('the same id with other content is refused for good', async () => {
    const operationId = randomUUID();
    await login('first-use', { operationId });
    const answer = await login('second-use', { operationId });
    expect(answer).toMatchObject({ status: 400, body: { code: 'OPERATION_ID_REUSED' } });
  });

  test('a failed event leaves its id free', async () => {
    const operationId = randomUUID();
    expect((await emit({ programmaticCode: 'NOPE', accountId: 'again', idType: 'EXTERNAL', operationId })).status).toBe(
      404,
    );
    expect((await whileInProgress(() => login('again', { operationId }))).status).toBe(200);
  });

  test('two clients may use the same id', async () => {
    const operationId = randomUUID();
    await login('shared', { operationId });
    await newGame(service, { adminToken: other.adminToken });
    const event = { programmaticCode: 'LOGIN', accountId: 'shared', idType: 'EXTERNAL', operationId };
    const answer = await emit(event, other.apiKey);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
  });

  test('fifty parallel events with one id have one effect', async () => {
    const operationId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => login('parallel', { operationId })));
    const [done] = answers.filter((answer) => answer.status === 200);
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.body).toEqual(done!.body);
      else expect(answer).toMatchObject({ status: 409, body: { code: 'OPERATION_IN_PROGRESS' } });
    }
    expect((await login('parallel')).body.progressedMissions).toMatchObject([{ progress: 2 }]);
  });
});

describe('really parallel', () => {
  test('200 events for one unknown external id create one account with progress exactly 200', async () => {
    await newGame(service, { codes: { STEP: 'SINGLE' }, missions: [{ programmaticCode: 'STEP', target: 1000 }] });
    const step = () => emit({ programmaticCode: 'STEP', accountId: 'walker', idType: 'EXTERNAL' });
    const answers = await Promise.all(Array.from({ length: 200 }, step));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    const seen = answers.map((answer) => answer.body.progressedMissions[0].progress);
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    const rows = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(
        `select progress from account a join assignment s on s.client_id = a.client_id and s.account_id = a.id
          where external_id = 'walker'`,
      ),
    );
    expect(rows).toEqual([{ progress: '200.0000' }]);
  });

  test('100 completions for 60 codes deliver 60 distinct ones; a restock serves the other 40 in order', async () => {
    const codes = Array.from({ length: 60 }, (_, index) => `CODE-${index}`);
    const productId = await newProduct(service, codes);
    await newGame(service, {
      codes: { RACE: 'SINGLE' },
      missions: [{ programmaticCode: 'RACE' }],
      rewards: [{ name: 'Coupon', type: 'PRODUCTS', amount: 1, productId }],
    });
    const race = (accountId: string) => emit({ programmaticCode: 'RACE', accountId, idType: 'EXTERNAL' });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => race(`runner-${index}`)));
    const delivered = answers.flatMap((answer) => answer.body.rewards);
    const pending = answers.flatMap((answer) => answer.body.pendingRewards ?? []);
    expect([delivered.length, pending.length]).toEqual([60, 40]);
    expect(new Set(delivered.map((reward) => reward.codes[0].code))).toEqual(new Set(codes));

    const more = Array.from({ length: 45 }, (_, index) => `MORE-${index}`);
    const restock = await service.rest('POST', `/admin/products/${productId}/codes`, { codes: more });
    expect(restock.body).toMatchObject({ added: 45, delivered: 40, product: { stock: 5 } });
    const served = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ code: string }>(
        `select c.code from earned_reward e join product_code c on c.client_id = e.client_id and c.redemption_id = e.redemption_id
          where e.id = any($1) order by e.id`,
        [pending.map((reward) => reward.id)],
      ),
    );
    expect(served.map((row) => row.code)).toEqual(more.slice(0, 40));
  });
});

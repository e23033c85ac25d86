import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { expectExact } from '../../faults/support/expect-exact.ts';
import { newGame } from '../../support/game.ts';
import {
  type Rest,
  type RestAnswer,
  restAs,
  startService,
  type Tenant,
  type TestService,
} from '../../support/service.ts';
import { holdAccount } from './inbox-fixture.ts';

let service: TestService;
let callers: Array<{ tenant: Tenant; rest: Rest }>;

const CLIENTS = 12;

beforeAll(async () => {
  service = await startService();
  callers = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const tenant = await service.newTenant();
      const rest = restAs(service.baseUrl, tenant);
      await newGame({ rest, adminToken: tenant.adminToken }, { missions: [{ target: 3 }] });
      return { tenant, rest };
    }),
  );
});
afterAll(() => service.close());

const emit = (rest: Rest, accountId: string, operationId: string): Promise<RestAnswer> =>
  rest('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId, idType: 'EXTERNAL', operationId });

/** Concurrent events with the same content, one for each client. */
const emitAll = (accountId: string, operationId: string) =>
  Promise.all(callers.map(({ rest }) => emit(rest, accountId, operationId)));

/** The transactions that have stored operations with this prefix of their ids. */
async function transactionsOf(operationId: string): Promise<number> {
  const [row] = await service.db.systemUnitOfWork((uow) =>
    uow.query<{ count: string }>(`select count(distinct xmin::text) from operation where starts_with(id, $1)`, [
      operationId,
    ]),
  );
  return Number(row!.count);
}

test('events of many clients share transactions, and each client has its own accounts, progress, rewards and operations', async () => {
  // All accounts are new, and have the same name.
  const answers = [await emitAll('ada', 'first'), await emitAll('ada', 'second'), await emitAll('ada', 'third')];
  for (const answer of answers.flat()) expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  for (const { body } of answers[2]!) expect(body.rewards).toMatchObject([{ amount: 10 }]);
  for (const operation of ['first', 'second', 'third']) {
    expect(await transactionsOf(operation)).toBeLessThan(CLIENTS);
  }
  const accounts = await service.db.systemUnitOfWork((uow) =>
    uow.query<{ clients: string; ids: string }>(
      `select count(distinct client_id) as clients, count(*) as ids from account where external_id = 'ada'`,
    ),
  );
  expect(accounts).toEqual([{ clients: String(CLIENTS), ids: String(CLIENTS) }]);
  for (const { rest } of callers) {
    expect((await rest('GET', '/loyalty/accounts/ada/points?idType=EXTERNAL')).body).toMatchObject({
      available: 10,
      lifetimeEarned: 10,
    });
  }
  const again = await emitAll('ada', 'third');
  expect(again.map(({ body }) => body)).toEqual(answers[2]!.map(({ body }) => body));
  for (const { headers } of again) expect(headers.get('idempotency-replayed')).toBe('true');
  await expectExact(service.db);
});

test('a client whose row somebody holds waits alone: the events of the others are answered meanwhile', async () => {
  await emitAll('held', 'before');
  const [held, ...others] = callers as [(typeof callers)[0], ...typeof callers];
  const release = await holdAccount({ db: service.db, clientId: held.tenant.clientId }, 'held');
  const waiting = emit(held.rest, 'held', 'while');
  let answered = false;
  void waiting.then(() => (answered = true));
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(others.map(({ rest }) => emit(rest, 'held', `while ${round}`)));
    for (const answer of answers) expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  }
  expect(answered).toBe(false);
  await release();
  expect(await waiting).toMatchObject({ status: 200 });
  await expectExact(service.db);
});

test('where another transaction makes the same account in the same moment, its client is served alone and nobody fails', async () => {
  const [{ tenant }] = callers as [(typeof callers)[0]];
  const made = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const making = service.db.unitOfWork(tenant.clientId, async (uow) => {
    await uow.query(`insert into account (client_id, id, external_id) values ($1, $2, 'twin')`, [
      tenant.clientId,
      newId(),
    ]);
    made.resolve();
    await mayEnd.promise;
  });
  await made.promise;
  const answers = emitAll('twin', 'twin');
  const others = Promise.all(callers.slice(1).map(({ rest }) => emit(rest, 'twin', 'other')));
  for (const answer of await others) expect(answer).toMatchObject({ status: 200 });
  mayEnd.resolve();
  await making;
  for (const answer of await answers) expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  await expectExact(service.db);
});

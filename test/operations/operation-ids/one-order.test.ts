import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesOf } from '../../../src/commands/verify.ts';
import { deleteOldOperations } from '../../../src/idempotency/delete-old-operations.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { holdAccount, inboxOf, untilApplied, untilBlocked } from '../triggers/inbox-fixture.ts';
import { asIs, everyOperation, type Operation, post, type Prepared } from './every-operation.ts';

let service: TestService;
let operations: readonly Operation[];

beforeAll(async () => {
  service = await startService();
  operations = await everyOperation(service);
  await newGame(service, { missions: [{ target: 1_000_000 }] });
});
afterAll(async () => {
  expect(await differencesOf(service.db, service.clientId)).toEqual([]);
  await service.close();
});

const SYNC = '/gamification/triggers';
const ASYNC = '/gamification/triggers/async';
const BATCH = '/gamification/triggers/batch';
const REUSED = { status: 400, body: { code: 'OPERATION_ID_REUSED' } };

const emit = (event: object, path = SYNC) => post(service, path, event);
const purchase = (accountId: string, operationId?: string, amount = 5) => ({
  programmaticCode: 'PURCHASE',
  accountId,
  idType: 'EXTERNAL',
  operationId,
  metadata: { amount },
});
const referral = (accountId: string, operationId?: string) => ({
  programmaticCode: 'REFERRAL',
  accountId,
  idType: 'EXTERNAL',
  operationId,
});
const login = (accountId: string, operationId?: string) => ({
  ...referral(accountId, operationId),
  programmaticCode: 'LOGIN',
});
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true';

/** The progress of the missions that count PURCHASE, REFERRAL and LOGIN, without those that have not begun. */
const progressOf = async (accountId: string) => {
  const { body } = await service.rest('GET', `/v1/gamification/missions/progress/${accountId}?idType=EXTERNAL`);
  return body.map((item: { progress: number }) => item.progress).toSorted((a: number, b: number) => a - b);
};

/** Ways to send an event, and the sign of a repeat in each. */
const ways = {
  sync: async (event: object) => {
    const answer = await emit(event);
    return answer.status === 200 ? { replayed: replayed(answer) } : answer.body.code;
  },
  async: async (event: object) => {
    const answer = await emit(event, ASYNC);
    await untilApplied(service);
    return answer.status === 200 ? { replayed: replayed(answer) } : answer.body.code;
  },
  batch: async (event: object) => {
    const { body } = await emit({ triggers: [event] }, BATCH);
    return body.results[0].error?.code ?? { replayed: undefined };
  },
};
type Way = keyof typeof ways;
const pairs = (['sync', 'async', 'batch'] as const).flatMap((first) =>
  (['sync', 'async', 'batch'] as const).map((second): [Way, Way] => [first, second]),
);

describe('one order', () => {
  test.each(pairs)('emits a %s PURCHASE and a %s REFERRAL with its own id, each once', async (one, two) => {
    const [accountId, operationId] = [`buyer ${randomUUID()}`, randomUUID()];
    expect(await ways[one](purchase(accountId, operationId))).not.toMatchObject({ replayed: true });
    expect(await ways[two](referral(accountId, operationId))).not.toMatchObject({ replayed: true });
    expect(await progressOf(accountId)).toEqual([1, 5]);
    // The repeat uses the other way: both ways share the operation.
    for (const event of [purchase(accountId, operationId), referral(accountId, operationId)]) {
      expect(await ways[one](event)).not.toMatchObject({ replayed: false });
      expect(await ways[two](event)).not.toMatchObject({ replayed: false });
    }
    expect(await progressOf(accountId)).toEqual([1, 5]);
    for (const way of [one, two]) {
      expect(await ways[way](purchase(accountId, operationId, 6))).toBe('OPERATION_ID_REUSED');
      expect(await ways[way](referral(`${accountId} 2`, operationId))).toBe('OPERATION_ID_REUSED');
    }
  });

  test('has one id for every operation of the service, each once', async () => {
    const operationId = `order ${randomUUID()}`;
    const calls: Prepared[] = [];
    for (const operation of operations) calls.push(await operation.prepare());
    const send = (call: Prepared) => {
      const account = { accountId: call.accountId };
      return post(service, call.path(asIs, account), { ...call.body(asIs, account), operationId });
    };
    const answers = [];
    for (const call of calls) answers.push(await send(call));
    expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200));
    expect(answers.filter(replayed)).toEqual([]);
    for (const [index, call] of calls.entries()) {
      const again = await send(call);
      expect(again).toMatchObject({ status: 200, body: answers[index]!.body });
      expect(replayed(again)).toBe(true);
    }
  });

  test('may emit its two events at the same moment, for two accounts, and nobody is told to come back', async () => {
    const orders = Array.from({ length: 60 }, () => randomUUID());
    const answers = await Promise.all(
      orders.flatMap((operationId) => [
        emit(purchase(`at once ${operationId}`, operationId)),
        emit(referral(`friend of ${operationId}`, operationId)),
        emit(login(`at once ${operationId}`, operationId), ASYNC),
      ]),
    );
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([]);
    expect(answers.filter(replayed)).toEqual([]);
    await untilApplied(service);
    for (const operationId of orders) {
      expect(await progressOf(`at once ${operationId}`)).toEqual([1, 5]);
      expect(await progressOf(`friend of ${operationId}`)).toEqual([1]);
    }
  });

  test('may have both events wait at once', async () => {
    const [accountId, operationId] = [`waiter ${randomUUID()}`, randomUUID()];
    await emit(login(accountId));
    const release = await holdAccount(service, accountId);
    await emit(login(accountId), ASYNC);
    await untilBlocked(service);
    expect(replayed(await emit(purchase(accountId, operationId), ASYNC))).toBe(false);
    expect(replayed(await emit(referral(accountId, operationId), ASYNC))).toBe(false);
    expect(await inboxOf(service)).toHaveLength(3);
    expect(replayed(await emit(purchase(accountId, operationId), ASYNC))).toBe(true);
    expect(replayed(await emit(referral(accountId, operationId), ASYNC))).toBe(true);
    expect(await emit(referral('somebody else', operationId), ASYNC)).toMatchObject(REUSED);
    await release();
    await untilApplied(service);
    expect(await progressOf(accountId)).toEqual([1, 2, 5]);
  });

  test('forgotten after its time leaves its id free, and a younger use of it stays known', async () => {
    const [accountId, operationId] = [`late ${randomUUID()}`, randomUUID()];
    await emit(purchase(accountId, operationId));
    await emit(referral(accountId, operationId));
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`update operation set created_at = now() - interval '31 days' where id = $1`, [operationId]),
    );
    const month = new Date(Date.now() - 30 * 86_400_000);
    expect(await deleteOldOperations(service.db, service.clientId, month)).toBe(1);
    expect(replayed(await emit(referral(accountId, operationId)))).toBe(true);
    expect(replayed(await emit(purchase(accountId, operationId)))).toBe(false);
    expect(await progressOf(accountId)).toEqual([1, 10]);
  });
});

describe('an operation id that looks like the key of another', () => {
  test('is one of its own', async () => {
    const [accountId, operationId] = [`odd ${randomUUID()}`, randomUUID()];
    await emit(purchase(accountId, operationId));
    await emit(referral(accountId, operationId));
    const rows = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ id: string }>(`select id from operation where id like '%' || $1 || '%'`, [operationId]),
    );
    expect(rows).toHaveLength(2);
    const [key] = rows.map(({ id }) => id).filter((id) => id !== operationId);
    // Longer than the maximum, so that a caller cannot send it.
    expect([...key!].length).toBeGreaterThan(128);
    expect(await emit(login(accountId, key))).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});

describe('one event twice in a batch', () => {
  const results = async (triggers: readonly object[]) => (await emit({ triggers }, BATCH)).body.results;

  test('gets the answer of the first', async () => {
    const [accountId, operationId] = [`twice ${randomUUID()}`, randomUUID()];
    const event = purchase(accountId, operationId);
    const [first, between, second] = await results([event, referral(accountId, operationId), event]);
    expect(first.result.progressedMissions).toMatchObject([{ progress: 5 }]);
    expect(between.result.progressedMissions).toMatchObject([{ progress: 1 }]);
    expect(second).toEqual(first);
    expect(await progressOf(accountId)).toEqual([1, 5]);
  });

  test('also with its UUID in other letters, and with hundreds of others between', async () => {
    const { body: account } = await post(service, '/accounts/resolve', { externalId: `far ${randomUUID()}` });
    const event = { programmaticCode: 'REFERRAL', accountId: account.id, operationId: randomUUID() };
    const others = Array.from({ length: 400 }, () => login('crowd'));
    const answers = await results([event, ...others, { ...event, accountId: account.id.toUpperCase() }]);
    expect(answers.at(-1)).toEqual(answers[0]);
    expect(answers[0].result.progressedMissions).toMatchObject([{ progress: 1 }]);
  });

  test('with other content is 400', async () => {
    const operationId = randomUUID();
    const answers = await results([purchase('changed', operationId), purchase('changed', operationId, 6)]);
    expect(answers).toMatchObject([{ result: {} }, { error: { statusCode: 400, code: 'OPERATION_ID_REUSED' } }]);
  });

  test('fails as the first does', async () => {
    const event = { programmaticCode: 'REFERRAL', accountId: randomUUID(), operationId: randomUUID() };
    const [first, second] = await results([event, event]);
    expect(first).toMatchObject({ error: { statusCode: 404, code: 'ACCOUNT_NOT_FOUND' } });
    expect(second).toEqual(first);
  });

  test('without an operation id are two', async () => {
    const accountId = `two ${randomUUID()}`;
    await results([referral(accountId), referral(accountId)]);
    expect(await progressOf(accountId)).toEqual([2]);
  });
});

describe('a dead trigger', () => {
  /** A dead trigger of an account that was deleted and restored. Returns its id. */
  async function deadTrigger(event: (accountId: string) => object): Promise<{ id: string; accountId: string }> {
    const externalId = `dead ${randomUUID()}`;
    const { body: account } = await post(service, '/accounts/resolve', { externalId });
    const release = await holdAccount(service, externalId, { thenDelete: true });
    await emit(event(account.id), ASYNC);
    await untilBlocked(service);
    await release();
    await untilApplied(service);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('update account set deleted_at = null where id = $1', [account.id]),
    );
    const { body } = await service.rest('GET', '/admin/dead-triggers/paginated?page=1&limit=10');
    return { id: body.rows[0].id, accountId: account.id };
  }
  const replay = async (id: string) => {
    expect(await service.rest('POST', `/admin/dead-triggers/${id}/replay`)).toMatchObject({ status: 200 });
    await untilApplied(service);
    expect((await service.rest('GET', '/admin/dead-triggers/paginated?page=1&limit=10')).body.rows).toEqual([]);
  };
  const progress = async (accountId: string) => {
    const { body } = await service.rest('GET', `/v1/gamification/missions/progress/${accountId}`);
    return body.map((item: { progress: number }) => item.progress).toSorted();
  };

  test('whose id was done meanwhile by another event takes effect when it is replayed', async () => {
    const operationId = randomUUID();
    const { id, accountId } = await deadTrigger((account) => ({
      programmaticCode: 'REFERRAL',
      accountId: account,
      operationId,
    }));
    expect(replayed(await emit({ ...purchase(accountId, operationId), idType: 'INTERNAL' }))).toBe(false);
    await replay(id);
    expect(await progress(accountId)).toEqual([1, 5]);
  });

  test('whose id was done meanwhile by the same event has no second effect when it is replayed', async () => {
    const operationId = randomUUID();
    const event = (accountId: string) => ({ programmaticCode: 'REFERRAL', accountId, operationId });
    const { id, accountId } = await deadTrigger(event);
    await emit(event(accountId));
    await replay(id);
    expect(await progress(accountId)).toEqual([1]);
  });

  test('of the second event of an order is listed, found and repeated by its operation id', async () => {
    const operationId = randomUUID();
    // The event waits for an hour, and has taken the id first.
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(
        `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, operation_id, occurred_at, accepted_at, not_before)
         values ($1, $2, 'LOGIN', 'somebody', 'EXTERNAL', $3, now(), now(), now() + interval '1 hour')`,
        [service.clientId, '00000000-0000-7000-8000-000000000001', operationId],
      ),
    );
    const externalId = `second ${randomUUID()}`;
    const { body: account } = await post(service, '/accounts/resolve', { externalId });
    const release = await holdAccount(service, externalId, { thenDelete: true });
    const event = { programmaticCode: 'REFERRAL', accountId: account.id, operationId };
    expect(replayed(await emit(event, ASYNC))).toBe(false);
    await untilBlocked(service);
    await release();
    const filters = JSON.stringify({ filters: [{ field: 'operationId', value: [operationId] }] });
    const list = async () =>
      (
        await service.rest(
          'GET',
          `/admin/dead-triggers/paginated?page=1&limit=10&filters=${encodeURIComponent(filters)}`,
        )
      ).body.rows;
    await expect.poll(list).toMatchObject([{ operationId, programmaticCode: 'REFERRAL' }]);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('update account set deleted_at = null where id = $1', [account.id]),
    );
    expect(replayed(await emit(event, ASYNC))).toBe(true);
    await expect.poll(() => progress(account.id)).toEqual([1]);
    expect(replayed(await emit(event))).toBe(true);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('delete from trigger_inbox where operation_id = $1', [operationId]),
    );
  });
});

import { randomUUID } from 'node:crypto';
import { create, type Message, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import {
  type FreezePublicationResponse,
  RedeemPublicationRequestSchema,
  RedeemPublicationResponseSchema,
  UnfreezePublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { type Call, internalCall } from '../../../src/clients/call.ts';
import { createCallBatcher } from '../../../src/idempotency/call-batcher.ts';
import { claimOfCall } from '../../../src/idempotency/once.ts';
import { storeOperations } from '../../../src/idempotency/operations.queries.ts';
import { DomainError } from '../../../src/kernel/errors/domain-error.ts';
import { receivedAtKey } from '../../../src/kernel/time/received-at.ts';
import { createOrderBatcher, type OrderBatcher, runOrders } from '../../../src/marketplace/orders/run-orders.ts';
import type { UnitOfWork } from '../../../src/persistence/database.ts';
import { redeemPublication } from '../../../src/marketplace/purchases/redeem-publication.ts';
import { holdAccount, untilBlocked } from '../triggers/inbox-fixture.ts';
import { newAgreement, newCustomer, newOffer, post, stateOf } from '../marketplace/shop.ts';
import type { Database } from '../../../src/persistence/database.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;
let orders: OrderBatcher;
/** Committed transactions with orders; the service has others, for example to look for webhooks. */
let commits = 0;

beforeAll(async () => {
  service = await sharedService();
  const dispatcher = { wake: () => {} };
  const db: Database = {
    ...service.db,
    async unitOfWork(clientId, work) {
      const result = await service.db.unitOfWork(clientId, work);
      commits += 1;
      return result;
    },
  };
  orders = createOrderBatcher({ db, clock: () => new Date(), dispatcher, concurrency: 2 });
});
afterAll(() => service.close());

/** A call of the tenant, received some milliseconds ago; its answer shows whether it is a replay. */
function newCall(ageMs = 0): Call {
  const principal = { clientId: service.clientId, credentialId: randomUUID(), role: 'INTEGRATOR' } as const;
  const call = internalCall(service.db, principal, () => new Date());
  call.context.values.set(receivedAtKey, performance.now() - ageMs);
  return call;
}

type Wanted = { readonly accountId?: string; readonly operationId?: string; readonly quantity?: number };

async function redeem(id: string, { accountId = 'ada', operationId = '', quantity }: Wanted = {}, call = newCall()) {
  const request = { id, accountId, idType: Account_IdType.EXTERNAL, operationId, quantity };
  try {
    const { redemption } = await redeemPublication(call, create(RedeemPublicationRequestSchema, request), orders);
    return { redemption, replayed: call.context.responseHeader.get('Idempotency-Replayed') === 'true' };
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code };
    throw error;
  }
}

describe('of calls that come at once', () => {
  test('each gets an answer of its own, whatever becomes of its neighbours, in three transactions', async () => {
    const early = ['bob', 'cem'];
    for (const name of ['ada', ...early]) await newCustomer(service, name);
    const [id, draft, dear] = await Promise.all([
      newOffer(service, { stock: 8 }),
      newOffer(service, { publish: false }),
      newOffer(service, { pointsCost: 1_000 }),
    ]);
    commits = 0;
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        // Two start alone, and lock no account that the calls behind them need.
        if (index < 2) return redeem(draft, { accountId: early[index]! });
        const kind = index % 6;
        if (kind === 1) return redeem(draft);
        if (kind === 2) return redeem(dear);
        if (kind === 3) return redeem(id, { accountId: 'nobody' });
        if (kind === 4) return redeem(randomUUID());
        return redeem(id);
      }),
    );
    expect(commits).toBe(3);
    const codes = (kind: number) =>
      answers.filter((_, index) => index > 1 && index % 6 === kind).map(({ code }) => code);
    expect(new Set(codes(1))).toEqual(new Set(['PUBLICATION_NOT_PUBLISHED']));
    expect(new Set(codes(2))).toEqual(new Set(['INSUFFICIENT_POINTS']));
    expect(new Set(codes(3))).toEqual(new Set(['ACCOUNT_NOT_FOUND']));
    expect(new Set(codes(4))).toEqual(new Set(['PUBLICATION_NOT_FOUND']));
    // The eighth unit pauses the publication for the calls behind it.
    const bought = [...codes(0), ...codes(5)];
    expect(bought.filter((code) => code === undefined)).toHaveLength(8);
    expect(new Set(bought)).toEqual(new Set([undefined, 'PUBLICATION_NOT_PUBLISHED']));
    expect(await stateOf(service, id)).toMatchObject({ stock: 0, pauseReason: 'PUBLICATION_OUT_OF_STOCK' });
  });

  test('one that sells out an agreement pauses its other publications for those behind it', async () => {
    await newCustomer(service, 'ada');
    const agreementId = await newAgreement(service, 3);
    const [one, other] = [
      await newOffer(service, { stock: 5, agreementId }),
      await newOffer(service, { stock: 5, agreementId }),
    ];
    // The first two run alone, so that those of the agreement form one batch.
    const spare = await newOffer(service);
    const answers = await Promise.all([redeem(spare), redeem(spare), redeem(one, { quantity: 3 }), redeem(other)]);
    expect(answers.map(({ code }) => code)).toEqual([undefined, undefined, undefined, 'PUBLICATION_NOT_PUBLISHED']);
    expect(await stateOf(service, other)).toMatchObject({ stock: 5, pauseReason: 'AGREEMENT_OUT_OF_STOCK' });
  });

  test('repeats get the stored answers, and an id that is used otherwise is refused', async () => {
    await newCustomer(service, 'ada');
    const id = await newOffer(service, { stock: 20 });
    const ids = Array.from({ length: 10 }, () => randomUUID());
    const first = await Promise.all(ids.map((operationId) => redeem(id, { operationId })));
    const again = await Promise.all([
      ...ids.slice(0, 8).map((operationId) => redeem(id, { operationId })),
      ...ids.slice(8).map((operationId) => redeem(id, { operationId, quantity: 2 })),
      redeem(id, { operationId: randomUUID() }),
    ]);
    expect(again.slice(0, 8)).toEqual(first.slice(0, 8).map((answer) => ({ ...answer, replayed: true })));
    expect(again.slice(8).map(({ code }) => code)).toEqual(['OPERATION_ID_REUSED', 'OPERATION_ID_REUSED', undefined]);
    expect((await stateOf(service, id)).stock).toBe(9);
  });

  test('two with one id have one effect', async () => {
    await newCustomer(service, 'ada');
    const id = await newOffer(service);
    const operationId = randomUUID();
    const spare = Array.from({ length: 2 }, () => redeem(id));
    const [first, second] = await Promise.all([redeem(id, { operationId }), redeem(id, { operationId }), ...spare]);
    expect(first.redemption).toBeDefined();
    expect(second).toEqual({ code: 'OPERATION_IN_PROGRESS' });
    expect((await stateOf(service, id)).stock).toBe(7);
  });

  test('one that was refused among others has no effect any more, though an attempt at it comes late', async () => {
    await newCustomer(service, 'ada');
    const [empty, full] = [await newOffer(service, { stock: 1 }), await newOffer(service)];
    await redeem(empty);
    const operationId = randomUUID();
    const refused = await Promise.all([redeem(full), redeem(full), redeem(empty, { operationId }), redeem(full)]);
    expect(refused.map(({ code }) => code)).toEqual([undefined, undefined, 'PUBLICATION_NOT_PUBLISHED', undefined]);
    await post(service, `/admin/publications/${empty}/stock`, { quantity: 2 });
    await post(service, `/marketplace/publications/${empty}/publish`);
    const late = [redeem(full), redeem(full), redeem(empty, { operationId }, newCall(60_000))];
    expect((await Promise.all(late)).map(({ code }) => code)).toEqual([undefined, undefined, 'OPERATION_IN_PROGRESS']);
    expect((await redeem(empty, { operationId })).redemption).toBeDefined();
    const left = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('select from operation_refusal where client_id = $1 and operation_id = $2', [
        uow.clientId,
        operationId,
      ]),
    );
    expect(left).toEqual([]);
  });
});

test('a call whose account somebody holds waits for it alone, and those beside it do not', async () => {
  await Promise.all([newCustomer(service, 'ada'), newCustomer(service, 'held')]);
  const id = await newOffer(service);
  const release = await holdAccount(service, 'held');
  const begun = performance.now();
  let isAnswered = false;
  const waiting = [1, 2, 3].map(() => redeem(id, { accountId: 'held' }));
  void Promise.race(waiting).then(() => (isAnswered = true));
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all([redeem(id), redeem(id)]);
    expect(answers.map(({ code }) => code)).toEqual([undefined, undefined]);
  }
  // The first batches wait a fifth of a second for the account; without the limit they would wait for fifteen seconds.
  expect(performance.now() - begun).toBeLessThan(8_000);
  await untilBlocked(service, 3, 300);
  expect(isAnswered).toBe(false);
  await release();
  expect((await Promise.all(waiting)).map(({ code }) => code)).toEqual([undefined, undefined, undefined]);
  expect((await stateOf(service, id)).stock).toBe(1);
});

describe('beside a buyer', () => {
  const orderBy = (accountId: string) => ({ account: { accountId, idType: Account_IdType.EXTERNAL } });
  const holding = (publicationId: string, accountId: string) =>
    ({ kind: 'freeze', publicationId, ...orderBy(accountId), quantity: 1, ttlSeconds: 60 }) as const;
  const buying = (publicationId: string, accountId: string) =>
    ({ kind: 'purchase', publicationId, ...orderBy(accountId), quantity: 1, operationId: '' }) as const;
  const times = () => ({ now: new Date(), lockWaitMs: 50 });

  test('whom somebody holds, an account that holds units back is created and stays', async () => {
    await newCustomer(service, 'held');
    const id = await newOffer(service);
    const release = await holdAccount(service, 'held');
    const newcomer = `newcomer ${randomUUID()}`;
    const [bought, held] = await service.db.unitOfWork(service.clientId, (uow) =>
      runOrders(uow, [buying(id, 'held'), holding(id, newcomer)], times()),
    );
    await release();
    expect(bought).toMatchObject({ code: 'DATABASE_BUSY', kind: 'IN_PROGRESS' });
    const { accountId } = (held as FreezePublicationResponse).reservation!;
    expect((await service.rest('GET', `/accounts/${encodeURIComponent(newcomer)}?idType=EXTERNAL`)).body.id).toBe(
      accountId,
    );
  });

  test('whom nobody knows, the account that holds units back cannot be removed meanwhile', async () => {
    await newCustomer(service, 'ada');
    const id = await newOffer(service);
    const removal = (uow: UnitOfWork) =>
      uow.query(`select from account where client_id = $1 and external_id = 'ada' for update nowait`, [uow.clientId]);
    await service.db.unitOfWork(service.clientId, async (uow) => {
      await runOrders(uow, [buying(id, 'nobody'), holding(id, 'ada')], times());
      await expect(service.db.unitOfWork(service.clientId, removal)).rejects.toThrow('could not obtain lock on row');
    });
  });
});

test('a call that is refused because its repeat has just taken effect gets the answer of the repeat', async () => {
  const key = { operationId: randomUUID(), content: ['Work'] } as const;
  const schema = RedeemPublicationResponseSchema;
  const answer = (quantity: number) => create(schema, { redemption: { quantity } });
  const options = { db: service.db, clock: () => new Date(), concurrency: 1 };
  const batcher = createCallBatcher<string>({
    ...options,
    async run(uow) {
      // The claim was granted while the other host committed: its statement saw the state before.
      const done = { ...claimOfCall(key), response: toBinary(schema, answer(7)), mayBeSecondUse: false };
      await service.db.unitOfWork(service.clientId, (other) => storeOperations(other, [done], new Date()));
      await uow.query('select 1');
      return { answers: [new DomainError('OUT_OF_STOCK', 'Nothing is left.')] };
    },
  });
  const call = newCall();
  expect(await batcher.submit(call, key, schema, 'late')).toMatchObject({ redemption: { quantity: 7 } });
  expect(call.context.responseHeader.get('Idempotency-Replayed')).toBe('true');
});

describe('a batch that fails', () => {
  type Work = { readonly name: string; readonly fails?: boolean };
  const key = { operationId: '', content: ['Work'] } as const;
  const submitTo = (ran: string[][], onRun: () => void = () => {}) => {
    const batcher = createCallBatcher<Work>({
      db: service.db,
      clock: () => new Date(),
      concurrency: 1,
      async run(uow, work) {
        ran.push(work.map(({ name }) => name));
        onRun();
        await uow.query('select 1');
        if (work.some(({ fails }) => fails)) throw new Error('The books are wrong.');
        return { answers: work.map((): Message => create(UnfreezePublicationResponseSchema, {})) };
      },
    });
    return (work: Work, call = newCall()) => batcher.submit(call, key, UnfreezePublicationResponseSchema, work);
  };

  test('is run call by call, so that the one at fault fails alone', async () => {
    const ran: string[][] = [];
    const submit = submitTo(ran);
    const names = ['a', 'b', 'c', 'd'];
    const settled = await Promise.allSettled(names.map((name) => submit({ name, fails: name === 'c' })));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(ran).toEqual([['a'], ['b', 'c', 'd'], ['b'], ['c'], ['d']]);
  });

  test('is not run again for a caller that has gone', async () => {
    const ran: string[][] = [];
    const caller = new AbortController();
    const submit = submitTo(ran, () => caller.abort());
    const call = newCall();
    const leaving: Call = Object.create(call, {
      context: { value: { ...call.context, signal: caller.signal } },
      principal: { value: call.principal },
    });
    const answers = [submit({ name: 'a' }), submit({ name: 'gone' }, leaving), submit({ name: 'c', fails: true })];
    const settled = await Promise.allSettled(answers);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(settled[1]).toMatchObject({ reason: { code: 'DATABASE_UNAVAILABLE' } });
    expect(ran).toEqual([['a'], ['gone', 'c'], ['c']]);
  });
});

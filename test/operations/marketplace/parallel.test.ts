import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { expectAllAnnounced, listen, type Listener, recordChanges } from './announcements.ts';
import { newAgreement, newCoupon, newCustomer, newOffer, post, stateOf } from './shop.ts';

let service: TestService;
let listener: Listener;

beforeAll(async () => {
  service = await startService();
  await recordChanges(service);
  listener = await listen(service);
});
afterAll(async () => {
  await service.close();
  await listener.receiver.close();
});

const UNITS = 100;

/** The milliseconds for some 750 calls, which a busy machine answers at 100 a second. */
const TIMEOUT_MS = 60_000;

test(
  '300 parallel purchases, freezes and unfreezes sell 100 units of one agreement, each once, and every pause is announced once',
  async () => {
    const agreementId = await newAgreement(service, UNITS);
    const productId = await newCoupon(service, 3 * UNITS);
    const ids: string[] = [];
    for (const stock of [20, 40, 60, 100]) ids.push(await newOffer(service, { stock, agreementId, productId }));
    const customers = await Promise.all(
      Array.from({ length: 25 }, (_, index) => newCustomer(service, `customer ${index}`)),
    );
    const publish = (id: string) => service.rest('POST', `/marketplace/publications/${id}/publish`);

    const mixed = inParallel(300, (index) => {
      const customer = customers[index % customers.length]!;
      const id = ids[(index * 7) % ids.length]!;
      if (index % 5 === 1) return customer.freeze(id, { quantity: 1 + (index % 3) });
      if (index % 5 === 3) return customer.unfreeze(id);
      return customer.redeem(id, index % 2 === 0 ? { quantity: 1 + (index % 3) } : {});
    });
    // In the meantime, an operator publishes the paused publication again.
    const offered = inParallel(20, (index) => publish(ids[index % ids.length]!));
    expectAnswers([...(await mixed), ...(await offered)]);
    expect(await unitsSold(ids)).toBe(UNITS - (await agreementStock(agreementId)));
    expect(await findDifferences(service.db)).toEqual([]);

    await Promise.all(customers.flatMap((customer) => ids.map((id) => customer.unfreeze(id))));
    await Promise.all(ids.map(publish));
    expectAnswers(
      await inParallel(300, (index) => customers[index % customers.length]!.redeem(ids[index % ids.length]!)),
    );
    expect(await unitsSold(ids)).toBe(UNITS);
    expect(await agreementStock(agreementId)).toBe(0);
    expect(await findDifferences(service.db)).toEqual([]);
    const states = await Promise.all(ids.map((id) => stateOf(service, id)));
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['DRAFT']));
    const changes = await expectAllAnnounced(service, listener);
    expect(changes.some(({ pauseReason }) => pauseReason === 'AGREEMENT_OUT_OF_STOCK')).toBe(true);
  },
  TIMEOUT_MS,
);

test('of 60 parallel purchases with one operation id one takes effect; the others get its answer or are asked to wait', async () => {
  const id = await newOffer(service, { stock: 60 });
  const ada = await newCustomer(service, 'ada');
  const answers = await inParallel(60, () => ada.redeem(id, { operationId: 'one purchase' }));
  const bought = answers.filter(({ status }) => status === 200);
  expect(new Set(bought.map(({ body }) => body.id)).size).toBe(1);
  for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('OPERATION_IN_PROGRESS');
  expect((await stateOf(service, id)).stock).toBe(59);
});

test('one account that reserves and buys 40 times at once pays no unit twice', async () => {
  const id = await newOffer(service, { stock: 40 });
  const ada = await newCustomer(service, 'ada');
  await inParallel(40, (index) => (index % 2 === 0 ? ada.freeze(id) : ada.redeem(id)));
  await ada.unfreeze(id);
  const { stock, availableStock } = await stateOf(service, id);
  expect(availableStock).toBe(stock);
  expect(await unitsSold([id])).toBe(40 - stock);
  expect(await findDifferences(service.db)).toEqual([]);
});

test('an account with points for three purchases makes three of fifteen at once, of five publications', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => newOffer(service, { pointsCost: 10 })));
  const ada = await newCustomer(service, 'ada');
  const adjustment = { idType: 'EXTERNAL', amount: 39.9999, reason: 'A present.' };
  await post(service, '/admin/accounts/ada/points/adjust', adjustment);
  const answers = await inParallel(15, (index) => ada.redeem(ids[index % ids.length]!));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'INSUFFICIENT_POINTS']));
  expect(await unitsSold(ids)).toBe(3);
  expect(await findDifferences(service.db)).toEqual([]);
});

test('stock that is added and words that are changed during 60 sales lose neither a unit nor a word', async () => {
  const productId = await newCoupon(service, 200);
  const id = await newOffer(service, { productId, stock: 60 });
  const ada = await newCustomer(service, 'ada');
  const administer = (index: number) =>
    index % 2 === 0
      ? service.rest('POST', `/admin/publications/${id}/stock`, { quantity: 3 })
      : service.rest('PATCH', `/admin/publications/${id}`, { description: `Version ${index}` });
  const answers = await inParallel(100, (index) => (index % 5 < 3 ? ada.redeem(id) : administer(index)));
  expectAnswers(answers);
  const { stock, description } = await stateOf(service, id);
  expect(stock).toBe(60 + 20 * 3 - 60);
  expect(description).toMatch(/^Version \d+$/);
  expect(await unitsSold([id])).toBe(60);
  expect(await findDifferences(service.db)).toEqual([]);
});

test('of 40 parallel publishings and withdrawals every change is announced, and nothing else', async () => {
  const id = await newOffer(service, { publish: false });
  const move = (index: number) => (index % 2 === 0 ? 'publish' : 'unpublish');
  expectAnswers(
    await inParallel(40, (index) => service.rest('POST', `/marketplace/publications/${id}/${move(index)}`)),
  );
  const changes = (await expectAllAnnounced(service, listener)).filter(({ publicationId }) => publicationId === id);
  expect(changes.length).toBeGreaterThan(0);
  const states = changes.map(({ status }) => status);
  expect(states).toEqual(states.map((_, index) => (index % 2 === 0 ? 'PUBLISHED_ON_MARKETPLACE' : 'DRAFT')));
});

function inParallel(count: number, call: (index: number) => Promise<RestAnswer>): Promise<RestAnswer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/** Checks that all answers are successes, or the refusals of a sold-out shop. */
function expectAnswers(answers: readonly RestAnswer[]): void {
  const refused = answers.filter(({ status }) => status !== 200);
  const codes = new Set(refused.map(({ status, body }) => `${status} ${body.code}`));
  expect(['409 OUT_OF_STOCK', '409 PUBLICATION_NOT_PUBLISHED']).toEqual(expect.arrayContaining([...codes]));
}

/** The receipts of these publications, each with one code per unit and no repeated code. */
async function unitsSold(ids: readonly string[]): Promise<number> {
  const receipts = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ quantity: number; redeemables: { id: string }[] }>(
      'select quantity, redeemables from redemption where source_id = any($1::uuid[])',
      [ids],
    ),
  );
  const sold = receipts.reduce((sum, { quantity }) => sum + quantity, 0);
  const codes = receipts.flatMap(({ redeemables }) => redeemables.map(({ id }) => id));
  expect([codes.length, new Set(codes).size]).toEqual([sold, sold]);
  return sold;
}

async function agreementStock(id: string): Promise<number> {
  const { body } = await service.rest('GET', `/admin/agreements/${id}`);
  return body.stock;
}

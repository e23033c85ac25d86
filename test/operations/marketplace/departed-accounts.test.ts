import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { startService, type TestService } from '../../support/service.ts';
import { untilBlocked } from '../triggers/inbox-fixture.ts';
import { customer, newAgreement, newCustomer, newOffer, stateOf } from './shop.ts';

let service: TestService;
let removed: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const accountOf = async (externalId: string) =>
  (await service.rest('GET', `/accounts/${externalId}?idType=EXTERNAL`)).body;

/** Reservations of deleted accounts. */
const heldForNobody = () =>
  service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `select r.id from reservation r join account a on a.client_id = r.client_id and a.id = r.account_id
        where r.client_id = $1 and r.status = 'ACTIVE' and a.deleted_at is not null`,
      [uow.clientId],
    ),
  );

test.each<[string, (name: string) => Promise<{ status: number; body: unknown }>]>([
  ['unfreezing it', async (name) => customer(service, name).unfreeze(removed)],
  ['deleting the account', async (name) => service.rest('DELETE', `/accounts/${(await accountOf(name)).id}`)],
])('a publication that is removed during %s is no reason to refuse', async (what, call) => {
  const name = `late by ${what}`;
  removed = await newOffer(service, { stock: 1 });
  const { body: reservation } = await customer(service, name).freeze(removed);
  let calling: ReturnType<typeof call> | undefined;
  await service.db.unitOfWork(service.clientId, async (uow) => {
    // The state after the reservation was released and an operator has withdrawn the unit.
    await uow.query(`update reservation set status = 'RELEASED' where id = $1`, [reservation.id]);
    await uow.query(`update product set allocated = 0 where id = (select product_id from publication where id = $1)`, [
      removed,
    ]);
    await uow.query('delete from publication where id = $1', [removed]);
    calling = call(name);
    await untilBlocked(service);
  });
  expect((await calling)!.status).toBeLessThan(300);
  expect(await findDifferences(service.db)).toEqual([]);
});

const DEPARTURES = [
  ['deleted', 'DELETE', (id: string) => `/accounts/${id}`],
  ['erased', 'POST', (id: string) => `/accounts/${id}/erase`],
] as const;

describe.each(DEPARTURES)('an account that is %s', (word, method, pathOf) => {
  const leave = (id: string) => service.rest(method, pathOf(id), method === 'POST' ? {} : undefined);

  test('gives back at once what it held of every publication, and of their agreement; what others hold stays', async () => {
    const agreementId = await newAgreement(service, 10);
    const shared = await newOffer(service, { agreementId });
    const alone = await newOffer(service);
    const ada = customer(service, `ada, ${word}`);
    for (const id of [shared, alone]) {
      await ada.freeze(id, { quantity: 2 });
      await ada.freeze(id, { quantity: 3 });
      await customer(service, 'bea').freeze(id);
    }
    const { id: adasId } = await accountOf(`ada, ${word}`);
    expect((await leave(adasId)).status).toBeLessThan(300);

    for (const id of [shared, alone])
      expect(await stateOf(service, id)).toMatchObject({ availableStock: 9, stock: 10 });
    const { body: agreement } = await service.rest('GET', `/admin/agreements/${agreementId}`);
    expect(agreement.availableStock).toBe(9);
    const statuses = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`select status from reservation where client_id = $1 and account_id = $2`, [uow.clientId, adasId]),
    );
    expect(statuses).toEqual(Array.from({ length: 4 }, () => ({ status: 'RELEASED' })));
    expect(await findDifferences(service.db)).toEqual([]);
  });

  test('while it reserves holds nothing back afterwards', async () => {
    const id = await newOffer(service, { stock: 500 });
    for (let round = 0; round < 12; round++) {
      const name = `hasty ${word} ${round}`;
      const hasty = await newCustomer(service, name);
      const account = await accountOf(name);
      const internal = { accountId: account.id, idType: 'INTERNAL' };
      await Promise.all([
        ...Array.from({ length: 6 }, () => hasty.freeze(id, internal)),
        leave(account.id),
        ...Array.from({ length: 6 }, () => hasty.freeze(id, internal)),
      ]);
    }
    expect(await heldForNobody()).toEqual([]);
    expect((await stateOf(service, id)).availableStock).toBe(500);
    expect(await findDifferences(service.db)).toEqual([]);
  });

  test('while it buys what it holds has bought it or given it back, never both', async () => {
    const id = await newOffer(service, { stock: 40 });
    let bought = 0;
    for (let round = 0; round < 12; round++) {
      const name = `torn ${word} ${round}`;
      const torn = customer(service, name);
      await torn.freeze(id);
      const account = await accountOf(name);
      const [purchase] = await Promise.all([torn.redeem(id), leave(account.id)]);
      expect([200, 404]).toContain(purchase.status);
      if (purchase.status === 200) bought += 1;
    }
    expect(await stateOf(service, id)).toMatchObject({ stock: 40 - bought, availableStock: 40 - bought });
    expect(await heldForNobody()).toEqual([]);
    expect(await findDifferences(service.db)).toEqual([]);
  });
});

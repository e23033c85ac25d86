import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { startService, type TestService } from '../../support/service.ts';
import { newAgreement, newCustomer, newOffer, stateOf } from './shop.ts';

let service: TestService;
let agreementId: string;
let publicationId: string;

beforeAll(async () => {
  service = await startService();
  agreementId = await newAgreement(service, 10);
  publicationId = await newOffer(service, { agreementId, stock: 6 });
  const ada = await newCustomer(service, 'ada');
  await ada.redeem(publicationId, { quantity: 2 });
  await ada.freeze(publicationId, { quantity: 3 });
});
afterAll(() => service.close());

/** The differences before and after `tamper`; `repair` then restores the data. */
async function differencesAfter(tamper: string, repair: string) {
  const write = (sql: string) => service.db.unitOfWork(service.clientId, (uow) => uow.query(sql));
  expect(await findDifferences(service.db)).toEqual([]);
  await write(tamper);
  const differences = await findDifferences(service.db);
  await write(repair);
  return differences.map(({ subject, id, stored, recomputed }) => ({ subject, id, stored, recomputed }));
}

test('a unit that left a publication without a receipt is found', async () => {
  const found = await differencesAfter(
    'update publication set stock = stock - 1',
    'update publication set stock = stock + 1',
  );
  const { productId } = await stateOf(service, publicationId);
  expect(found).toEqual([
    { subject: 'product.allocated', id: productId, stored: '4', recomputed: '3' },
    { subject: 'publication.stock', id: publicationId, stored: '3', recomputed: '4' },
  ]);
});

test('a unit that an agreement has too many is found', async () => {
  const found = await differencesAfter(
    'update agreement set stock = stock + 1',
    'update agreement set stock = stock - 1',
  );
  expect(found).toEqual([{ subject: 'agreement.stock', id: agreementId, stored: '9', recomputed: '8' }]);
});

test('units that are held back by no reservation are found, in the publication and its agreement', async () => {
  const found = await differencesAfter('update reservation set quantity = 1', 'update reservation set quantity = 3');
  expect(found).toEqual(
    expect.arrayContaining([
      { subject: 'agreement.reserved', id: agreementId, stored: '3', recomputed: '1' },
      { subject: 'publication.reserved', id: publicationId, stored: '3', recomputed: '1' },
    ]),
  );
  expect(found).toHaveLength(2);
});

test('units that a product has set aside for no publication are found, and those of a publication that it has not', async () => {
  const { productId } = await stateOf(service, publicationId);
  const found = await differencesAfter(
    `update product set allocated = allocated + 1 where id = '${productId}'`,
    `update product set allocated = allocated - 1 where id = '${productId}'`,
  );
  expect(found).toEqual([{ subject: 'product.allocated', id: productId, stored: '5', recomputed: '4' }]);
  const added = await differencesAfter(
    'update publication set stock = stock + 1, units_added = units_added + 1',
    'update publication set stock = stock - 1, units_added = units_added - 1',
  );
  expect(added).toEqual([{ subject: 'product.allocated', id: productId, stored: '4', recomputed: '5' }]);
});

test('the database itself refuses to hold back more than there is, and less than nothing', async () => {
  for (const sql of [
    'update publication set reserved = stock + 1',
    'update agreement set reserved = -1',
    'update product set allocated = stock + 1',
    'update product set stock = allocated - 1',
  ]) {
    const tamper = service.db.unitOfWork(service.clientId, (uow) => uow.query(sql));
    await expect(tamper).rejects.toThrow(/_(reserved|allocated)_check/);
  }
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOldOperationRefusals } from '../../../src/idempotency/delete-old-refusals.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import { whileInProgress } from '../../support/while-in-progress.ts';
import { newCustomer, newOffer } from '../marketplace/shop.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const inClient = (sql: string) => service.db.unitOfWork(service.clientId, (uow) => uow.query(sql));
const refusals = () => inClient('select operation_id from operation_refusal order by operation_id');

test('a refusal is remembered until its operation takes effect, or for an hour', async () => {
  const ada = await newCustomer(service, 'ada');
  const ben = await newCustomer(service, 'ben');
  const offer = await newOffer(service, { stock: 1 });
  await ben.freeze(offer);
  for (const operationId of ['first', 'second', 'second'])
    expect((await whileInProgress(() => ada.redeem(offer, { operationId }))).body.code).toBe('OUT_OF_STOCK');
  expect(await refusals()).toEqual([{ operation_id: 'first' }, { operation_id: 'second' }]);
  await ben.unfreeze(offer);
  expect((await whileInProgress(() => ada.redeem(offer, { operationId: 'first' }))).status).toBe(200);
  expect(await refusals()).toEqual([{ operation_id: 'second' }]);
  expect(await deleteOldOperationRefusals(service.db, service.clientId, new Date())).toBe(0);
  await inClient(`update operation_refusal set refused_at = refused_at - interval '61 minutes'`);
  expect(await deleteOldOperationRefusals(service.db, service.clientId, new Date())).toBe(1);
  expect(await refusals()).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sharedService, type TestService } from '../../support/service.ts';
import { holdRemovals } from '../triggers/inbox-fixture.ts';
import { asIs, everyOperation, type Operation, post, upper } from './every-operation.ts';

let service: TestService;
let operations: readonly Operation[];

beforeAll(async () => {
  service = await sharedService();
  operations = await everyOperation(service);
});
afterAll(() => service.close());

const NAMES = [
  'EmitTrigger',
  'ClaimCampaign',
  'RedeemProduct',
  'FreezePublication',
  'RedeemPublication',
  'OpenChest',
  'AdjustPoints',
  'CancelRedemption',
];
const operationNamed = (name: string) => operations.find((operation) => operation.name === name)!;
const REUSED = { status: 400, body: { code: 'OPERATION_ID_REUSED' } };

test('every operation that takes an operation id is tried here', () => {
  expect(operations.map(({ name }) => name)).toEqual(NAMES);
});

describe('a request is the same', () => {
  test.each(NAMES)('%s: when its UUIDs come in upper case and its idType, INTERNAL, is written out', async (name) => {
    const { accountId, path, body, other } = await operationNamed(name).prepare();
    const operationId = randomUUID();
    const [short, long] = [{ accountId }, { accountId: accountId.toUpperCase(), idType: 'INTERNAL' as const }];
    const first = await post(service, path(asIs, short), { ...body(asIs, short), operationId });
    expect(first).toMatchObject({ status: 200 });
    const again = await post(service, path(upper, long), { ...body(upper, long), operationId });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const another = { ...other(asIs, short), operationId };
    expect(await post(service, path(asIs, short), another)).toMatchObject(REUSED);
  });

  test('when an amount differs by what a computer adds to it: 3 × 1.1 is 3.3', async () => {
    const { accountId } = await operationNamed('EmitTrigger').prepare();
    const event = (amount: number) => ({
      programmaticCode: 'PURCHASE',
      accountId,
      operationId: `rounded ${accountId}`,
      metadata: { amount },
    });
    const first = await post(service, '/gamification/triggers', event(3 * 1.1));
    expect(first).toMatchObject({ status: 200, body: { progressedMissions: [{ progress: 3.3 }] } });
    const again = await post(service, '/gamification/triggers', event(3.3));
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await post(service, '/gamification/triggers', event(3.3001))).toMatchObject(REUSED);
  });

  test('when it is accepted for later and waits', async () => {
    const { accountId } = await operationNamed('EmitTrigger').prepare();
    const event = (id: string, amount: number) => ({
      programmaticCode: 'PURCHASE',
      accountId: id,
      operationId: `later ${accountId}`,
      metadata: { amount },
    });
    const path = '/gamification/triggers/async';
    onTestFinished(await holdRemovals(service));
    expect(await post(service, path, event(accountId, 0.1 + 0.2))).toMatchObject({ status: 200 });
    const again = await post(service, path, event(accountId.toUpperCase(), 0.3));
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  });

  test('but an external id that looks like a UUID is compared as it was sent', async () => {
    const externalId = randomUUID();
    const event = (accountId: string) => ({
      programmaticCode: 'REFERRAL',
      accountId,
      idType: 'EXTERNAL',
      operationId: `external ${externalId}`,
    });
    expect(await post(service, '/gamification/triggers', event(externalId))).toMatchObject({ status: 200 });
    expect(await post(service, '/gamification/triggers', event(externalId.toUpperCase()))).toMatchObject(REUSED);
  });
});

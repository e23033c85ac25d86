import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

type Json = RestAnswer['body'];

/** The service of a test file, once {@link useShopScene} has registered it. */
export let service: TestService;

/** The external id of an account, which no other test has; it does not exist yet. */
export let shopper = '';

/** The code of an AMOUNT event, which no other test has. */
export let code = '';

/** An audience for everyone. */
export let audienceId = '';

let count = 0;

/** Starts a service for the tests of a file; each gets a shopper and an event code. At the end `verify` must find no difference. */
export function useShopScene(): void {
  beforeAll(async () => {
    service = await startService();
    audienceId = (await created('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' }))['id'];
  });
  beforeEach(async () => {
    count += 1;
    shopper = `shopper-${count}`;
    code = `PURCHASE_${count}`;
    await created('/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
  });
  afterAll(async () => {
    expect(await differences(service.db, service.clientId)).toEqual([]);
    await service.close();
  });
}

/** Creates a resource and returns it. */
export async function created(path: string, body: Json): Promise<Json> {
  const answer = await service.rest('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/** A standalone mission that counts the events of this test. */
export function mission(fields: Json): Promise<Json> {
  return created('/admin/missions', {
    audienceId,
    mission: { type: 'MISSION', name: 'Buy', programmaticCode: code, ...fields },
  });
}

/** The id of a reward of points. */
export async function points(amount: number): Promise<string> {
  return (await created('/admin/rewards', { name: `${amount} points`, type: 'POINTS', amount }))['id'];
}

/** Sends an event of the shopper; the operation id is unique for the test. */
export function send(operationId: string, amount: number, fields: Json = {}): Promise<RestAnswer> {
  return service.rest('POST', '/gamification/triggers', {
    programmaticCode: code,
    accountId: shopper,
    idType: 'EXTERNAL',
    metadata: { amount },
    operationId: `${code}-${operationId}`,
    ...fields,
  });
}

/** Takes an event of {@link send} back. */
export function reverse(operationId: string, fields: Json = {}): Promise<RestAnswer> {
  return service.rest('POST', '/gamification/triggers/reversals', {
    programmaticCode: code,
    triggerOperationId: `${code}-${operationId}`,
    ...fields,
  });
}

/** The points of the shopper. */
export async function balance(): Promise<Json> {
  return (await service.rest('GET', `/loyalty/accounts/${shopper}/points?idType=EXTERNAL`)).body;
}

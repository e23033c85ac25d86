// Every way to name a merged account reaches the account that stays, also for what was begun before the merge.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';
import { untilApplied } from '../triggers/inbox-fixture.ts';

type Json = RestAnswer['body'];

let service: TestService;
let scenes = 0;
let [code, guestId, memberId, guest, member] = ['', '', '', '', ''];

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});
beforeEach(async () => {
  scenes += 1;
  [code, guest, member] = [`NAMED_${scenes}`, `guest-${scenes}`, `member-${scenes}`];
  guestId = await created('/accounts', { externalId: guest });
  memberId = await created('/accounts', { externalId: member });
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

async function created(path: string, body: Json): Promise<string> {
  return (await ok('POST', path, body))['id'];
}

const merge = () => ok('POST', `/accounts/${guestId}/merge`, { intoAccountId: memberId, progress: 'SUM' });

/** A mission of ten events for everybody, with these rewards. */
async function newMission(rewardIds: readonly string[], target = 1): Promise<void> {
  await ok('POST', '/admin/event-definitions', { programmaticCode: code, type: 'SINGLE' });
  const audienceId = await created('/admin/audiences', { name: code, kind: 'EVERYONE' });
  const mission = { type: 'MISSION', name: code, programmaticCode: code, target, rewardIds };
  await ok('POST', '/admin/missions', { audienceId, mission });
}

test('an asynchronous event by the internal id of a merged account counts for the survivor', async () => {
  await newMission([], 10);
  await merge();
  const events = [guestId, memberId].map((accountId) => ({ programmaticCode: code, accountId }));
  for (const event of events) await ok('POST', '/gamification/triggers/async', event);
  await untilApplied(service);
  const [progress] = await ok('GET', `/v1/gamification/missions/progress/${memberId}`);
  expect(progress).toMatchObject({ progress: 2 });
});

test('a merged account joins and leaves audiences as the survivor', async () => {
  const audienceId = await created('/admin/audiences', { name: code, kind: 'MANUAL' });
  await merge();
  const path = `/gamification/audiences/${audienceId}/accounts`;
  const members = async () =>
    (await ok('GET', `/admin/audiences/${audienceId}/members/paginated?page=1&limit=9`))['rows'];
  await ok('POST', `${path}/assign`, { accountIds: [guestId, memberId] });
  expect(await members()).toMatchObject([{ account: { id: memberId } }]);
  await ok('DELETE', `${path}/remove`, { accountIds: [guestId] });
  expect(await members()).toEqual([]);
});

test('a purchase of a merged account is cancelled for the survivor, and its points keep their expiry', async () => {
  const points = { name: code, type: 'POINTS', amount: 10, expiresInDays: 30 };
  await newMission([await created('/admin/rewards', points)]);
  await ok('POST', '/gamification/triggers', { programmaticCode: code, accountId: guestId });
  const product = { name: code, stockMode: 'UNLIMITED', pointsCost: 6 };
  const productId = await created('/admin/products', product);
  const { id } = await ok('POST', `/loyalty/products/${productId}/redeem`, { accountId: guestId });
  await merge();
  await ok('POST', `/admin/redemptions/${id}/cancel`, { reason: 'Broken' });
  expect(await ok('GET', `/loyalty/accounts/${memberId}/points`)).toMatchObject({
    available: 10,
    nextExpiration: { amount: 10 },
  });
});

test('points that a merged account has earned are taken from the lot in which they came', async () => {
  const [first, other] = [5, 365].map((expiresInDays) => ({ type: 'POINTS', amount: 10, name: code, expiresInDays }));
  await newMission([await created('/admin/rewards', other!)]);
  const earned = { programmaticCode: code, accountId: guestId, operationId: code };
  await ok('POST', '/gamification/triggers', earned);
  const gift = { amount: 10, reason: 'A gift', expiresInDays: first!.expiresInDays };
  await ok('POST', `/admin/accounts/${memberId}/points/adjust`, gift);
  await merge();
  await ok('POST', '/gamification/triggers/reversals', { programmaticCode: code, triggerOperationId: code });
  expect(await ok('GET', `/loyalty/accounts/${memberId}/points`)).toMatchObject({
    available: 10,
    nextExpiration: { amount: 10, at: expect.any(String) },
  });
  const { at } = (await ok('GET', `/loyalty/accounts/${memberId}/points`))['nextExpiration'];
  expect(Date.parse(at) - Date.now()).toBeLessThan(6 * 86_400_000);
});

test('a debt that an account had paid before its merge is a debt of the survivor that is paid', async () => {
  await newMission([await created('/admin/rewards', { name: code, type: 'POINTS', amount: 10 })]);
  const product = { name: code, stockMode: 'UNLIMITED', pointsCost: 10 };
  const productId = await created('/admin/products', product);
  const event = { programmaticCode: code, accountId: guestId };
  await ok('POST', '/gamification/triggers', { ...event, operationId: code });
  await ok('POST', `/loyalty/products/${productId}/redeem`, { accountId: guestId });
  await ok('POST', '/gamification/triggers/reversals', { programmaticCode: code, triggerOperationId: code });
  expect(await ok('GET', `/loyalty/accounts/${guestId}/points`)).toMatchObject({ available: 0, debt: 10 });
  await ok('POST', '/gamification/triggers', event);
  await merge();
  expect((await ok('GET', `/loyalty/accounts/${memberId}/points`))['debt']).toBeUndefined();
  expect(await differences(service.db, service.clientId)).toEqual([]);
});

test('the books are right after the erasure of a merged account with points, and none of its ids is known', async () => {
  await newMission([await created('/admin/rewards', { name: code, type: 'POINTS', amount: 10 })]);
  for (const accountId of [guestId, memberId])
    await ok('POST', '/gamification/triggers', { programmaticCode: code, accountId });
  await merge();
  await ok('POST', `/accounts/${guestId}/erase`);
  expect(await differences(service.db, service.clientId)).toEqual([]);
  for (const id of [guestId, memberId]) expect((await service.rest('GET', `/accounts/${id}`)).status).toBe(404);
  for (const externalId of [guest, member]) await created('/accounts', { externalId });
  for (const id of [guestId, memberId]) expect((await service.rest('POST', `/accounts/${id}/erase`)).status).toBe(200);
  for (const externalId of [guest, member])
    expect((await service.rest('GET', `/accounts/${externalId}?idType=EXTERNAL`)).status).toBe(200);
});

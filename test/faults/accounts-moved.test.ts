// While a call waits for the lock of an account, the key that it names comes to mean another account.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdAccount } from '../operations/triggers/inbox-fixture.ts';
import { newGame } from '../support/game.ts';
import { type RestAnswer, startService, type TestService } from '../support/service.ts';
import { settled } from '../support/settled.ts';
import { expectExact } from './support/expect-exact.ts';
import { ok, untilWaiting } from './support/visits.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
  await newGame(service, { codes: { STEP: 'SINGLE' }, missions: [{ programmaticCode: 'STEP', target: 1_000 }] });
});
afterAll(() => service.close());

const waiting = (sessions: number) => untilWaiting(service.db, sessions);

/** Creates accounts one after another: locks are taken in the order of their ids. @returns their ids */
async function accounts(...externalIds: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const externalId of externalIds) ids.push((await ok(service.rest, '/accounts', { externalId })).id);
  return ids;
}

const step = (accountId: string): Promise<RestAnswer> =>
  settled(() =>
    service.rest('POST', '/gamification/triggers', { programmaticCode: 'STEP', accountId, idType: 'EXTERNAL' }),
  );

/** The steps that an account has. */
async function stepsOf(accountId: string): Promise<number> {
  const { body } = await service.rest('GET', `/v1/gamification/missions/progress/${accountId}?idType=EXTERNAL`);
  return body[0]?.progress ?? 0;
}

/** A correction of points, which needs an account that exists. */
const correct = (accountId: string): Promise<RestAnswer> =>
  service.rest(
    'POST',
    `/admin/accounts/${accountId}/points/adjust`,
    { idType: 'EXTERNAL', amount: 5, reason: 'A gift.' },
    service.adminToken,
  );

async function pointsOf(accountId: string): Promise<number> {
  return (await service.rest('GET', `/loyalty/accounts/${accountId}/points?idType=EXTERNAL`)).body.available;
}

const merge = (from: string, intoAccountId: string) =>
  service.rest('POST', `/accounts/${from}/merge`, { intoAccountId, idType: 'EXTERNAL', progress: 'SUM' });

test('an event that waits while the merge of its account is undone counts for that account alone', async () => {
  await accounts('guest', 'member');
  const { mergeId } = (await merge('guest', 'member')).body;
  // The undo has locked `member`, and waits for `guest`.
  const release = await holdAccount(service, 'guest');
  const undone = service.rest('POST', `/accounts/member/merges/${mergeId}/undo`, { idType: 'EXTERNAL' });
  await waiting(1);
  const sent = step('guest');
  await waiting(2);
  await release();
  expect(await undone).toMatchObject({ status: 200 });
  expect(await sent).toMatchObject({ status: 200 });
  expect([await stepsOf('guest'), await stepsOf('member')]).toEqual([1, 0]);
});

test('a call that waits while its account is merged reaches the account into which it was merged', async () => {
  await accounts('from', 'into');
  // The merge has locked `from`, and waits for `into`.
  const release = await holdAccount(service, 'into');
  const merged = merge('from', 'into');
  await waiting(1);
  const sent = step('from');
  const corrected = correct('from');
  await waiting(3);
  await release();
  expect(await merged).toMatchObject({ status: 200 });
  expect(await corrected).toMatchObject({ status: 200 });
  expect(await sent).toMatchObject({ status: 200 });
  expect([await stepsOf('into'), await pointsOf('into')]).toEqual([1, 5]);
});

test('a call that waits while the external id of its account moves does not reach the account that had it', async () => {
  const [id] = await accounts('former');
  let sent: Promise<RestAnswer> | undefined;
  let corrected: Promise<RestAnswer> | undefined;
  await service.db.unitOfWork(service.clientId, async (uow) => {
    await uow.query('select from account where id = $1 for update', [id]);
    corrected = correct('former');
    sent = step('former');
    await waiting(2);
    await uow.query(`update account set external_id = 'renamed' where id = $1`, [id]);
  });
  expect(await sent).toMatchObject({ status: 200 });
  // It was refused, or came after the event that created the new account.
  expect([200, 404]).toContain((await corrected)!.status);
  expect(await pointsOf('renamed')).toBe(0);
  expect([await stepsOf('former'), await stepsOf('renamed')]).toEqual([1, 0]);
  await expectExact(service.db);
});

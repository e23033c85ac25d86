// Merges of accounts: the answers, the refusals, repeats, other clients, and events that race with them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteKeptData } from '../../../src/merging/delete-kept-data.ts';
import { newTenant, type RestAnswer, restAs, startService, type TestService } from '../../support/service.ts';
import { settled } from '../../support/settled.ts';
import { differences } from '../rewards/provision.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { untilApplied } from '../triggers/inbox-fixture.ts';

type Json = RestAnswer['body'];

let service: TestService;
let points = '';
let scenes = 0;
let [code, guest, member] = ['', '', ''];

beforeAll(async () => {
  service = await startService();
  points = (await ok('POST', '/admin/rewards', { name: 'Ten', type: 'POINTS', amount: 10 }))['id'];
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});
beforeEach(async () => {
  scenes += 1;
  [code, guest, member] = [`MERGED_${scenes}`, `guest ${scenes}`, `member ${scenes}`];
  await ok('POST', '/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
  const { id: audienceId } = await ok('POST', '/admin/audiences', { name: code, kind: 'EVERYONE' });
  const mission = { type: 'MISSION', name: code, programmaticCode: code, target: 10, rewardIds: [points] };
  await ok('POST', '/admin/missions', { audienceId, mission });
  for (const externalId of [guest, member]) await ok('POST', '/accounts', { externalId });
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

const send = (accountId: string, amount: number, fields: Json = {}) =>
  ok('POST', '/gamification/triggers', {
    ...{ programmaticCode: code, accountId, idType: 'EXTERNAL', metadata: { amount } },
    ...fields,
  });

const merge = (fields: Json = {}, from = guest, into = member) =>
  service.rest('POST', `/accounts/${encodeURIComponent(from)}/merge`, {
    ...{ intoAccountId: into, idType: 'EXTERNAL', progress: 'SUM' },
    ...fields,
  });

const undo = (mergeId: string, fields: Json = {}, account = member) =>
  service.rest('POST', `/accounts/${encodeURIComponent(account)}/merges/${mergeId}/undo`, {
    idType: 'EXTERNAL',
    ...fields,
  });

const balance = (account: string) =>
  ok('GET', `/loyalty/accounts/${encodeURIComponent(account)}/points?idType=EXTERNAL`);
const idOf = async (externalId: string) => (await ok('POST', '/accounts/resolve', { externalId }))['id'] as string;

describe('a merge', () => {
  test('gives the survivor what both have, and pays what they reach together', async () => {
    const [guestId, memberId] = [await idOf(guest), await idOf(member)];
    await send(guest, 6);
    await send(member, 7);
    expect((await merge({ dryRun: true })).body).toMatchObject({ rewards: [{ amount: 10 }], undoable: false });
    expect((await balance(guest))['available']).toBe(0);
    const { status, body } = await merge();
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      account: { id: memberId, externalId: member },
      missions: [
        { name: code, mergedProgress: 6, previousProgress: 7, progress: 10, completed: true, roundsCompleted: 1 },
      ],
      rewards: [{ amount: 10 }],
      undoable: false,
    });
    for (const ref of [guestId, memberId]) expect(await ok('GET', `/accounts/${ref}`)).toMatchObject({ id: memberId });
    expect(await balance(guest)).toMatchObject({ available: 10, lifetimeEarned: 10 });
    const { rows } = await ok('GET', `/accounts/paginated?page=1&limit=10&filters=${filterBy(guest)}`);
    expect(rows).toEqual([]);
    expect((await service.rest('POST', '/accounts', { externalId: guest })).status).toBe(409);
  });

  test('adds up points, with a line in both histories, and an undo takes it back', async () => {
    await send(guest, 10);
    await send(member, 3);
    const { body } = await merge();
    expect(body).toMatchObject({ moved: { points: 10, earnedRewards: 1 }, undoable: true });
    expect(await balance(member)).toMatchObject({ available: 10, lifetimeEarned: 10 });
    const lines = await ok('GET', `/loyalty/accounts/${encodeURIComponent(member)}/points/history?idType=EXTERNAL`);
    expect(lines[0]).toMatchObject({ type: 'MERGE', amount: 10 });
    const merges = await ok('GET', `/accounts/${encodeURIComponent(guest)}/merges?idType=EXTERNAL`);
    expect(merges['rows']).toMatchObject([{ mergeId: body['mergeId'], externalId: guest, progress: 'SUM' }]);
    expect(await undo(body['mergeId'])).toMatchObject({ status: 200, body: { undoneAt: expect.any(String) } });
    expect(await balance(member)).toMatchObject({ available: 0, lifetimeEarned: 0 });
    expect(await balance(guest)).toMatchObject({ available: 10, lifetimeEarned: 10 });
    expect(await send(member, 7)).toMatchObject({ progressedMissions: [{ previousProgress: 3, progress: 10 }] });
    expect(await undo(body['mergeId'])).toMatchObject({ status: 409, body: { code: 'MERGE_NOT_UNDOABLE' } });
  });

  test('is not undone after an event that counted, a purchase or a merge of the survivor, and says which', async () => {
    await send(guest, 3);
    const { body } = await merge();
    await send(member, 1);
    const refused = await undo(body['mergeId']);
    expect(refused).toMatchObject({ status: 409, body: { code: 'MERGE_NOT_UNDOABLE' } });
    expect(refused.body['message']).toContain('since then came an event');
    const third = `third ${scenes}`;
    await ok('POST', '/accounts', { externalId: third });
    await merge({}, member, third);
    expect((await undo(body['mergeId'])).body['message']).toContain('undo that first');
    expect(await send(guest, 1)).toMatchObject({ progressedMissions: [{ previousProgress: 4, progress: 5 }] });
  });

  test('happens once under an operation id', async () => {
    await send(guest, 4);
    await send(member, 3);
    const first = await merge({ operationId: code });
    const again = await merge({ operationId: code });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await merge({ operationId: code, progress: 'MAX' })).toMatchObject({
      status: 400,
      body: { code: 'OPERATION_ID_REUSED' },
    });
    expect(await merge()).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test.each([
    ['an unknown account', () => merge({}, 'nobody'), 404, 'ACCOUNT_NOT_FOUND'],
    ['an unknown survivor', () => merge({}, guest, 'nobody'), 404, 'ACCOUNT_NOT_FOUND'],
    ['one account', () => merge({}, guest, guest), 400, 'BAD_REQUEST'],
    ['no progress', () => merge({ progress: undefined }), 400, 'BAD_REQUEST'],
    ['an unknown merge', () => undo('00000000-0000-7000-8000-000000000000'), 404, 'MERGE_NOT_FOUND'],
  ] as const)('of %s is refused', async (_name, call, status, refused) => {
    expect(await call()).toMatchObject({ status, body: { code: refused } });
  });

  test('of a suspended account is refused', async () => {
    await ok('POST', `/admin/accounts/${encodeURIComponent(guest)}/suspend`, { idType: 'EXTERNAL', reason: 'Fraud?' });
    expect(await merge()).toMatchObject({ status: 409, body: { code: 'ACCOUNT_SUSPENDED' } });
  });

  test('does not reach an account of another client', async () => {
    const other = restAs(service.baseUrl, await newTenant(service.db));
    const path = `/accounts/${await idOf(guest)}/merge`;
    const answer = await other('POST', path, { intoAccountId: await idOf(member), progress: 'MAX' });
    expect(answer).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
  });

  test('frees both external ids when the survivor is deleted', async () => {
    await merge();
    await ok('DELETE', `/accounts/${await idOf(member)}`);
    for (const externalId of [guest, member]) await ok('POST', '/accounts', { externalId });
  });
});

test('an event of a merged account is taken back from the survivor, with its rewards', async () => {
  await send(guest, 10, { operationId: `${code} a` });
  await send(member, 4);
  await merge();
  const back = await ok('POST', '/gamification/triggers/reversals', {
    ...{ programmaticCode: code, triggerOperationId: `${code} a` },
  });
  expect(back).toMatchObject({
    accountId: await idOf(member),
    missions: [{ previousProgress: 10, progress: 4, completionLost: true }],
    rewards: [{ amountReversed: 10 }],
  });
  expect(await balance(member)).toMatchObject({ available: 0 });
});

test('rounds of both accounts are taken back one by one, and the last one is paid once', async () => {
  const audienceId = (await ok('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' }))['id'];
  const programmaticCode = `ROUNDS_${scenes}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const mission = { type: 'MISSION', name: 'Rounds', programmaticCode, target: 10, repeat: {}, rewardIds: [points] };
  await ok('POST', '/admin/missions', { audienceId, mission });
  await send(guest, 30, { programmaticCode, operationId: 'of the guest' });
  await send(member, 20, { programmaticCode, operationId: 'of the member' });
  const back = async (whose: string, amount: number) => {
    const named = { programmaticCode, triggerOperationId: `of the ${whose}`, amount };
    await ok('POST', '/gamification/triggers/reversals', named);
  };
  const available = async (account = member) => (await balance(account))['available'];

  // An undo gives the guest its rounds back.
  const { body } = await merge();
  expect((await undo(body['mergeId'])).status).toBe(200);
  await back('guest', 10);
  expect(await available(guest)).toBe(20);
  await send(guest, 10, { programmaticCode });
  expect(await available(guest)).toBe(30);

  await merge();
  expect(await available()).toBe(50);
  for (const [whose, left] of [
    ['member', 40],
    ['guest', 30],
  ] as const) {
    await back(whose, 10);
    expect(await available()).toBe(left);
  }
  await send(member, 10, { programmaticCode });
  expect(await available()).toBe(40);
  await back('member', 10);
  await back('guest', 10);
  expect(await available()).toBe(20);
});

test('the export of the survivor has the rows that stay with a merged account', async () => {
  await send(guest, 10);
  await merge();
  const exported = await ok('GET', `/admin/accounts/${await idOf(member)}/export.json`);
  expect(exported['pointEntries'].map(({ type }: Json) => type).toSorted()).toEqual(['EARN', 'MERGE', 'MERGE']);
  expect(exported['journal']).toHaveLength(1);
});

test('a waiting event of a merged account counts for the survivor', async () => {
  await merge();
  await ok('POST', '/gamification/triggers/async', {
    ...{ programmaticCode: code, accountId: guest, idType: 'EXTERNAL', metadata: { amount: 4 } },
  });
  await untilApplied(service);
  expect(await send(member, 1)).toMatchObject({ progressedMissions: [{ previousProgress: 4, progress: 5 }] });
});

test('events of both accounts, merges and undos at the same time count each event once', async () => {
  let sum = 0;
  const people = Array.from({ length: 6 }, (_, index) => `${code} person ${index}`);
  for (const externalId of people) await ok('POST', '/accounts', { externalId });
  const sending = people.flatMap((person) =>
    [0, 1].map(async (worker) => {
      for (let index = 0; index < 15; index += 1) {
        const path = `/gamification/triggers${(index + worker) % 3 === 0 ? '/async' : ''}`;
        const event = { programmaticCode: code, accountId: person, idType: 'EXTERNAL', metadata: { amount: 0.01 } };
        const sent = { ...event, operationId: `${person} ${worker} ${index}` };
        const answer = await settled(() => service.rest('POST', path, sent));
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        sum += 1;
      }
    }),
  );
  const merging = (async () => {
    for (const person of people.slice(1)) {
      const { status, body } = await settled(() => merge({}, person, people[0]));
      expect(status, JSON.stringify(body)).toBe(200);
      // An undo succeeds, or an event came in between.
      const undone = await settled(() => undo(body['mergeId'], {}, people[0]));
      expect([200, 409]).toContain(undone.status);
    }
  })();
  await Promise.all([...sending, merging]);
  await untilApplied(service);
  for (const person of people.slice(1)) expect([200, 400]).toContain((await merge({}, person, people[0])).status);
  const query = `${encodeURIComponent(people[3]!)}?idType=EXTERNAL`;
  const [progress] = await ok('GET', `/v1/gamification/missions/progress/${query}`);
  expect(progress['progress']).toBeCloseTo(sum / 100, 6);
});

test('ACCOUNTS_MERGED is announced to endpoints that receive it', async () => {
  const receiver = await startReceiver();
  const endpoint = { name: code, url: receiver.url, types: ['ACCOUNTS_MERGED'] };
  await ok('POST', '/webhooks/endpoints', { endpoint });
  const { body } = await merge({ operationId: code });
  const [request] = await receiver.got(1);
  const told = JSON.parse(request!.body);
  expect(told).toMatchObject({
    type: 'ACCOUNTS_MERGED',
    data: { mergeId: body['mergeId'], externalId: guest, intoExternalId: member, progress: 'SUM', operationId: code },
  });
  await receiver.close();
});

function filterBy(externalId: string): string {
  return encodeURIComponent(JSON.stringify({ filters: [{ field: 'externalId', value: externalId }] }));
}

test('journal, timeline and a span of reversals of the account that stays have the events of the merged one', async () => {
  const since = new Date(Date.now() - 1_000).toISOString();
  await send(guest, 3, { operationId: `guest ${scenes}` });
  await send(member, 4, { operationId: `member ${scenes}` });
  const id = await idOf(member);
  expect((await merge()).status).toBe(200);
  const { rows: entries } = await ok('GET', `/admin/journal?accountId=${id}&limit=10`);
  expect((entries as Json[]).map(({ operationId }) => operationId)).toEqual([`member ${scenes}`, `guest ${scenes}`]);
  const { rows: first, nextCursor } = await ok('GET', `/admin/journal?accountId=${id}&limit=1`);
  const { rows: second } = await ok('GET', `/admin/journal?accountId=${id}&limit=1&cursor=${nextCursor}`);
  expect([...first, ...second]).toEqual(entries);
  const { rows: happened } = await ok('GET', `/admin/accounts/${id}/timeline?limit=50`);
  const events = (happened as Json[]).filter(({ kind }) => kind === 'EVENT');
  expect(events.map(({ event }) => event.operationId)).toEqual([`member ${scenes}`, `guest ${scenes}`]);
  const path = `/admin/accounts/${id}/triggers/reverse`;
  const { results } = await ok('POST', path, { since, programmaticCode: code, reason: 'Both of one person' });
  expect((results as Json[]).map(({ result }) => result.state)).toEqual(['REVERSED', 'REVERSED']);
});

test('the data of an undo is forgotten after 30 days', async () => {
  await send(guest, 3);
  expect((await merge()).status).toBe(200);
  const kept = async () =>
    (
      await service.db.unitOfWork(service.clientId, (uow) =>
        uow.query<{ merges: number }>(
          'select count(*)::int as merges from account_merge where client_id = $1 and kept is not null',
          [service.clientId],
        ),
      )
    )[0]!.merges;
  const before = await kept();
  expect(before).toBeGreaterThan(0);
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  expect(await deleteKeptData(service.db, service.clientId, days(29))).toBe(0);
  expect(await deleteKeptData(service.db, service.clientId, days(31))).toBe(before);
  expect(await kept()).toBe(0);
});

// An account that support suspends: its events wait, and it gets and spends nothing. docs/suspension.md
import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { DAY } from '../../../src/kernel/time/timestamp.ts';
import { ok, recorded } from '../../support/administration.ts';
import { onNodes } from '../../support/on-nodes.ts';
import { newTenant, restAs, type RestAnswer } from '../../support/service.ts';
import { newOffer } from '../marketplace/shop.ts';
import { newProduct, setPrice } from '../rewards/provision.ts';
import {
  holdRemovals,
  inboxOf,
  untilApplied,
  untilBlocked,
  waitForAnHour,
  waitInQueue,
} from '../triggers/inbox-fixture.ts';
import {
  audienceId,
  balance,
  code,
  created,
  mission,
  points,
  reverse,
  send,
  service,
  shopper,
  useShopScene,
} from '../triggers/shop-scene.ts';

type Json = RestAnswer['body'];

useShopScene();

const post = (path: string, body: Json = {}) => service.rest('POST', path, body);
const support = (path: string, body: Json = {}) =>
  post(`/admin/accounts/${shopper}/${path}`, { idType: 'EXTERNAL', reason: 'Forty orders a minute', ...body });
const suspend = () => support('suspend');
const resume = (events: string, body: Json = {}) => support('resume', { events, ...body });
const accountOf = async () => (await service.rest('GET', `/accounts/${shopper}?idType=EXTERNAL`)).body;
const progress = async (): Promise<number> => {
  const { body } = await service.rest('GET', `/v1/gamification/missions/progress/${shopper}?idType=EXTERNAL`);
  return body.reduce((sum: number, each: Json) => sum + each['progress'], 0);
};
const SUSPENDED = { status: 409, body: { code: 'ACCOUNT_SUSPENDED' } };
const waiting = async () => (await resume('APPLY', { dryRun: true })).body['eventCount'];

/** A shopper who has sent one event of 1. */
async function suspendedShopper(): Promise<string> {
  await send('first', 1);
  const { body } = await suspend();
  return body['id'];
}

describe('an event of a suspended account', () => {
  test('is accepted with an empty answer, counts nothing, and is repeated with the same answer', async () => {
    await mission({ target: 100 });
    await suspendedShopper();
    const answer = await send('a', 5);
    expect(answer).toMatchObject({ status: 200, body: { progressedMissions: [], rewards: [] } });
    const again = await send('a', 5);
    expect(again).toMatchObject({ status: 200, body: answer.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await send('a', 6)).body).toMatchObject({ code: 'OPERATION_ID_REUSED' });
    expect(await progress()).toBe(1);
    expect(await waiting()).toBe(1);
  });

  test('waits also in a batch, and when it comes asynchronously', async () => {
    await mission({ target: 100 });
    await suspendedShopper();
    const event = { programmaticCode: code, accountId: shopper, idType: 'EXTERNAL', metadata: { amount: 2 } };
    const other = { ...event, accountId: `${shopper}-other` };
    const batch = await post('/gamification/triggers/batch', { triggers: [event, other, event] });
    expect(batch.body['results']).toMatchObject([
      { result: { progressedMissions: [] } },
      { result: { progressedMissions: [{ progress: 2 }] } },
      { result: { progressedMissions: [] } },
    ]);
    expect((await post('/gamification/triggers/async', event)).status).toBe(200);
    await untilApplied(service);
    expect(await waiting()).toBe(3);
    expect(await progress()).toBe(1);
  });

  test('is applied when the account is resumed, in the order of occurredAt, and a repeat has its real answer', async () => {
    const startsAt = new Date(Date.now() - 86_400_000).toISOString();
    const { id } = await mission({ target: 10, rewardIds: [await points(100)], startsAt });
    await suspendedShopper();
    const at = (hours: number) => ({ occurredAt: new Date(Date.now() - hours * 3_600_000).toISOString() });
    await send('late', 6, at(1));
    await send('early', 4, at(5));
    expect(await resume('APPLY')).toMatchObject({
      status: 200,
      body: { eventCount: 2, account: { externalId: shopper } },
    });
    await untilApplied(service);
    const { body } = await service.rest('GET', `/admin/journal?programmaticCode=${code}`);
    expect(body['rows'].map((row: Json) => row['operationId'])).toEqual(
      ['late', 'early', 'first'].map((name) => `${code}-${name}`),
    );
    expect(await balance()).toMatchObject({ available: 100 });
    const again = await send('late', 6, at(1));
    expect(again.body).toMatchObject({ progressedMissions: [{ missionId: id, progress: 10, status: 'COMPLETED' }] });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('is judged as of its acceptance, however long it waited', async () => {
    await mission({ target: 100 });
    await suspendedShopper();
    await send('a', 5);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('update suspended_trigger set occurred_at = $2, accepted_at = $2 where client_id = $1', [
        uow.clientId,
        new Date(Date.now() - 40 * DAY),
      ]),
    );
    await resume('APPLY');
    await untilApplied(service);
    expect(await inboxOf(service)).toEqual([]);
    const { body } = await service.rest('GET', `/admin/journal?operationId=${code}-a`);
    expect(body['rows']).toHaveLength(1);
  });

  test('that is dropped never counts, and its operation id stays used', async () => {
    await mission({ target: 100 });
    await suspendedShopper();
    await send('a', 5);
    expect((await resume('DROP')).body).toMatchObject({ eventCount: 1 });
    expect((await send('a', 5)).body).toMatchObject({ progressedMissions: [] });
    expect((await send('b', 2)).body).toMatchObject({ progressedMissions: [{ progress: 3 }] });
    expect(await progress()).toBe(3);
  });

  test('is withdrawn by a reversal, whole; a part of it must wait', async () => {
    await mission({ target: 100 });
    await suspendedShopper();
    await send('a', 5);
    await send('b', 3);
    expect(await reverse('a', { amount: 2 })).toMatchObject(SUSPENDED);
    expect(await reverse('a')).toMatchObject({ status: 200, body: { state: 'WITHDRAWN', amount: 5, amountLeft: 0 } });
    expect((await reverse('first')).body).toMatchObject({ state: 'REVERSED', amount: 1 });
    await resume('APPLY');
    await untilApplied(service);
    expect(await progress()).toBe(3);
    expect((await reverse('b')).body).toMatchObject({ state: 'REVERSED', amount: 3 });
  });

  test('goes with its account: deleted, or erased', async () => {
    const left = () =>
      service.db.unitOfWork(service.clientId, (uow) =>
        uow.query(`select from suspended_trigger where client_id = $1 and account_id = $2`, [uow.clientId, id]),
      );
    let id = await suspendedShopper();
    await send('a', 5);
    expect(await left()).toHaveLength(1);
    await service.rest('DELETE', `/accounts/${id}`);
    expect(await left()).toEqual([]);
    // Another account has the external id now.
    expect(await accountOf()).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    await send('b', 5);
    id = (await suspend()).body['id'];
    await send('c', 5);
    await ok(post(`/accounts/${id}/erase`));
    expect(await left()).toEqual([]);
  });

  test('under an id that was forgotten and used again waits once, and other events with the id are applied too', async () => {
    await mission({ target: 100 });
    await suspendedShopper();
    const other = `${code}_OTHER`;
    await created('/admin/event-definitions', { programmaticCode: other, type: 'AMOUNT' });
    await mission({ target: 100, programmaticCode: other });
    await send('a', 5);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`delete from operation where client_id = $1 and id = $2`, [uow.clientId, `${code}-a`]),
    );
    await send('a', 5);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`delete from operation where client_id = $1 and id = $2`, [uow.clientId, `${code}-a`]),
    );
    await send('a', 20);
    await send('a', 40, { programmaticCode: other });
    expect((await resume('APPLY')).body).toMatchObject({ eventCount: 4 });
    await untilApplied(service);
    expect(await inboxOf(service)).toEqual([]);
    expect(await progress()).toBe(1 + 5 + 20 + 40);
  });

  test.skipIf(onNodes)(
    'is not lost if its second row in the queue goes while it is released beside an event of the same content',
    async () => {
      await mission({ target: 100 });
      await suspendedShopper();
      for (const id of ['a', 'b']) await send(id, 5);
      // Both wait in the queue as well, as if they had come asynchronously, and the worker is removing one as a repeat.
      const queued = (id: string) =>
        ({
          programmaticCode: code,
          accountId: shopper,
          idType: 'EXTERNAL',
          metadata: { amount: 5 },
          operationId: `${code}-${id}`,
        }) as const;
      await waitForAnHour(service, queued('b'));
      const remove = await holdRemovals(service);
      await waitInQueue(service, queued('a'), 0);
      await untilBlocked(service);
      const resumed = resume('APPLY');
      await untilBlocked(service, 2);
      await remove();
      expect((await resumed).body).toMatchObject({ eventCount: 2 });
      await expect.poll(progress).toBe(1 + 5);
      expect(await inboxOf(service)).toHaveLength(1);
    },
  );
});

describe('a suspended account', () => {
  test('shows the time in every read, and no other account does', async () => {
    await send('a', 1);
    expect(await accountOf()).not.toHaveProperty('suspendedAt');
    const { body } = await suspend();
    expect(body).toMatchObject({ externalId: shopper, suspendedAt: expect.any(String) });
    expect((await suspend()).body).toEqual(body);
    expect(await accountOf()).toEqual(body);
    const list = await service.rest('GET', `/accounts/paginated?page=1&limit=1&search=${shopper}`);
    expect(list.body['rows']).toEqual([body]);
    await resume('APPLY');
    expect(await accountOf()).not.toHaveProperty('suspendedAt');
  });

  test('buys nothing, freezes nothing, opens, claims and is given nothing; afterwards as before', async () => {
    const product = await newProduct(service.db, service.clientId, 'COUNTED', 9);
    await setPrice(service.db, service.clientId, product.id, 5);
    const publication = await newOffer(service);
    const chest = await created('/admin/chests', {
      name: 'A chest',
      entries: [{ rewardId: await points(5), weight: 1 }],
    });
    const box = await created('/admin/rewards', { name: 'A box', type: 'CHEST', amount: 1, chestId: chest['id'] });
    const campaign = await created('/admin/campaigns', {
      name: 'To claim',
      claimPolicy: 'EXPLICIT',
      audienceIds: [audienceId],
      rewardIds: [await points(7)],
      missions: [{ type: 'MISSION', name: 'Buy', programmaticCode: code, target: 10 }],
    });
    await post(`/admin/campaigns/${campaign['id']}/activate`);
    await mission({ target: 10, rewardIds: [box['id'], await points(100)] });
    await send('a', 10);
    const [{ id: owned }] = (await service.rest('GET', `/gamification/chests/account/${shopper}?idType=EXTERNAL`)).body;
    const own = { accountId: shopper, idType: 'EXTERNAL' };
    const gift = await points(3);
    const held = await ok(
      post('/marketplace/publications/freeze', { ...own, publicationId: publication, quantity: 1 }),
    );
    await suspend();

    const calls: ReadonlyArray<() => Promise<RestAnswer>> = [
      () => post(`/loyalty/products/${product.id}/redeem`, { ...own, quantity: 1 }),
      () => post(`/marketplace/publications/redeem/${publication}`, { ...own, quantity: 1 }),
      () => post('/marketplace/publications/freeze', { ...own, publicationId: publication, quantity: 2 }),
      () => post(`/gamification/chests/${owned}/open`, own),
      () => post(`/gamification/campaigns/${campaign['id']}/claim`, own),
      () => support('rewards/grant', { rewardId: gift }),
    ];
    for (const call of calls) expect(await call()).toMatchObject(SUSPENDED);
    expect(await support(`chests/${owned}/open`)).toMatchObject(SUSPENDED);
    expect(await support(`campaigns/${campaign['id']}/claim`)).toMatchObject(SUSPENDED);
    expect(await balance()).toMatchObject({ available: 100 });
    const feed = await service.rest('GET', `/v1/feed/account/${shopper}?idType=EXTERNAL`);
    expect(feed.status).toBe(200);
    expect(
      (await post('/marketplace/publications/unfreeze', { ...own, publicationId: publication })).status,
    ).toBeLessThan(300);
    expect(held).toMatchObject({ quantity: 1 });

    await resume('APPLY');
    for (const call of calls) expect((await call()).status).toBeLessThan(300);
    expect(await balance()).toMatchObject({ available: 100 - 5 + 5 + 7 + 3 });
  });

  test('is suspended and resumed with a reason in the audit log, and a dry run leaves none', async () => {
    const id = await suspendedShopper();
    await send('a', 5);
    expect((await resume('DROP', { dryRun: true })).body).toMatchObject({
      eventCount: 1,
      account: { suspendedAt: expect.any(String) },
    });
    await resume('DROP');
    await resume('DROP');
    expect((await recorded(service, id)).map(({ operation, note }) => [operation, note])).toEqual([
      ['AccountAdminService.SuspendAccount', 'Forty orders a minute'],
      ['AccountAdminService.ResumeAccount', 'DROP 1: Forty orders a minute'],
    ]);
  });

  test('needs to exist, and the fate of its events to be named', async () => {
    const unknown = `/admin/accounts/${newId()}`;
    const notFound = { status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } };
    expect(await post(`${unknown}/suspend`, { reason: 'A' })).toMatchObject(notFound);
    expect(await post(`${unknown}/resume`, { reason: 'A', events: 'DROP' })).toMatchObject(notFound);
    await send('a', 1);
    expect(await support('resume')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});

describe('the events of a span that support takes back', () => {
  const reverseAll = (body: Json) => support('triggers/reverse', body);
  const since = new Date(Date.now() - 3_600_000).toISOString();

  test('go, the latest first, each whole, once; a dry run answers the same and does nothing', async () => {
    const { id } = await mission({ target: 10, rewardIds: [await points(100)] });
    await send('a', 4);
    await send('b', 6);
    await reverse('a', { amount: 1 });
    const rehearsed = await reverseAll({ since, dryRun: true });
    expect(await balance()).toMatchObject({ available: 0 });
    expect(await progress()).toBe(9);
    const { status, body } = await reverseAll({ since });
    expect(status).toBe(200);
    expect(body).toEqual(rehearsed.body);
    expect(body).toMatchObject({
      more: false,
      results: [
        { programmaticCode: code, result: { amount: 6, amountLeft: 0, missions: [{ missionId: id, progress: 3 }] } },
        { programmaticCode: code, result: { amount: 3, amountLeft: 0, missions: [{ missionId: id, progress: 0 }] } },
      ],
    });
    expect(await progress()).toBe(0);
    expect((await reverseAll({ since })).body).toEqual({ results: [], more: false });
  });

  test('are 200 at a time', async () => {
    await mission({ target: 10_000 });
    const event = { programmaticCode: code, accountId: shopper, idType: 'EXTERNAL', metadata: { amount: 1 } };
    for (const size of [200, 5])
      await ok(post('/gamification/triggers/batch', { triggers: Array.from({ length: size }, () => event) }));
    const first = (await reverseAll({ since })).body;
    expect([first['results'].length, first['more']]).toEqual([200, true]);
    expect(await progress()).toBe(5);
    const rest = (await reverseAll({ since })).body;
    expect([rest['results'].length, rest['more']]).toEqual([5, false]);
    expect(await progress()).toBe(0);
  });

  test('are those of one code and of the time, or the named ones of this account only', async () => {
    await mission({ target: 100 });
    await send('a', 4);
    await send('b', 6, { accountId: `${shopper}-other` });
    const { body } = await service.rest('GET', `/admin/journal?programmaticCode=${code}`);
    const [other, own] = body['rows'];
    const past = { since, until: new Date(Date.now() - 1_800_000).toISOString() };
    expect((await reverseAll(past)).body).toEqual({ results: [], more: false });
    expect((await reverseAll({ since, programmaticCode: 'ANOTHER' })).body['results']).toEqual([]);
    expect((await reverseAll({ journalEntryIds: [other.id, own.id, own.id] })).body['results']).toMatchObject([
      { journalEntryId: other.id, error: { statusCode: 404, code: 'TRIGGER_NOT_FOUND' } },
      { journalEntryId: own.id, result: { amount: 4 } },
    ]);
    expect((await reverseAll({ journalEntryIds: [own.id] })).body['results']).toMatchObject([
      { error: { statusCode: 409, code: 'REVERSAL_TOO_LARGE' } },
    ]);
  });

  test('must be named in one way', async () => {
    await send('a', 4);
    const id = '019a0000-0000-7000-8000-000000000000.000';
    for (const body of [{}, { until: since }, { since, journalEntryIds: [id] }, { journalEntryIds: ['x'] }])
      expect(await reverseAll(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});

test('no client reaches the account of another', async () => {
  const id = await suspendedShopper();
  const stranger = restAs(service.baseUrl, await newTenant(service.db));
  for (const [path, body] of [
    ['suspend', {}],
    ['resume', { events: 'APPLY' }],
    ['triggers/reverse', { since: '2026-01-01T00:00:00Z' }],
  ] as const) {
    const answer = await stranger('POST', `/admin/accounts/${id}/${path}`, { reason: 'A', ...body });
    expect(answer).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
  }
});

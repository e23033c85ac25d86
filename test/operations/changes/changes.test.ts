import { type DescMessage, getOption } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhook_body } from '../../../gen/laurel/http/v1/options_pb.ts';
import { Change_KindSchema, ChangeSchema } from '../../../gen/laurel/v1/change_pb.ts';
import { partsOfAccount } from '../../../src/app/parts-of-account.ts';
import { entities } from '../../../src/app/entities.ts';
import { openDatabase } from '../../../src/persistence/database.ts';
import { finishErasures } from '../../../src/accounts/erasure/finish-erasures.ts';
import { insertBatch } from '../../../src/changes/change-batch.queries.ts';
import { deleteOldChanges } from '../../../src/changes/delete-old-changes.ts';
import { numberChanges } from '../../../src/changes/number-changes.ts';
import { testDatabase } from '../../support/database.ts';
import { newGame } from '../../support/game.ts';
import { ok } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { addPoints, changesAfter, endOfFeed, feedOf, numbered, numberIn, switchOn } from './feed.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
  await switchOn(service);
});
afterAll(() => service.close());

const post = (path: string, body: object = {}) => ok(service.rest('POST', path, body));
const newAccount = async (): Promise<string> => (await post('/accounts')).id;
const sql = (text: string, values: readonly unknown[] = []) =>
  service.db.unitOfWork(service.clientId, (uow) => uow.query<{ id: string }>(text, [uow.clientId, ...values]));
const after = (cursor: string, more = '') => service.rest('GET', `/v1/changes?after=${cursor}${more}`);

describe('the kinds', () => {
  test('each kind of change has the field of its name, with the message that endpoints get as data', () => {
    const kinds = Change_KindSchema.values.filter(({ number }) => number !== 0);
    const { fields } = ChangeSchema.oneofs[0]!;
    expect(fields.map(({ name, message }) => [name.toUpperCase(), message?.typeName])).toEqual(
      kinds.map((kind) => [kind.name, getOption(kind, webhook_body)]),
    );
  });
});

/** The path of the first account id in the JSON of a message, which has the fields in the order of the proto. */
function firstAccountId({ fields }: DescMessage): string | undefined {
  for (const { name, message } of fields) {
    if (name === 'account_id') return name;
    const within = message && firstAccountId(message);
    if (within !== undefined) return `${name}.${within}`;
  }
  return undefined;
}

test('the first account id of each kind is that of the account whose stream has it', () => {
  const { fields } = ChangeSchema.oneofs[0]!;
  const paths = Object.fromEntries(fields.map(({ name, message }) => [name.toUpperCase(), firstAccountId(message!)]));
  const own = Object.keys(paths).filter((kind) => paths[kind] === 'account_id');
  expect(
    Object.keys(paths)
      .filter((kind) => !own.includes(kind))
      .map((kind) => [kind, paths[kind]]),
  ).toEqual([
    // All rewards of one message are of one account.
    ['REWARDS_DELIVERED', 'rewards.account_id'],
    ['PUBLICATION_STATUS_CHANGED', undefined],
    ['STOCK_LOW', undefined],
    // In no stream.
    ['LEADERBOARD_CLOSED', 'winners.account_id'],
    ['STOCK_CHANGED', undefined],
  ]);
});

describe('what the feed has', () => {
  test('an event is there with its completion, its rewards and its points, in the order of the ledger', async () => {
    const end = await endOfFeed(service);
    await newGame(service, { codes: { FED: 'SINGLE' }, missions: [{ programmaticCode: 'FED' }] });
    const accountId = await newAccount();
    await post('/gamification/triggers', { programmaticCode: 'FED', accountId });
    const { rows } = await changesAfter(service, end);
    const byType = Object.groupBy(rows, ({ type }: { type: string }) => type);
    expect(Object.keys(byType).toSorted()).toEqual([
      'MISSION_COMPLETED',
      'POINTS_CHANGED',
      'REWARDS_DELIVERED',
      'REWARD_EARNED',
    ]);
    expect(byType['MISSION_COMPLETED']).toMatchObject([{ missionCompleted: { accountId, progress: 1 } }]);
    expect(byType['REWARD_EARNED']).toMatchObject([{ rewardEarned: { accountId, amount: 10, status: 'DELIVERED' } }]);
    expect(byType['REWARDS_DELIVERED']).toMatchObject([{ rewardsDelivered: { rewards: [{ accountId, amount: 10 }] } }]);
    const [entry] = (await service.rest('GET', `/loyalty/accounts/${accountId}/points/history?idType=INTERNAL`)).body;
    expect(byType['POINTS_CHANGED']).toMatchObject([{ pointsChanged: { accountId, entry } }]);
  });

  test('a webhook endpoint gets a change of points in the same form', async () => {
    const receiver = await startReceiver();
    const types = ['POINTS_CHANGED'];
    const { id } = await post('/webhooks/endpoints', { endpoint: { name: 'Points', url: receiver.url, types } });
    const accountId = await newAccount();
    // The process notices the endpoint within seconds.
    await expect
      .poll(
        async () => {
          await addPoints(service, accountId, 1);
          return receiver.received.length;
        },
        { timeout: 8_000 },
      )
      .toBeGreaterThan(0);
    const { type, data } = JSON.parse(receiver.received[0]!.body);
    expect(type).toBe('POINTS_CHANGED');
    const { rows } = await changesAfter(service, undefined, { kinds: types });
    const same = rows.filter(({ pointsChanged }) => pointsChanged.entry.id === data.entry.id);
    expect(same).toMatchObject([{ pointsChanged: data }]);
    await service.rest('DELETE', `/webhooks/endpoints/${id}`);
    await receiver.close();
  });

  test('a refused call, and a simulated event, add nothing', async () => {
    const end = await endOfFeed(service);
    await newGame(service, { codes: { DRY: 'SINGLE' }, missions: [{ programmaticCode: 'DRY' }] });
    const accountId = await newAccount();
    await post('/admin/triggers/simulate', { event: { programmaticCode: 'DRY', accountId } }).catch(() => undefined);
    const refused = await service.rest('POST', `/admin/accounts/${accountId}/points/adjust`, {
      amount: -5,
      reason: 'more than it has',
    });
    expect(refused.body.code).toBe('INSUFFICIENT_POINTS');
    expect((await changesAfter(service, end)).rows).toEqual([]);
  });

  test('pages of any size, and pages of one kind, have together what one page has', async () => {
    const end = await endOfFeed(service);
    const accountId = await newAccount();
    for (const amount of [1, 2, 3, 4, 5]) await addPoints(service, accountId, amount);
    const { rows, nextAfter } = await changesAfter(service, end);
    expect(rows.map(({ pointsChanged }) => pointsChanged.entry.amount)).toEqual([1, 2, 3, 4, 5]);
    for (const limit of [1, 2, 3]) expect(await changesAfter(service, end, { limit })).toEqual({ rows, nextAfter });
    for (const [index, { cursor }] of rows.entries())
      expect((await changesAfter(service, cursor)).rows).toEqual(rows.slice(index + 1));
    expect(await changesAfter(service, end, { kinds: ['MISSION_COMPLETED'] })).toEqual({ rows: [], nextAfter });
    expect(await changesAfter(service, end, { kinds: ['POINTS_CHANGED'] })).toEqual({ rows, nextAfter });
  });

  test('as lines of JSON and as CSV it has the same changes, and says where to continue', async () => {
    const end = await endOfFeed(service);
    const accountId = await newAccount();
    for (const amount of [1, 2, 3]) await addPoints(service, accountId, amount);
    const { rows, nextAfter } = await changesAfter(service, end);
    const headers = { authorization: `Bearer ${service.apiKey}` };
    const download = async (path: string) => (await fetch(`${service.baseUrl}/v1/${path}`, { headers })).text();
    const lines = (text: string) => text.trimEnd().split(/\r?\n/);
    const parsed = async (query: string) =>
      lines(await download(`changes.ndjson?after=${end}${query}`)).map((line) => JSON.parse(line));
    expect(await parsed('')).toMatchObject([...rows, { nextAfter }]);
    expect(await parsed('&limit=2')).toMatchObject([...rows.slice(0, 2), { nextAfter: rows[1].cursor }]);
    expect(await parsed('&kinds=STOCK_LOW')).toEqual([{ nextAfter }]);
    const csv = lines(await download(`changes.csv?after=${end}`));
    expect(csv[0]).toBe('cursor,type,occurredAt,data');
    expect(csv.slice(1).map((line) => line.split(',').slice(0, 3))).toEqual(
      rows.map(({ cursor, type, occurredAt }) => [cursor, type, occurredAt]),
    );
    expect(lines(await download(`changes.csv?after=${end}&kinds=STOCK_LOW`))[1]).toBe(`${nextAfter},,,`);
    expect(JSON.parse(await download('changes.ndjson?after=0'))).toMatchObject({ code: 'CHANGES_GONE' });
  });

  test('another client sees nothing of it', async () => {
    const stranger = await service.newTenant();
    expect((await service.rest('GET', '/v1/changes', undefined, stranger.apiKey)).body.code).toBe('CHANGE_FEED_OFF');
    expect((await service.rest('PUT', '/v1/change-feed', { keepDays: 3 }, stranger.adminToken)).status).toBe(200);
    expect((await service.rest('GET', '/v1/changes', undefined, stranger.apiKey)).body).toMatchObject({ rows: [] });
  });
});

describe('numbers', () => {
  test('a transaction that is open for long holds back only itself, and is not passed by', async () => {
    const end = await endOfFeed(service);
    const written = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const json = JSON.stringify({ accountId: service.clientId, mergeId: 'late' });
    const late = service.db.unitOfWork(service.clientId, async (uow) => {
      await insertBatch(uow, [{ kind: 'ACCOUNTS_MERGED', json }]);
      written.resolve();
      await gate.promise;
    });
    await written.promise;
    const accountId = await newAccount();
    await addPoints(service, accountId, 1);
    const first = await changesAfter(service, end);
    expect(first.rows).toMatchObject([{ type: 'POINTS_CHANGED' }]);
    gate.resolve();
    await late;
    expect((await changesAfter(service, first.nextAfter)).rows).toMatchObject([
      { accountsMerged: { mergeId: 'late' } },
    ]);
  });

  test('many workers at once give each change one number, without gaps', async () => {
    const clientId = (await service.newTenant()).clientId;
    const other = { ...service, clientId };
    await service.db.unitOfWork(clientId, (uow) =>
      uow.query('insert into change_feed (client_id, keep_days) values ($1, 30)', [uow.clientId]),
    );
    const write = (size: number) =>
      service.db.unitOfWork(clientId, (uow) =>
        insertBatch(
          uow,
          Array.from({ length: size }, () => ({ kind: 'STOCK_LOW' as const, json: '{}' })),
        ),
      );
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await write(1 + (index % 4));
        await numberChanges(service.db, clientId, 3);
      }),
    );
    await numbered(other);
    const rows = await service.db.unitOfWork(clientId, (uow) =>
      uow.query<{ number: string; changes: number; position: string }>(
        'select number, changes, position from change_batch where client_id = $1 order by number',
        [uow.clientId],
      ),
    );
    let last = 0;
    for (const { number, changes } of rows) expect(Number(number)).toBe((last += changes));
    expect(last).toBe(100);
  });
});

describe('a cursor', () => {
  test('that is none is refused, and so is one of a feed that is off', async () => {
    expect(await after('here')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('is gone when the next changes were deleted for their age, and the last expired change stays', async () => {
    const accountId = await newAccount();
    const end = await endOfFeed(service);
    for (const amount of [1, 2, 3]) await addPoints(service, accountId, amount);
    const { rows, nextAfter } = await changesAfter(service, end);
    const last = { cursor: nextAfter, pointsChanged: rows[2].pointsChanged };
    await sql(`update change_batch set created_at = now() - interval '31 days' where client_id = $1`);
    expect(await deleteOldChanges(service.db, service.clientId, new Date(), 2)).toBeGreaterThan(2);
    // A reader that had read everything misses nothing.
    expect(await after(nextAfter)).toMatchObject({ status: 200, body: { rows: [], nextAfter } });
    expect(await after(rows[1].cursor)).toMatchObject({ status: 200, body: { rows: [last] } });
    expect(await after(rows[0].cursor)).toMatchObject({ status: 410, body: { code: 'CHANGES_GONE' } });
    expect(await after(end)).toMatchObject({ status: 410 });
    expect((await service.rest('GET', '/v1/changes')).body.rows).toMatchObject([last]);
    await addPoints(service, accountId, 4);
    expect((await changesAfter(service, nextAfter)).rows).toMatchObject([{ pointsChanged: { entry: { amount: 4 } } }]);
    expect(await deleteOldChanges(service.db, service.clientId, new Date(), 2)).toBe(0);
  });

  test('of a change that the restored database does not have is refused, an earlier one goes on', async () => {
    const accountId = await newAccount();
    await addPoints(service, accountId, 1);
    const restored = await endOfFeed(service);
    await addPoints(service, accountId, 2);
    await addPoints(service, accountId, 3);
    const lost = await endOfFeed(service);
    // As a restore leaves it.
    await sql('delete from change_batch where client_id = $1 and number > $2::bigint', [numberIn(restored)]);
    await sql('update change_feed set number = $2::bigint where client_id = $1', [numberIn(restored)]);
    expect(await after(lost)).toMatchObject({ status: 410, body: { code: 'CHANGES_DIVERGED' } });
    for (const amount of [4, 5, 6, 7]) await addPoints(service, accountId, amount);
    await numbered(service);
    expect(await after(lost)).toMatchObject({ status: 410, body: { code: 'CHANGES_DIVERGED' } });
    const { rows } = await changesAfter(service, restored);
    expect(rows.map(({ pointsChanged }) => pointsChanged.entry.amount)).toEqual([4, 5, 6, 7]);
  });
});

describe('an erasure', () => {
  test('empties the changes of the account and keeps the numbers of the others', async () => {
    const [gone, stays] = [await newAccount(), await newAccount()];
    const end = await endOfFeed(service);
    await newGame(service, { codes: { BOTH: 'SINGLE' }, missions: [{ programmaticCode: 'BOTH' }] });
    await ok(
      service.rest('POST', '/gamification/triggers/batch', {
        triggers: [gone, stays].map((accountId) => ({ programmaticCode: 'BOTH', accountId })),
      }),
    );
    const before = await changesAfter(service, end);
    const isOf = (id: string) => (row: object) => JSON.stringify(row).includes(id);
    expect(before.rows.filter(isOf(gone))).toHaveLength(4);
    const exported = await fetch(`${service.baseUrl}/admin/accounts/${gone}/export.json`, {
      headers: { authorization: `Bearer ${service.adminToken}` },
    });
    const { changes } = (await exported.json()) as { changes: { change: string }[] };
    expect(changes).toHaveLength(4);
    expect(JSON.stringify(changes)).not.toContain(stays);
    await post(`/accounts/${gone}/erase`);
    const clock = () => new Date(Date.now() + 4 * 60_000);
    await finishErasures(service.db, service.clientId, { parts: partsOfAccount, clock });
    const { rows, nextAfter } = await changesAfter(service, end);
    expect(rows.filter(isOf(gone))).toEqual([]);
    expect(rows.slice(0, 4)).toEqual(before.rows.filter(isOf(stays)));
    expect(numberIn(nextAfter)).toBeGreaterThanOrEqual(numberIn(before.nextAfter));
    expect(JSON.stringify(await sql('select body from change_batch where client_id = $1'))).not.toContain(gone);
  });
});

describe('the switch', () => {
  test('off deletes the changes, and no cursor passes the time without a feed', async () => {
    const accountId = await newAccount();
    await addPoints(service, accountId, 1);
    const end = await endOfFeed(service);
    const put = (keepDays: number) => service.rest('PUT', '/v1/change-feed', { keepDays }, service.adminToken);
    expect(await put(0)).toMatchObject({ status: 200, body: { keepDays: 0 } });
    expect(await after(end)).toMatchObject({ status: 409, body: { code: 'CHANGE_FEED_OFF' } });
    await deleteOldChanges(service.db, service.clientId, new Date());
    expect(await sql('select id from change_batch where client_id = $1')).toEqual([]);
    await addPoints(service, accountId, 2);
    const begun = await switchOn(service);
    expect(await after(end)).toMatchObject({ status: 410, body: { code: 'CHANGES_GONE' } });
    await addPoints(service, accountId, 3);
    expect((await changesAfter(service, begun)).rows).toMatchObject([{ pointsChanged: { entry: { amount: 3 } } }]);
    expect(await feedOf(service)).toMatchObject({ keepDays: 30, onSince: expect.any(String) });
  });

  test('needs an administrator, and a repeat changes nothing and is not recorded', async () => {
    expect((await service.rest('PUT', '/v1/change-feed', { keepDays: 9 }, service.apiKey)).status).toBe(403);
    const entries = () =>
      sql(`select id from audit_entry where client_id = $1 and operation = 'ChangeService.UpdateChangeFeed'`);
    const before = (await entries()).length;
    const put = () => service.rest('PUT', '/v1/change-feed', { keepDays: 9 }, service.adminToken);
    expect((await put()).body).toEqual((await put()).body);
    expect(await entries()).toHaveLength(before + 1);
  });
});

test('a process that does not know yet whether a client has a feed asks in the transaction', async () => {
  const database = await testDatabase();
  const first = await startService({ database });
  await first.rest('PUT', '/v1/change-feed', { keepDays: 1 }, first.adminToken);
  // The first unit of work of a process: it has read nothing yet.
  const db = await openDatabase({ url: database.url, entities, poolMax: 4 });
  const second = await startService({ database: { ...database, db, drop: () => db.close() } });
  const own = { ...first, rest: first.rest };
  const account = await first.rest('POST', '/accounts', {});
  const path = `${second.baseUrl}/admin/accounts/${account.body.id}/points/adjust`;
  const headers = { authorization: `Bearer ${first.adminToken}`, 'content-type': 'application/json' };
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ amount: 1, reason: 'first' }) });
  expect(answer.status).toBe(200);
  expect((await changesAfter(own, undefined)).rows).toMatchObject([{ type: 'POINTS_CHANGED' }]);
  await second.close();
  await first.close();
});

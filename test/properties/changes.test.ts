// The history of a feed: two hosts write, several readers follow, and the books of the callers are compared with what they read.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChangeService } from '../../gen/laurel/v1/change_service_pb.ts';
import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { numberIn, switchOn } from '../operations/changes/feed.ts';
import { newProduct, setPrice } from '../operations/rewards/provision.ts';
import { openStream } from '../operations/changes/stream.ts';
import { testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { type Rest, type RestAnswer, restAs, startService, type TestService } from '../support/service.ts';
import { settled } from '../support/settled.ts';

type Json = RestAnswer['body'];

let service: TestService;
let other: TestService;
let hosts: readonly Rest[];
let client: Client<typeof ChangeService>;
/** The place before the first change of the test. */
let begin = '';
let sweetsId = '';

beforeAll(async () => {
  const database = await testDatabase();
  const streams = { limits: { ofAccount: 10, ofClient: 100 }, times: { beatMs: 50, lastsMs: 600_000 } };
  const journal = 'byOperation';
  service = await startService({ database, streams, journal });
  const db = await openDatabase({ url: database.url, entities, poolMax: 10 });
  other = await startService({ database: { ...database, db, drop: () => db.close() }, streams, journal });
  const { baseUrl } = other;
  const transport = createGrpcTransport({
    baseUrl,
    interceptors: [
      (next) => (request) => {
        request.header.set('authorization', `Bearer ${service.apiKey}`);
        return next(request);
      },
    ],
  });
  client = createClient(ChangeService, transport);
  hosts = [service.rest, restAs(other.baseUrl, service)];
  const bonus = await service.rest('POST', '/admin/rewards', { name: '7 points', type: 'POINTS', amount: 7 });
  await newGame(service, {
    codes: { SALE: 'AMOUNT' },
    missions: [
      { programmaticCode: 'SALE', target: 20, repeat: {}, rewardIds: [bonus.body.id] },
      { programmaticCode: 'SALE', target: 1 },
    ],
  });
  const sweets = await newProduct(service.db, service.clientId, 'UNLIMITED');
  await setPrice(service.db, service.clientId, sweets.id, 3);
  sweetsId = sweets.id;
  begin = await switchOn(service);
  // The other host reads once a second who has a feed, and is asked.
  await hosts[1]!('GET', '/v1/change-feed');
  await sleep(1_200);
  await hosts[1]!('GET', '/v1/change-feed');
  await sleep(300);
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('send'), amount: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('batch'), amount: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('adjust'), amount: fc.integer({ min: -20, max: 20 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('buy'), amount: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse'), amount: fc.nat() }) },
);
const history = fc.array(fc.record({ step, account: fc.nat({ max: 3 }), host: fc.nat({ max: 1 }) }), {
  minLength: 10,
  maxLength: 40,
});
type Move = typeof history extends fc.Arbitrary<(infer T)[]> ? T : never;

/** Does one step, with what its caller knows. */
async function play({ step: { kind, amount }, account, host }: Move, accounts: readonly string[], sent: string[]) {
  const rest = hosts[host]!;
  const accountId = accounts[account]!;
  const event = (id: string) => ({ programmaticCode: 'SALE', accountId: id, metadata: { amount } });
  if (kind === 'send') {
    const operationId = `${accountId} ${sent.length} ${Math.random()}`;
    await settled(() => rest('POST', '/gamification/triggers', { ...event(accountId), operationId }));
    sent.push(operationId);
  } else if (kind === 'batch') {
    const both = [accountId, accounts[(account + 1) % accounts.length]!];
    await settled(() => rest('POST', '/gamification/triggers/batch', { triggers: both.map(event) }));
  } else if (kind === 'adjust') {
    const correction = { amount: amount || 1, reason: 'test' };
    await settled(() => rest('POST', `/admin/accounts/${accountId}/points/adjust`, correction));
  } else if (kind === 'buy') {
    await settled(() => rest('POST', `/loyalty/products/${sweetsId}/redeem`, { accountId }));
  } else if (sent.length > 0) {
    const [operationId = ''] = sent.splice(amount % sent.length, 1);
    const named = { programmaticCode: 'SALE', triggerOperationId: operationId };
    const answer = await settled(() => rest('POST', '/gamification/triggers/reversals', named));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
}

/** Follows the feed, on either host, until `ended` and then to its end. */
async function follow(from: string, limit: number, ended: () => boolean): Promise<Json[]> {
  const rows: Json[] = [];
  for (let next = from, turn = 0; ; turn += 1) {
    const wasEnded = ended();
    const { status, body } = await hosts[turn % 2]!('GET', `/v1/changes?after=${next}&limit=${limit}`);
    expect(status, JSON.stringify(body)).toBe(200);
    rows.push(...body.rows);
    next = body.nextAfter;
    // Behind the last change there may be progress, which is none.
    if (body.rows.length > 0) expect(numberIn(body.rows.at(-1).cursor)).toBeLessThanOrEqual(numberIn(next));
    if (wasEnded && !body.hasMore) return rows;
    if (!body.hasMore) await sleep(5);
  }
}

/** Follows an account at both hosts in turn, with streams that end after some changes, until it has what the feed has. */
async function watch(accountId: string, cutAfter: number, from: string, isDone: (last: string) => boolean) {
  const changes: Json[] = [];
  const progress: Json[] = [];
  for (let turn = 0, last = from; !isDone(last); turn += 1) {
    const host = turn % 2 === 0 ? service : other;
    const stream = await openStream(host, service.apiKey, accountId, { after: last });
    expect(stream.status).toBe(200);
    let left = cutAfter;
    for await (const { id, data } of stream.events) {
      last = id;
      if (data?.change !== undefined) changes.push(data.change);
      if (data?.progress !== undefined) progress.push(data.progress.missions.map(movedTo));
      if (data?.change !== undefined || data?.progress !== undefined) left -= 1;
      if (left === 0 || isDone(last)) break;
    }
    stream.close();
  }
  return { changes, progress };
}

const movedTo = ({ missionId, progress }: Json) => `${missionId} ${progress}`;

/** The progress of an account by the journal: each mission once for the events that were stored together, as the last one left it. */
async function journaled(accountId: string): Promise<Json[]> {
  const { body } = await service.rest('GET', `/admin/journal?accountId=${accountId}&limit=1000`);
  const batches = new Map<string, Map<string, Json>>();
  for (const { id, missions = [] } of body.rows.toReversed()) {
    const batch = id.split('.')[0];
    const moved = batches.get(batch) ?? new Map();
    for (const mission of missions) moved.set(mission.missionId, mission);
    batches.set(batch, moved);
  }
  return [...batches.values()].filter(({ size }) => size > 0).map((moved) => [...moved.values()].map(movedTo));
}

/** Whether every committed change has its number. */
async function isNumbered(): Promise<boolean> {
  const waiting = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query('select id from change_batch where client_id = $1 and number is null limit 1', [uow.clientId]),
  );
  return waiting.length === 0;
}

/** The numbers of all stored changes behind the beginning; between them are those of progress, without gaps. */
async function storedNumbers(): Promise<number[]> {
  const batches = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ number: string; body: string }>(
      'select number, body from change_batch where client_id = $1 and number > $2::bigint order by number',
      [uow.clientId, numberIn(begin)],
    ),
  );
  const lines = batches.flatMap(({ body }) => body.split('\n'));
  expect(Number(batches.at(-1)?.number)).toBe(numberIn(begin) + lines.length);
  return lines.flatMap((line, index) => (line.startsWith('PROGRESS ') ? [] : [numberIn(begin) + 1 + index]));
}

test('a reader has every change once, each account in its order, and the sums are the balances', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 9 }), async (moves, limit) => {
      const created = await Promise.all([0, 1, 2, 3].map(() => service.rest('POST', '/accounts', {})));
      const accounts = created.map(({ body }) => body.id as string);
      const sent: string[] = [];
      let done = false;
      const gone = new AbortController();
      const streamed: string[] = [];
      const stream = (async () => {
        for await (const message of client.followChanges({ after: begin }, { signal: gone.signal }))
          streamed.push(...message.rows.map(({ cursor }) => cursor));
      })();
      const now = (await service.rest('GET', '/v1/change-feed')).body.nextAfter as string;
      let end = Infinity;
      const isDone = (last: string) => numberIn(last) >= end;
      const watchers = accounts.map((id, index) => watch(id, limit * 2 + index, now, isDone));
      const readers = [follow(begin, limit, () => done), follow(begin, 100, () => done)];
      for (let at = 0; at < moves.length; at += 4)
        await Promise.all(moves.slice(at, at + 4).map((move) => play(move, accounts, sent)));
      while (!(await isNumbered())) await sleep(5);
      done = true;
      const [rows = [], again] = await Promise.all(readers);
      expect(again).toEqual(rows);
      const cursors = rows.map(({ cursor }) => cursor as string);
      while (streamed.length < cursors.length) await sleep(5);
      gone.abort();
      await stream.catch(() => undefined);
      expect(streamed).toEqual(cursors);

      end = numberIn((await service.rest('GET', '/v1/change-feed')).body.nextAfter);
      for (const [index, { changes, progress }] of (await Promise.all(watchers)).entries()) {
        expect(changes).toEqual(rows.filter((row) => JSON.stringify(row).includes(accounts[index]!)));
        expect(progress).toEqual(await journaled(accounts[index]!));
        seen.set('progress', (seen.get('progress') ?? 0) + progress.length);
      }
      for (const { type } of rows) seen.set(type, (seen.get(type) ?? 0) + 1);
      const numbers = rows.map(({ cursor }) => numberIn(cursor));
      expect(numbers).toEqual(await storedNumbers());
      for (const accountId of accounts) await compare(rows, accountId);
    }),
    { numRuns: 8, seed: 37, endOnFailure: true },
  );
  const kinds = [
    'progress',
    'MISSION_COMPLETED',
    'POINTS_CHANGED',
    'REWARDS_DELIVERED',
    'REWARDS_REVERSED',
    'REWARD_EARNED',
  ];
  for (const kind of kinds) expect(seen.get(kind), kind).toBeGreaterThan(5);
});

/** Compares an account with what the feed says of it. */
async function compare(rows: readonly Json[], accountId: string): Promise<void> {
  const of = (type: string, field: string) =>
    rows.filter((row) => row.type === type && row[field].accountId === accountId).map((row) => row[field]);
  const [points, ledger, earned] = await Promise.all([
    service.rest('GET', `/loyalty/accounts/${accountId}/points?idType=INTERNAL`),
    service.rest('GET', `/loyalty/accounts/${accountId}/points/history?idType=INTERNAL&limit=1000`),
    service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ id: string }>('select id from earned_reward where client_id = $1 and account_id = $2', [
        uow.clientId,
        accountId,
      ]),
    ),
  ]);
  const entries = of('POINTS_CHANGED', 'pointsChanged').map(({ entry }) => entry);
  expect(entries).toEqual(ledger.body.toReversed());
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(points.body.available);
  const rewards = of('REWARD_EARNED', 'rewardEarned').map(({ earnedRewardId }) => earnedRewardId);
  expect(rewards).toHaveLength(earned.length);
  expect(new Set(rewards)).toEqual(new Set(earned.map(({ id }) => id)));
}

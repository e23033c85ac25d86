import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { addPoints, changesAfter, endOfFeed, switchOn } from './feed.ts';
import { openStream, type ServerEvent } from './stream.ts';

type Json = ServerEvent['data'];
type Told = { readonly id: string; readonly data: Json };

let service: TestService;
let audienceId: string;
/** A mission of three, and one of five that repeats, for the events of one code. */
let missions: { readonly once: string; readonly again: string };

const post = (path: string, body: object = {}) => ok(service.rest('POST', path, body));

beforeAll(async () => {
  service = await startService({ journal: 'byOperation' });
  await switchOn(service);
  audienceId = (await post('/admin/audiences', { name: 'All', kind: 'EVERYONE' })).id;
  await post('/admin/event-definitions', { programmaticCode: 'STEPS', type: 'AMOUNT' });
  const mission = (name: string, target: number, more = {}) =>
    post('/admin/missions', {
      audienceId,
      mission: { type: 'MISSION', name, programmaticCode: 'STEPS', target, rewardIds: [], ...more },
    });
  missions = { once: (await mission('Once', 3)).id, again: (await mission('Again', 5, { repeat: {} })).id };
});
afterAll(() => service.close());

const newAccount = async (): Promise<string> => (await post('/accounts')).id;
const eventOf = (accountId: string, amount: number) => ({
  ...{ programmaticCode: 'STEPS', accountId, metadata: { amount }, operationId: crypto.randomUUID() },
});
const send = (accountId: string, amount: number) => post('/gamification/triggers', eventOf(accountId, amount));

/** Opens the stream of an account with the API key. */
const open = (accountId: string, more: Parameters<typeof openStream>[3] = {}) =>
  openStream(service, service.apiKey, accountId, more);

/** The next events with data of some keys; the first one of all says that the stream is open. */
async function told(
  stream: Awaited<ReturnType<typeof open>>,
  count: number,
  keys: readonly string[] = ['opened', 'change', 'progress'],
): Promise<Told[]> {
  const found: Told[] = [];
  for await (const { id, data } of stream.events) {
    if (data !== undefined && keys.some((key) => key in data)) found.push({ id, data });
    if (found.length === count) break;
  }
  return found;
}

/** The missions that the stream tells, by name. */
const shown = ({ progress }: Json) =>
  Object.fromEntries(
    (progress?.missions ?? []).map(({ missionId, progress: value, target, completed }: Json) => [
      missionId === missions.once ? 'once' : 'again',
      `${value}/${target}${completed === true ? ' done' : ''}`,
    ]),
  );

describe('a stream', () => {
  test('tells the progress of its account as events are counted, and none of another', async () => {
    const [own, other] = [await newAccount(), await newAccount()];
    const stream = await open(own);
    const telling = told(stream, 3, ['opened', 'progress']);
    for (const amount of [2, 4]) {
      await send(other, 1);
      await send(own, amount);
    }
    const [first, ...progress] = await telling;
    expect(first!.data.opened).toEqual({ accountId: own, progress: true });
    expect(progress.map(({ data }) => shown(data))).toEqual([
      { once: '2/3', again: '2/5' },
      { once: '3/3 done', again: '5/5 done' },
    ]);
    stream.close();
  });

  test('tells events that were stored together at once, each mission as the last one left it', async () => {
    const own = await newAccount();
    const stream = await open(own);
    const telling = told(stream, 1, ['progress']);
    await post('/gamification/triggers/batch', { triggers: [eventOf(own, 3), eventOf(own, 1)] });
    const [last] = await telling;
    // The first event completed one of them.
    expect(shown(last!.data)).toEqual({ once: '3/3 done', again: '4/5' });
    stream.close();
  });

  test('tells what a reversal takes back', async () => {
    const own = await newAccount();
    const event = eventOf(own, 2);
    await post('/gamification/triggers', event);
    // The stream begins behind the event, once that has its number.
    await endOfFeed(service);
    const stream = await open(own);
    const telling = told(stream, 2);
    await post('/gamification/triggers/reversals', {
      ...{ triggerOperationId: event.operationId, programmaticCode: 'STEPS', amount: 1.5 },
    });
    expect(shown((await telling)[1]!.data)).toEqual({ once: '0.5/3', again: '0.5/5' });
    stream.close();
  });

  test('continues with the progress that came meanwhile, once, in its place among the changes', async () => {
    const own = await newAccount();
    const first = await open(own);
    const telling = told(first, 2);
    await send(own, 1);
    const id = (await telling)[1]!.id;
    first.close();
    await addPoints(service, own, 7);
    await send(own, 1);
    const again = await open(own, { after: id });
    const [, points, progress] = await told(again, 3);
    expect(points!.data.change.pointsChanged.entry.amount).toBe(7);
    expect(shown(progress!.data)).toEqual({ once: '2/3', again: '2/5' });
    again.close();
  });

  test('of some kinds has no progress unless it is asked for, and none without a wish for it', async () => {
    const own = await newAccount();
    const streams = await Promise.all(
      ['?kinds=POINTS_CHANGED', '?kinds=POINTS_CHANGED&progress=true', '?progress=false'].map((query) =>
        open(own, { query }),
      ),
    );
    const [some, asked, without] = streams.map((stream, index) => told(stream, index === 1 ? 3 : 2));
    await send(own, 1);
    await addPoints(service, own, 1);
    const have = async (telling: Promise<Told[]> | undefined) =>
      (await telling!).map(({ data }) => Object.keys(data).find((key) => key !== 'nextAfter'));
    expect(await have(some)).toEqual(['opened', 'change']);
    expect(await have(asked)).toEqual(['opened', 'progress', 'change']);
    expect(await have(without)).toEqual(['opened', 'change']);
    expect((await some!)[0]!.data.opened.progress).toBe(false);
    for (const stream of streams) stream.close();
  });

  test('passes over progress whose day of the journal is deleted', async () => {
    const own = await newAccount();
    const after = await endOfFeed(service);
    await send(own, 1);
    await endOfFeed(service);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('delete from journal_batch where client_id = $1', [uow.clientId]),
    );
    await send(own, 1);
    const stream = await open(own, { after });
    expect(shown((await told(stream, 2))[1]!.data)).toEqual({ once: '2/3', again: '2/5' });
    stream.close();
  });
});

test('the feed has no progress, and its readers go on behind it', async () => {
  const own = await newAccount();
  const after = await endOfFeed(service);
  await send(own, 1);
  await addPoints(service, own, 3);
  const { rows, nextAfter } = await changesAfter(service, after);
  expect(rows.map(({ type }) => type)).toEqual(['POINTS_CHANGED']);
  expect((await changesAfter(service, nextAfter)).rows).toEqual([]);
});

test('without a journal a stream says that it has no progress', async () => {
  const bare = await startService({ journal: false });
  try {
    await switchOn(bare);
    const { id } = await ok(bare.rest('POST', '/accounts', {}));
    const stream = await openStream(bare, bare.apiKey, id);
    expect((await told(stream, 1))[0]!.data.opened).toEqual({ accountId: id, progress: false });
    stream.close();
  } finally {
    await bare.close();
  }
});

test('whatever is sent and taken back, the last progress that was told is what the account has', async () => {
  const step = fc.record({ who: fc.nat(1), amount: fc.integer({ min: 1, max: 4 }), takenBack: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      const accounts = [await newAccount(), await newAccount()];
      const after = await endOfFeed(service);
      for (const { who, amount, takenBack } of steps) {
        const event = eventOf(accounts[who]!, amount);
        await post('/gamification/triggers', event);
        if (!takenBack) continue;
        const { operationId: triggerOperationId, programmaticCode } = event;
        await post('/gamification/triggers/reversals', { triggerOperationId, programmaticCode });
      }
      for (const [who, accountId] of accounts.entries()) {
        // The reader of the stream is told the last change of all, and has everything then.
        await addPoints(service, accountId, 1);
        const stream = await open(accountId, { after });
        const last = new Map<string, number>();
        const full = new Set<string>();
        for await (const { data } of stream.events) {
          for (const { missionId, progress, target } of data?.progress?.missions ?? []) {
            last.set(missionId, progress);
            // Behind a full round, the next one has begun.
            if (progress === target) full.add(missionId);
            else full.delete(missionId);
          }
          if (data?.change?.type === 'POINTS_CHANGED') break;
        }
        stream.close();
        const feed = await ok(service.rest('GET', `/v1/feed/account/${accountId}`));
        expect(new Set(last.keys())).toEqual(
          new Set(steps.some((each) => each.who === who) ? Object.values(missions) : []),
        );
        for (const { missionId, progress } of feed)
          if (last.has(missionId) && !full.has(missionId)) expect(progress).toBe(last.get(missionId));
      }
    }),
    { numRuns: 6, seed: 37 },
  );
});

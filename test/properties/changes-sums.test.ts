// A warehouse that reads nothing but the feed: its sums are the balances and stocks that the service answers.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeExpiredReservations } from '../../src/marketplace/reservations/close-expired-reservations.ts';
import { changesAfter, endOfFeed, switchOn } from '../operations/changes/feed.ts';
import { ok } from '../support/administration.ts';
import { newGame } from '../support/game.ts';
import { type RestAnswer, startService, type TestService } from '../support/service.ts';
import { settled } from '../support/settled.ts';
import { type FeedState, stateOf } from './feed-state.ts';

type Json = RestAnswer['body'];

/** Pieces that make a unit. */
const PIECES = 3;

let service: TestService;
let shirtId = '';
let posterId = '';
let mugId = '';
let offerId = '';

const post = (path: string, body: object = {}): Promise<Json> => ok(service.rest('POST', path, body));
const get = (path: string): Promise<Json> => ok(service.rest('GET', path));
const product = async (name: string, more: object): Promise<string> =>
  (await post('/admin/products', { name, stockMode: 'COUNTED', ...more })).id;

beforeAll(async () => {
  service = await startService();
  await switchOn(service);
  const path = `/admin/clients/${service.clientId}`;
  const { version, name, timeZone } = await get(path);
  await ok(service.rest('PUT', path, { version, name, timeZone, streaks: { freezesMax: 9, freezePrice: 1 } }));
  shirtId = await product('Shirt', { stock: 1 });
  posterId = await product('Poster', { stock: 1, fragmentsRequired: PIECES });
  mugId = await product('Mug', { stock: 30, pointsCost: 1 });
  const reward = async (body: object) => (await post('/admin/rewards', body)).id;
  const content = { rewardId: await reward({ name: 'Found', type: 'POINTS', amount: 2 }), weight: 1 };
  const { id: chestId } = await post('/admin/chests', { name: 'Box', entries: [content] });
  const rewardIds = [
    await reward({ name: 'A shirt', type: 'PRODUCTS', amount: 1, productId: shirtId, onReversal: 'CLAW_BACK' }),
    await reward({ name: 'Pieces', type: 'FRAGMENTS', amount: 2, productId: posterId }),
    await reward({ name: 'Points', type: 'POINTS', amount: 5 }),
    await reward({ name: 'A box', type: 'CHEST', amount: 1, chestId }),
  ];
  await newGame(service, {
    codes: { WIN: 'SINGLE' },
    missions: [{ programmaticCode: 'WIN', repeat: { max: 1_000 }, rewardIds }],
  });
  const offer = await post('/admin/publications', { name: 'Mugs', productId: mugId, stock: 20, pointsCost: 2 });
  offerId = offer.id;
  await post(`/marketplace/publications/${offerId}/publish`);
});
afterAll(() => service.close());

const KINDS = [
  'send',
  'send',
  'buy',
  'freeze',
  'freeze',
  'freeze',
  'unfreeze',
  'take',
  'restock',
  'cancel',
  'drop',
  'reverse',
  'expire',
  'open',
  'open',
  'grant',
  'protect',
] as const;
const move = fc.record({
  kind: fc.constantFrom(...KINDS),
  account: fc.nat({ max: 2 }),
  amount: fc.integer({ min: 1, max: 3 }),
});
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

/** Does one step. A refusal, for lack of units or points, is an answer as well. */
async function play({ kind, account, amount }: Move, accounts: readonly string[], sent: string[]): Promise<void> {
  const accountId = accounts[account]!;
  const own = { accountId, quantity: amount };
  const call = (path: string, body: object = own) => settled(() => service.rest('POST', path, body));
  const steps: Readonly<Record<Move['kind'], () => Promise<unknown>>> = {
    async send() {
      const operationId = `${accountId} ${sent.length} ${Math.random()}`;
      await call('/gamification/triggers', { programmaticCode: 'WIN', accountId, operationId });
      sent.push(operationId);
    },
    buy: () => call(`/loyalty/products/${mugId}/redeem`),
    freeze: () => call('/marketplace/publications/freeze', { publicationId: offerId, ...own }),
    unfreeze: () => call('/marketplace/publications/unfreeze', { publicationId: offerId, accountId }),
    take: () => call(`/marketplace/publications/redeem/${offerId}`),
    restock: () => post(`/admin/products/${amount === 1 ? posterId : shirtId}/stock`, { quantity: amount }),
    async cancel() {
      const bought = (await redemptionsOf(accountId)).filter(({ source }) =>
        ['LOYALTY', 'MARKETPLACE'].includes(source),
      );
      if (bought.length > 0) await call(`/admin/redemptions/${bought[0].id}/cancel`, { reason: 'test' });
    },
    async drop() {
      const { rows } = await get(
        `/admin/products/${amount === 1 ? posterId : shirtId}/pending-rewards/paginated?limit=1&page=1`,
      );
      if (rows.length > 0) await call(`/admin/earned-rewards/${rows[0].id}/cancel`, { reason: 'test' });
    },
    async reverse() {
      const [triggerOperationId] = sent.splice(amount % (sent.length || 1), 1);
      if (triggerOperationId !== undefined)
        await call('/gamification/triggers/reversals', { programmaticCode: 'WIN', triggerOperationId });
    },
    async open() {
      const [chest] = await closedChests(accountId);
      if (chest !== undefined) await call(`/gamification/chests/${chest.id}/open`, { accountId });
    },
    grant: () => call(`/admin/accounts/${accountId}/streak-freezes`, { count: amount, reason: 'test' }),
    protect: () => call(`/v1/accounts/${accountId}/streak-freezes`, {}),
    expire: () => closeExpiredReservations(service.db, service.clientId, new Date(Date.now() + 3_600_000)),
  };
  await steps[kind]();
}

const redemptionsOf = async (accountId: string): Promise<Json[]> => get(`/redemptions/${accountId}?idType=INTERNAL`);

const closedChests = async (accountId: string): Promise<Json[]> =>
  (await get(`/gamification/chests/account/${accountId}`)).filter(({ openedAt }: Json) => openedAt === undefined);

/** The same as the sums, as the service answers it. */
async function answered(accounts: readonly string[]) {
  const of = async (accountId: string) => {
    const [points, redemptions, reservations, rewards, fragments, chests, freezes] = await Promise.all([
      get(`/loyalty/accounts/${accountId}/points?idType=INTERNAL`),
      redemptionsOf(accountId),
      get(`/marketplace/reservations?accountId=${accountId}&idType=INTERNAL`),
      get(`/v1/gamification/missions/my-rewards/${accountId}?idType=INTERNAL`),
      get(`/gamification/fragments/account/${accountId}?idType=INTERNAL`),
      closedChests(accountId),
      get(`/v1/accounts/${accountId}/streak-freezes?idType=INTERNAL&limit=1`),
    ]);
    return {
      points: points.available,
      chests: chests.length,
      freezes: freezes.owned ?? 0,
      redemptions: entries(redemptions, ({ id, status }) => [id, status]),
      reserved: entries(reservations, ({ id, quantity }) => [id, quantity]),
      rewards: entries(rewards, ({ id, status }) => [id, status]),
      pieces: entries(fragments, ({ productId, pieces }) => [productId, pieces]),
    };
  };
  const stocks = await Promise.all(
    [shirtId, posterId, mugId].map(async (id) => [id, (await get(`/admin/products/${id}`)).stock]),
  );
  return { accounts: await Promise.all(accounts.map(of)), stocks: inOrder(stocks as [string, unknown][]) };
}

const entries = (rows: readonly Json[], pair: (row: Json) => [string, unknown]) => inOrder(rows.map(pair));

/** Pairs in the order of their ids. */
const inOrder = (pairs: readonly [string, unknown][]) => pairs.toSorted(([one], [other]) => (one < other ? -1 : 1));

function summed(state: FeedState, accounts: readonly string[]): Awaited<ReturnType<typeof answered>> {
  const sorted = (map: ReadonlyMap<string, unknown>) => inOrder([...map]);
  const of = (id: string) => {
    const { points, chests, freezes, redemptions, reserved, rewards, pieces } = state.account(id);
    const held = new Map([...pieces].filter(([, count]) => count !== 0));
    const maps = { redemptions, reserved, rewards, pieces: held };
    return {
      points,
      chests,
      freezes,
      ...Object.fromEntries(Object.entries(maps).map(([name, map]) => [name, sorted(map)])),
    };
  };
  return { accounts: accounts.map(of), stocks: sorted(state.stocks) } as Awaited<ReturnType<typeof answered>>;
}

test('the sums of a feed from its beginning are the balances and stocks of the service, and need each of its kinds', async () => {
  const needed = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 25, maxLength: 45 }), async (moves) => {
      const accounts: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const { id } = await post('/accounts');
        await post(`/admin/accounts/${id}/points/adjust`, { amount: 20, reason: 'test' });
        accounts.push(id);
      }
      const sent: string[] = [];
      // Steps of one account wait for each other; those of different accounts run at once.
      for (let at = 0; at < moves.length; at += 3) {
        const three = new Map(moves.slice(at, at + 3).map((each) => [each.account, each]));
        await Promise.all([...three.values()].map((each) => play(each, accounts, sent)));
      }
      await endOfFeed(service);
      const { rows } = await changesAfter(service, undefined, { limit: 1_000 });
      const truth = await answered(accounts);
      const sumOf = (some: readonly Json[]) =>
        summed(
          stateOf(some, () => PIECES),
          accounts,
        );
      expect(sumOf(rows)).toEqual(truth);
      for (const kind of new Set<string>(rows.map(({ type }) => type)))
        if (!equal(sumOf(rows.filter(({ type }) => type !== kind)), truth)) needed.add(kind);
    }),
    { numRuns: 6, seed: 37, endOnFailure: true },
  );
  expect([...needed].toSorted()).toEqual([
    'CHEST_OPENED',
    'PENDING_REWARD_SETTLED',
    'POINTS_CHANGED',
    'REDEMPTION_CHANGED',
    'RESERVATION_CHANGED',
    'REWARDS_REVERSED',
    'REWARD_EARNED',
    'STOCK_CHANGED',
    'STREAK_FREEZES_CHANGED',
  ]);
});

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

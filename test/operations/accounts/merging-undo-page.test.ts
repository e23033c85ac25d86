// docs/merging.md: each row of the table of undos is played through the service.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expirePoints } from '../../../src/loyalty/expire-points.ts';
import { startService, type TestService } from '../../support/service.ts';
import { newOffer } from '../marketplace/shop.ts';
import { newScene, rowsOf, type Scene } from './merging-scene.ts';
import { differences } from '../rewards/provision.ts';

const DAY = 86_400_000;

let service: TestService;
let ahead = 0;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(Date.now() + ahead) });
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

const NOBODY = '00000000-0000-7000-8000-000000000000';

/** The words of a cell, and the reason of the refusal that they stand for. */
const REASONS: Readonly<Record<string, RegExp>> = {
  'an event': /since then came an event\./,
  points: /since then came points\./,
  'a reward, a chest or a product': /since then came a (reward|chest|product)\./,
  'a closing or a membership': /since then came a (closing|membership)\./,
  'it paid. The dry run says so': /it paid rewards or combined pieces/,
  'undo that first': /undo that first/,
  'the time': /more than 30 days old/,
  'it is undone already': /it is undone already/,
};

/** Prepares the accounts, and returns the changes between the merge and its undo. */
type Play = (scene: Scene) => Promise<(mergeId: string) => Promise<unknown>>;

/** The plays of each row of undos. */
const undos: Readonly<Record<string, readonly Play[]>> = {
  'nothing; reads; events that counted for no mission; new texts of B': [
    async () => async () => {},
    async ({ b, points, progress }) =>
      async () => [await points(b), await progress(b)],
    async ({ b, code, ok, send }) => {
      await ok('POST', '/admin/event-definitions', { programmaticCode: code, type: 'SINGLE' });
      return () => send(b);
    },
    async ({ b, ok }) =>
      () =>
        ok('PATCH', `/accounts/${b}`, { name: 'New name' }),
  ],
  'an event that counted, or its reversal': [
    async ({ a, mission, send }) => {
      await mission(5);
      return () => send(a);
    },
    async ({ a, code, mission, ok, send }) => {
      await mission(5);
      await send(a, { operationId: code });
      const reversal = { programmaticCode: code, triggerOperationId: code };
      return () => ok('POST', '/gamification/triggers/reversals', reversal);
    },
  ],
  'points that were earned, spent, adjusted or expired': [
    async ({ b, adjust }) =>
      () =>
        adjust(b, 5, { earned: true }),
    async ({ a, adjust, ok, product }) => {
      const id = await product({ stockMode: 'UNLIMITED', stock: undefined, pointsCost: 2 });
      await adjust(a, 5);
      return () => ok('POST', `/loyalty/products/${id}/redeem`, { accountId: a });
    },
    async ({ b, adjust }) =>
      () =>
        adjust(b, 5),
    async ({ a, adjust }) => {
      await adjust(a, 5, { expiresInDays: 1 });
      return async () => {
        ahead = 2 * DAY;
        await expirePoints(service.db, service.clientId, new Date(Date.now() + ahead));
      };
    },
  ],
  'a reward, a chest or a product that came, went or was opened': [
    async ({ b, grant, product, reward }) => {
      const productId = await product({ stock: 3 });
      const mug = await reward({ type: 'PRODUCTS', productId });
      return () => grant(b, mug);
    },
    async ({ a, b, grant, ok, own, reward }) => {
      const inside = await reward({ type: 'POINTS' });
      const { id: chestId } = await ok('POST', '/admin/chests', chestOf(inside));
      await grant(a, await reward({ type: 'CHEST', chestId }));
      const [chest] = await own<{ id: string }>('select id from chest where client_id = $1 and account_id = $2', a);
      return () => ok('POST', `/admin/accounts/${b}/chests/${chest!.id}/open`, { reason: 'A scene' });
    },
    async ({ a, ok }) => {
      const publicationId = await newOffer(service);
      await ok('POST', '/marketplace/publications/freeze', { publicationId, accountId: a });
      return () => ok('POST', `/marketplace/publications/redeem/${publicationId}`, { accountId: a });
    },
    async ({ a, ok }) => {
      const { id } = await ok('POST', `/marketplace/publications/redeem/${await newOffer(service)}`, { accountId: a });
      return () => ok('POST', `/admin/redemptions/${id}/cancel`, { reason: 'A scene' });
    },
  ],
  'a campaign that was closed or claimed; an audience that was joined or left': [
    async ({ a, b, campaign, ok, send }) => {
      const id = await campaign();
      await send(a);
      return () => ok('POST', `/admin/accounts/${b}/campaigns/${id}/claim`, { reason: 'A scene' });
    },
    async ({ b, audience }) =>
      () =>
        audience([b]),
    async ({ a, audience, ok }) => {
      const id = await audience([a]);
      return () => ok('DELETE', `/gamification/audiences/${id}/accounts/remove`, { accountIds: [a] });
    },
  ],
  'the merge itself completed a mission or a campaign, or combined pieces': [
    async ({ a, b, mission, reward, send }) => {
      await mission(2, { rewardIds: [await reward({ type: 'POINTS' })] });
      for (const id of [a, b]) await send(id);
      return async () => {};
    },
    async ({ a, b, grant, product, reward }) => {
      const productId = await product({ stock: 3, fragmentsRequired: 2 });
      const piece = await reward({ type: 'FRAGMENTS', productId });
      for (const id of [a, b]) await grant(id, piece);
      return async () => {};
    },
  ],
  'another merge into B, or B was merged': [
    async ({ account, b, merge }) => {
      const other = await account('C');
      return () => merge({}, other, b);
    },
    async ({ account, b, merge }) => {
      const other = await account('C');
      return () => merge({}, b, other);
    },
  ],
  '30 days': [
    async () => async () => {
      ahead = 30 * DAY;
    },
  ],
  'an undo of it': [({ undo }) => Promise.resolve((mergeId: string) => undo(mergeId))],
  'B was deleted or erased': [
    async ({ b, ok }) =>
      () =>
        ok('DELETE', `/accounts/${b}`),
    async ({ b, ok }) =>
      () =>
        ok('POST', `/accounts/${b}/erase`, {}),
  ],
  '`mergeId` is no merge into this account': [],
  'a reservation that was made or has ended': [
    async ({ a, ok }) => {
      const publicationId = await newOffer(service);
      return () => ok('POST', '/marketplace/publications/freeze', { publicationId, accountId: a });
    },
    async ({ a, ok }) => {
      const publicationId = await newOffer(service);
      await ok('POST', '/marketplace/publications/freeze', { publicationId, accountId: a });
      return () => ok('POST', '/marketplace/publications/unfreeze', { publicationId, accountId: a });
    },
  ],
};

const chestOf = (rewardId: string) => ({
  name: 'A chest',
  entries: [{ rewardId, weight: 100, guaranteed: false }],
  totalWeight: 100,
});

describe('the table of undos', () => {
  const rows = rowsOf('Since the merge');
  test('has plays for each row', () => {
    expect(rows.map(([head]) => head)).toEqual(Object.keys(undos));
  });
  test.each(rows)('%s: %s', async (since, cell) => {
    if (undos[since]!.length === 0) {
      const { answer, b } = await newScene(service);
      expect(cell).toBe(await answer('POST', `/accounts/${b}/merges/${NOBODY}/undo`, {}));
    }
    for (const play of undos[since]!) {
      const scene = await newScene(service);
      const between = await play(scene);
      const rehearsed = await scene.merge({ dryRun: true });
      const { mergeId, undoable } = await scene.merge();
      expect(rehearsed.undoable).toBe(undoable);
      expect(undoable).toBe(!cell.includes('it paid'));
      await between(mergeId);
      const { status, body } = await scene.undo(mergeId);
      ahead = 0;
      if (cell.startsWith('200')) {
        expect([status, body.undoneAt]).toEqual([200, expect.any(String)]);
        expect((await scene.call('GET', `/accounts/${scene.a}`)).body).toMatchObject({ id: scene.a });
        continue;
      }
      const [refusal, words] = cell.split(': ');
      expect(`${status} \`${body.code}\``).toBe(refusal);
      if (words !== undefined) expect(body.message).toMatch(REASONS[words]!);
    }
  });
});

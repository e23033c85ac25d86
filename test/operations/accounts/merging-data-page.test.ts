// docs/merging.md: each row of the table of data is played: the merge, and its undo.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { newOffer } from '../marketplace/shop.ts';
import { differences } from '../rewards/provision.ts';
import { untilApplied, waitForAnHour } from '../triggers/inbox-fixture.ts';
import { type Json, newScene, rowsOf, type Scene } from './merging-scene.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

/** Prepares the data, and returns what B must have: after the merge, and after the undo; the latter undefined where the cell is empty. */
type Play = (scene: Scene) => Promise<{
  readonly merged: () => Promise<unknown>;
  readonly undone?: () => Promise<unknown>;
  /** How progress is combined; SUM by default. */
  readonly progress?: 'MAX' | 'SUM';
}>;

const rowCounts = async ({ a, b, rows }: Scene, table: string) => [await rows(table, a), await rows(table, b)];

/** Rows that move from A to B, and back. */
const moving =
  (table: string, make: (scene: Scene) => Promise<unknown>): Play =>
  async (scene) => {
    await make(scene);
    expect(await rowCounts(scene, table)).toEqual([1, 0]);
    return {
      merged: async () => expect(await rowCounts(scene, table)).toEqual([0, 1]),
      undone: async () => expect(await rowCounts(scene, table)).toEqual([1, 0]),
    };
  };

const typesOf = async ({ own }: Scene, accountId: string) =>
  (
    await own<{ type: string }>(
      'select type from point_entry where client_id = $1 and account_id = $2 order by created_at',
      accountId,
    )
  ).map(({ type }) => type);

/** Each row of the table, by its cells, so that a change of a cell is played as well. */
const plays: Readonly<Record<string, Play>> = {
  'points: available, spent, expired, earned, debt': async (scene) => {
    const { a, b, adjust, points } = scene;
    await adjust(a, 10, { earned: true });
    await adjust(a, -3);
    await adjust(b, 5);
    return {
      async merged() {
        expect(await points(b)).toMatchObject({ available: 12, lifetimeEarned: 10 });
        for (const id of [a, b]) expect((await typesOf(scene, id)).at(-1)).toBe('MERGE');
      },
      async undone() {
        expect(await points(a)).toMatchObject({ available: 7, lifetimeEarned: 10 });
        expect(await points(b)).toMatchObject({ available: 5, lifetimeEarned: 0 });
        for (const id of [a, b]) expect((await typesOf(scene, id)).slice(-2)).toEqual(['MERGE', 'MERGE']);
      },
    };
  },
  'lots of points that are left': async ({ a, b, adjust, points }) => {
    await adjust(a, 10, { expiresInDays: 5 });
    const { nextExpiration } = await points(a);
    return {
      merged: async () => expect(await points(b)).toMatchObject({ available: 10, nextExpiration }),
      async undone() {
        expect(await points(a)).toMatchObject({ available: 10, nextExpiration });
        expect((await points(b)).nextExpiration ?? null).toBeNull();
      },
    };
  },
  'lines of the history of points': async (scene) => {
    await scene.adjust(scene.a, 10);
    return {
      async merged() {
        expect(await typesOf(scene, scene.a)).toEqual(['ADJUST', 'MERGE']);
        expect(await typesOf(scene, scene.b)).toEqual(['MERGE']);
      },
    };
  },
  'earned rewards, delivered or waiting for stock': async (scene) => {
    const { a, b, account, grant, ok, own, product, reward } = scene;
    const productId = await product({});
    const mug = await reward({ type: 'PRODUCTS', productId });
    await grant(a, await reward({ type: 'POINTS' }));
    await grant(a, mug);
    const behind = await account('C');
    await grant(behind, mug);
    const waiting = async (id: string) =>
      (
        await own<{ status: string }>(
          `select status from earned_reward where client_id = $1 and account_id = $2 order by status`,
          id,
        )
      ).map(({ status }) => status);
    return {
      async merged() {
        expect(await waiting(b)).toEqual(['DELIVERED', 'PENDING_STOCK']);
        expect(await waiting(a)).toEqual([]);
        // B is first in the queue, as A was. After an undo A has its place again.
        if (!(await isLast(scene))) return;
        await ok('POST', `/admin/products/${productId}/stock`, { quantity: 1 });
        await expect.poll(() => waiting(b)).toEqual(['DELIVERED', 'DELIVERED']);
        expect(await waiting(behind)).toEqual(['PENDING_STOCK']);
      },
      undone: async () => expect(await waiting(a)).toEqual(['DELIVERED', 'PENDING_STOCK']),
    };
  },
  'badges that both have': async ({ a, b, grant, ok, reward }) => {
    const badge = await reward({ type: 'BADGE' });
    await grant(a, badge);
    await grant(b, badge);
    const badgesOf = async (id: string) => {
      const { rows } = await ok('GET', `/v1/accounts/${id}/badges`);
      return (rows as Json[]).filter(({ rewardId, earnedAt }) => rewardId === badge && earnedAt !== undefined);
    };
    const [[first], [second]] = [await badgesOf(a), await badgesOf(b)];
    return {
      merged: async () => expect(await badgesOf(b)).toMatchObject([{ earnedAt: first!.earnedAt }]),
      async undone() {
        expect(await badgesOf(a)).toMatchObject([{ earnedAt: first!.earnedAt }]);
        expect(await badgesOf(b)).toMatchObject([{ earnedAt: second!.earnedAt }]);
      },
    };
  },
  pieces: async ({ a, b, grant, own, product, reward }) => {
    const piece = await reward({ type: 'FRAGMENTS', productId: await product({ stock: 5, fragmentsRequired: 3 }) });
    for (const id of [a, b]) await grant(id, piece);
    const piecesOf = async (id: string) =>
      (
        await own<{ pieces: number }>(
          'select pieces from fragment_balance where client_id = $1 and account_id = $2',
          id,
        )
      )[0]?.pieces ?? 0;
    return {
      merged: async () => expect(await piecesOf(b)).toBe(2),
      undone: async () => expect([await piecesOf(a), await piecesOf(b)]).toEqual([1, 1]),
    };
  },
  'chests, redemptions with their codes': async (scene) => {
    const { a, grant, ok, reward } = scene;
    const entries = [{ rewardId: await reward({ type: 'POINTS' }), weight: 100, guaranteed: false }];
    const { id: chestId } = await ok('POST', '/admin/chests', { name: 'A chest', entries, totalWeight: 100 });
    const chests = moving('chest', async () => grant(a, await reward({ type: 'CHEST', chestId })));
    const bought = moving('redemption', async () =>
      ok('POST', `/marketplace/publications/redeem/${await newOffer(service)}`, { accountId: a }),
    );
    const [first, second] = [await chests(scene), await bought(scene)];
    return {
      merged: () => Promise.all([first.merged(), second.merged()]),
      undone: () => Promise.all([first.undone!(), second.undone!()]),
    };
  },
  reservations: moving('reservation', async ({ a, ok }) => {
    await ok('POST', '/marketplace/publications/freeze', { publicationId: await newOffer(service), accountId: a });
  }),
  'progress in missions': async (scene) => {
    const { a, b, mission, progress, send } = scene;
    await mission(10);
    for (const id of [a, a, b]) await send(id);
    return {
      merged: async () => expect(await progress(b)).toBe(3),
      undone: async () => expect([await progress(a), await progress(b)]).toEqual([2, 1]),
    };
  },
  'completed and claimed campaigns': async (scene) => {
    const { a, b, campaign, ok, send } = scene;
    const id = await campaign();
    await send(b);
    await send(a);
    await ok('POST', `/admin/accounts/${a}/campaigns/${id}/claim`, { reason: 'A scene' });
    const closedOf = async (account: string) => {
      const { body } = await scene.call('POST', `/admin/accounts/${account}/campaigns/${id}/claim`, {
        reason: 'Again',
      });
      return body.code as string | undefined;
    };
    return {
      progress: 'MAX',
      // Claimed by one is claimed.
      merged: async () => expect(await closedOf(b)).toMatch(/CLAIM/),
      undone: async () => expect(await scene.rows('campaign_completion', a)).toBe(1),
    };
  },
  'audiences, and memberships that have ended': async (scene) => {
    const { a, b, audience, ok, own } = scene;
    const both = await audience([a]);
    await ok('POST', `/gamification/audiences/${both}/accounts/assign`, { accountIds: [b] });
    const left = await audience([a]);
    await ok('DELETE', `/gamification/audiences/${left}/accounts/remove`, { accountIds: [a] });
    const sinceOf = async (id: string) =>
      (
        await own<{ joinedAt: Date }>(
          'select joined_at as "joinedAt" from audience_member where client_id = $1 and account_id = $2',
          id,
        )
      ).map(({ joinedAt }) => joinedAt.getTime());
    const [[first], [second]] = [await sinceOf(a), await sinceOf(b)];
    expect(await rowCounts(scene, 'former_membership')).toEqual([1, 0]);
    return {
      async merged() {
        expect([await sinceOf(a), await sinceOf(b)]).toEqual([[], [first]]);
        expect(await rowCounts(scene, 'former_membership')).toEqual([0, 1]);
      },
      async undone() {
        expect([await sinceOf(a), await sinceOf(b)]).toEqual([[first], [second]]);
        expect(await rowCounts(scene, 'former_membership')).toEqual([1, 0]);
      },
    };
  },
  'waiting events, by an id of A': async (scene) => {
    const { a, b, code, mission, own, progress, send } = scene;
    await mission(10);
    await send(b);
    const event = {
      programmaticCode: code,
      accountId: a,
      idType: 'INTERNAL',
      metadata: null,
      operationId: code,
    } as const;
    const apply = async () => {
      await own('update trigger_inbox set not_before = null where client_id = $1');
      await untilApplied(service, 30_000);
    };
    await waitForAnHour(service, event);
    return {
      async merged() {
        if (!(await isLast(scene))) return;
        await apply();
        // One of A, one of B, and the one that waited.
        expect(await progress(b)).toBe(3);
      },
      async undone() {
        await apply();
        expect([await progress(a), await progress(b)]).toEqual([1, 1]);
        await waitForAnHour(service, { ...event, operationId: `${code} again` });
      },
    };
  },
  'journal and timeline': async ({ a, b, mission, ok, send }) => {
    await mission(10);
    await send(a);
    await send(b);
    return {
      async merged() {
        const { rows } = await ok('GET', `/admin/journal?accountId=${b}&limit=10`);
        expect((rows as Json[]).map(({ accountId }) => accountId)).toEqual([b, a]);
        const { rows: happened } = await ok('GET', `/admin/accounts/${b}/timeline?limit=50`);
        expect((happened as Json[]).filter(({ kind }) => kind === 'EVENT')).toHaveLength(2);
      },
    };
  },
  'audit log, stored answers': async ({ a, adjust, b, code, mission, ok, send }) => {
    const adjusted = await adjust(a, 1);
    await mission(10);
    await send(a, { operationId: code });
    return {
      async merged() {
        const exported = await ok('GET', `/admin/accounts/${b}/export.json`);
        expect((exported['operations'] as Json[]).map(({ id }) => id)).toContain(code);
        expect(JSON.stringify(exported['auditEntries'])).toContain(adjusted.id);
      },
    };
  },
  'events in the journal of A': async (scene) => {
    const { a, b, code, mission, ok, progress, send } = scene;
    await mission(10);
    await send(a, { operationId: `${code} 1` });
    await send(a, { operationId: `${code} 2` });
    const takeBack = (number: number) =>
      ok('POST', '/gamification/triggers/reversals', {
        ...{ programmaticCode: code, triggerOperationId: `${code} ${number}` },
      });
    return {
      async merged() {
        if (!(await isLast(scene))) return;
        expect(await takeBack(1)).toMatchObject({ accountId: b });
        expect(await progress(b)).toBe(0);
      },
      async undone() {
        expect(await takeBack(2)).toMatchObject({ accountId: a });
        expect(await progress(a)).toBe(1);
      },
    };
  },
};

/** Whether the first merge of the scene was undone: the second one is played to its end. */
async function isLast({ a, own }: Scene): Promise<boolean> {
  const rows = await own('select id from account_merge where client_id = $1 and account_id = $2', a);
  return rows.length === 2;
}

const rows = rowsOf('Data of A');

test('the table has a play for each row', () => {
  expect(rows.map(([data]) => data)).toEqual(Object.keys(plays));
});

test.each(rows)('%s: %s; undo: %s', async (data, _merge, undo) => {
  const scene = await newScene(service);
  const { merged, undone, progress = 'SUM' } = await plays[data]!(scene);
  expect(undone !== undefined, 'the undo is played if the page has it').toBe(undo !== '');
  const { mergeId, undoable } = await scene.merge({ progress });
  await merged();
  if (undone === undefined) return;
  expect(undoable).toBe(true);
  expect((await scene.undo(mergeId)).status).toBe(200);
  await undone();
  // The second merge has the same effect.
  await scene.merge({ progress });
  await merged();
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Rest, RestAnswer } from '../../support/service.ts';
import { randomNumbers } from '../bounds.ts';

/** A flash sale: many concurrent buyers of one product, most of them of one publication. */
export type SaleLoad = {
  /** Successful purchases. */
  readonly bought: number;
  /** Attempts that failed temporarily and were repeated. */
  readonly repeated: number;
  /** Resolves after `count` more calls have been answered. */
  progress(count: number): Promise<void>;
  /** Lets all buyers finish, and compares their answers with the stored data. */
  stopAndCheck(): Promise<void>;
};

export type SaleOptions = {
  /** Creates the sale, and reads its result. */
  readonly rest: Rest;
  /** Called before each attempt, so that a restarted service is found and several are used. */
  readonly next: () => Rest;
  readonly seed: number;
};

const BUYERS = 24;
const POINTS = 100_000;
const UNITS = 1_000_000;

/** Retryable answers according to the guide; `fetch` itself throws if no process listens. */
const REPEATABLE = new Set([409, 500, 502, 503, 504]);

/** The final answers. */
const FINAL = new Set(['OUT_OF_STOCK', 'INSUFFICIENT_POINTS', 'PUBLICATION_NOT_PUBLISHED']);

/** Starts the sale. Every fifth call is from an unknown account, and must not make other calls fail. */
export async function startSale({ rest, next, seed }: SaleOptions): Promise<SaleLoad> {
  const done = async (path: string, body?: object): Promise<RestAnswer['body']> => {
    const answer = await rest('POST', path, body);
    expect(answer, path).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
    return answer.body;
  };
  const product = { name: `Sale ${seed}`, stockMode: 'COUNTED', stock: UNITS, pointsCost: 2 };
  const { id: productId } = await done('/admin/products', product);
  const publicationIds: string[] = [];
  for (const pointsCost of [1, 3]) {
    const offer = { productId, name: `Offer for ${pointsCost}`, stock: UNITS / 4, pointsCost };
    const { id } = await done('/admin/publications', offer);
    await done(`/marketplace/publications/${id}/publish`);
    publicationIds.push(id);
  }
  for (let buyer = 0; buyer < BUYERS; buyer += 1) {
    await done('/accounts/resolve', { externalId: `buyer ${buyer}` });
    const gift = { idType: 'EXTERNAL', amount: POINTS, reason: 'To begin with.' };
    await done(`/admin/accounts/${encodeURIComponent(`buyer ${buyer}`)}/points/adjust`, gift);
  }

  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  const receipts = new Map<string, { buyer: string; quantity: number; points: number; what: string }>();
  let repeated = 0;

  /** Repeats a call until its answer is final. */
  async function settled(path: string, body: object): Promise<RestAnswer> {
    for (;;) {
      const answer = await next()('POST', path, body).catch(() => undefined);
      if (answer !== undefined && (!REPEATABLE.has(answer.status) || FINAL.has(answer.body?.code))) return answer;
      repeated += 1;
      await sleep(10);
    }
  }

  async function shop(index: number): Promise<void> {
    const random = randomNumbers(seed * 1_000 + index);
    const oneOf = (count: number) => Math.floor(random() * count);
    const buyer = `buyer ${index}`;
    for (let call = 0; !stopping.signal.aborted; call += 1) {
      const publicationId = publicationIds[oneOf(8) === 0 ? 1 : 0]!;
      const operationId = `sale-${seed}-${index}-${call}`;
      const own = { accountId: buyer, idType: 'EXTERNAL', operationId, quantity: 1 + oneOf(2) };
      const kind = oneOf(10);
      if (kind === 0) {
        const held = { ...own, publicationId, ttlSeconds: 600 };
        expect((await settled('/marketplace/publications/freeze', held)).status).toBe(200);
      } else if (kind === 1) {
        const given = { accountId: buyer, idType: 'EXTERNAL', publicationId };
        expect((await settled('/marketplace/publications/unfreeze', given)).status).toBe(200);
      } else if (kind < 4) {
        const path = `/marketplace/publications/redeem/${publicationId}`;
        expect((await settled(path, { ...own, accountId: 'nobody' })).body.code).toBe('ACCOUNT_NOT_FOUND');
      } else {
        const what = kind < 6 ? productId : publicationId;
        const path =
          what === productId ? `/loyalty/products/${what}/redeem` : `/marketplace/publications/redeem/${what}`;
        const { status, body } = await settled(path, own);
        expect([status, body.code]).toEqual([200, undefined]);
        expect(receipts.has(body.id)).toBe(false);
        receipts.set(body.id, { buyer, quantity: body.quantity, points: body.pointsSpent, what });
      }
      for (const listener of listeners) listener();
    }
  }

  const everybody = Promise.all(Array.from({ length: BUYERS }, (_, index) => shop(index)));
  everybody.catch(() => {});

  return {
    get bought() {
      return receipts.size;
    },
    get repeated() {
      return repeated;
    },
    async progress(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      let left = count;
      const listener = () => {
        left -= 1;
        if (left === 0) resolve();
      };
      listeners.add(listener);
      await Promise.race([promise, everybody]);
      listeners.delete(listener);
    },
    async stopAndCheck() {
      stopping.abort();
      await everybody;
      const all = [...receipts.values()];
      const sum = (of: readonly { quantity: number }[]) => of.reduce((units, { quantity }) => units + quantity, 0);
      const { body: left } = await rest('GET', `/admin/products/${productId}`);
      expect(UNITS - left.stock).toBe(sum(all));
      for (const id of publicationIds) {
        const { body } = await rest('GET', `/marketplace/publications/${id}`);
        expect(UNITS / 4 - body.stock).toBe(sum(all.filter(({ what }) => what === id)));
      }
      for (let index = 0; index < BUYERS; index += 1) {
        const buyer = `buyer ${index}`;
        const own = [...receipts].filter(([, receipt]) => receipt.buyer === buyer);
        const path = encodeURIComponent(buyer);
        const { body: stored } = await rest('GET', `/redemptions/${path}?idType=EXTERNAL`);
        const ids = stored.map(({ id }: { id: string }) => id);
        expect(ids.toSorted()).toEqual(own.map(([id]) => id).toSorted());
        const spent = own.reduce((points, [, receipt]) => points + receipt.points, 0);
        const { body: balance } = await rest('GET', `/loyalty/accounts/${path}/points?idType=EXTERNAL`);
        expect(balance).toMatchObject({ available: POINTS - spent, spent });
      }
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Rest, RestAnswer } from '../../support/service.ts';
import { randomNumbers } from '../bounds.ts';

/** A successful purchase. */
type Purchase = { readonly operationId: string; readonly buyer: string; readonly redemption: Redemption };
type Redemption = { readonly id: string; readonly quantity: number; readonly redeemables: Array<{ code: string }> };

/** Customers of a small shop who want more units than exist, while it is restocked again and again. */
export type ShopLoad = {
  /** Lets all customers finish, and compares their answers with the stored data. */
  stopAndCheck(): Promise<void>;
};

export type ShopLoadOptions = {
  /** The processes of the service. Each call with an operation id goes to all of them at once. */
  readonly processes: readonly Rest[];
  /** The product that is restocked with codes. */
  readonly couponId: string;
  readonly seed: number;
};

const BUYERS = ['ann', 'ben', 'cem', 'dia'];
const POINTS = 60;

/** The allowed answers to competing customers. */
const REFUSALS = ['OUT_OF_STOCK', 'INSUFFICIENT_POINTS', 'PUBLICATION_NOT_PUBLISHED', 'OPERATION_IN_PROGRESS'];

/** Creates the shop and starts the customers. */
export async function startShopLoad({ processes, couponId, seed }: ShopLoadOptions): Promise<ShopLoad> {
  const [rest] = processes as [Rest];
  const stopping = new AbortController();
  const purchases: Purchase[] = [];
  const { productId, publicationId } = await openShop(rest);

  /** Sends the same call to every process at once: at most one takes effect, and all answers are equal. */
  async function everywhere(path: string, body: object): Promise<RestAnswer> {
    for (;;) {
      const answers = await Promise.all(processes.map((process) => process('POST', path, body)));
      const [first, ...others] = answers.filter(({ status }) => status === 200);
      for (const other of others) expect(other.body).toEqual(first!.body);
      if (first) return first;
      for (const { status, body } of answers) expect([status, body.code]).toEqual([409, expect.toBeOneOf(REFUSALS)]);
      const final = answers.find(({ body }) => body.code !== 'OPERATION_IN_PROGRESS');
      if (final) return final;
      await sleep(10);
    }
  }

  async function shop(customer: number): Promise<void> {
    const random = randomNumbers(seed * 1_000 + customer);
    const oneOf = (count: number) => Math.floor(random() * count);
    for (let call = 0; !stopping.signal.aborted; call += 1) {
      const buyer = BUYERS[oneOf(BUYERS.length)]!;
      const operationId = `shop-${seed}-${customer}-${call}`;
      const own = { accountId: buyer, idType: 'EXTERNAL', operationId, quantity: 1 + oneOf(2) };
      const what = oneOf(6);
      if (what === 0) await everywhere('/marketplace/publications/freeze', { ...own, publicationId, ttlSeconds: 1 });
      else if (what === 1)
        await rest('POST', '/marketplace/publications/unfreeze', { ...own, publicationId, quantity: undefined });
      else {
        const path =
          what < 4 ? `/marketplace/publications/redeem/${publicationId}` : `/loyalty/products/${productId}/redeem`;
        const { status, body } = await everywhere(path, own);
        if (status === 200) purchases.push({ operationId, buyer, redemption: body });
      }
    }
  }

  async function fillUp(): Promise<void> {
    for (let delivery = 0; !stopping.signal.aborted; delivery += 1) {
      const codes = [1, 2, 3].map((number) => `more-${delivery}-${number}`);
      for (const id of [productId, couponId]) await done(rest, `/admin/products/${id}/codes`, { codes });
      // Refused if another customer has bought the codes for points in the meantime.
      const more = await rest('POST', `/admin/publications/${publicationId}/stock`, { quantity: 3 });
      expect([undefined, 'UNITS_NOT_FREE']).toContain(more.body.code);
      // Refused if another customer was faster and the stock is empty.
      await rest('POST', `/marketplace/publications/${publicationId}/publish`);
      await sleep(50);
    }
  }

  const everybody = Promise.all([fillUp(), ...[1, 2, 3, 4].map(shop)]);
  everybody.catch(() => {});

  return {
    async stopAndCheck() {
      stopping.abort();
      await everybody;
      expect(purchases.length).toBeGreaterThan(0);
      const codes = purchases.flatMap(({ redemption }) => redemption.redeemables.map(({ code }) => code));
      expect(new Set(codes).size).toBe(codes.length);
      for (const buyer of BUYERS) {
        const own = purchases.filter((purchase) => purchase.buyer === buyer).map(({ redemption }) => redemption);
        const { body } = await rest('GET', `/redemptions/${buyer}?idType=EXTERNAL`);
        const ids = (list: readonly Redemption[]) => list.map(({ id }) => id).toSorted();
        expect(ids(body)).toEqual(ids(own));
        const spent = own.reduce((sum, { quantity }) => sum + quantity, 0);
        const points = await rest('GET', `/loyalty/accounts/${buyer}/points?idType=EXTERNAL`);
        expect(points.body).toMatchObject({ available: POINTS - spent, spent });
      }
    },
  };
}

/** A product that costs a point, also through a publication, and buyers with some points. */
async function openShop(rest: Rest) {
  const product = { name: 'Voucher', stockMode: 'CODES', pointsCost: 1 };
  const { id: productId } = await done(rest, '/admin/products', product);
  await done(rest, `/admin/products/${productId}/codes`, { codes: ['the-first'] });
  const offer = { productId, name: 'Offer', stock: 1, pointsCost: 1 };
  const { id: publicationId } = await done(rest, '/admin/publications', offer);
  await done(rest, `/marketplace/publications/${publicationId}/publish`);
  for (const buyer of BUYERS) {
    await done(rest, '/accounts/resolve', { externalId: buyer });
    const gift = { idType: 'EXTERNAL', amount: POINTS, reason: 'To begin with.' };
    await done(rest, `/admin/accounts/${buyer}/points/adjust`, gift);
  }
  return { productId, publicationId };
}

async function done(rest: Rest, path: string, body?: object): Promise<RestAnswer['body']> {
  const answer = await rest('POST', path, body);
  expect(answer, path).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
  return answer.body;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Database } from '../../../src/persistence/database.ts';
import type { Rest, RestAnswer, Tenant } from '../../support/service.ts';
import { randomNumbers } from '../bounds.ts';
import { callOnce, isDecided, persistentCaller } from './persistent-callers.ts';

/** A purchase as answered to its buyer. */
type Purchase = { readonly id: string; readonly quantity: number; readonly codes: readonly string[] };

/** Buyers at several hosts, of a scarce product: each unit has a code, and the stock is often empty. */
export type HostShop = {
  readonly counts: { readonly bought: number; readonly reserved: number; readonly refused: number };
  /** Lets all buyers finish, and compares their answers with the stored data. */
  stopAndCheck(rest: Rest, db: Database): Promise<void>;
};

export type HostShopOptions = {
  readonly rest: Rest;
  readonly tenant: Tenant;
  readonly hosts: () => readonly string[];
  readonly seed: number;
  readonly stopping: AbortSignal;
};

const BUYERS = [0, 1, 2].map((index) => `buyer-${index}`);

/** Points of each buyer; a unit costs one. */
const POINTS = 1_000_000;

/** Units that each restock adds to an empty shop. */
const DELIVERY = 20;

/** The seconds of a reservation: longer than any fault. */
const HELD = 3_600;

const OUT = ['OUT_OF_STOCK', 'PUBLICATION_NOT_PUBLISHED'];

/** Opens the shop, and runs the buyers until they are stopped. */
export async function startHostShop({ rest, tenant, hosts, seed, stopping }: HostShopOptions): Promise<HostShop> {
  const { productId, publicationId } = await openShop(rest);
  const purchases = new Map(BUYERS.map((buyer) => [buyer, [] as Purchase[]]));
  const codes = new Set(codesOf(0));
  let [reserved, refused] = [0, 0];
  // Answered deliveries, and those with an unknown result.
  let [delivered, doubtful] = [1, 0];

  async function buy(buyer: string, index: number): Promise<void> {
    const call = persistentCaller(hosts, tenant.apiKey, seed * 1_000 + 100 + index);
    const random = randomNumbers(seed * 1_000 + 200 + index);
    const redeem = (own: object) => call(`/marketplace/publications/redeem/${publicationId}`, own);
    const bought = ({ body }: RestAnswer) => {
      const list = body.redeemables.map(({ code }: { code: string }) => code);
      purchases.get(buyer)!.push({ id: body.id, quantity: body.quantity, codes: list });
    };
    for (let round = 0; !stopping.aborted; round += 1) {
      const own = { accountId: buyer, idType: 'EXTERNAL', operationId: `${buyer}-${round}` };
      const quantity = 1 + Math.floor(2 * random());
      const [first, changesMind] = [random() < 0.5 ? 'redeem' : 'freeze', random() < 0.3];
      const answer =
        first === 'redeem'
          ? await redeem({ ...own, quantity })
          : await call('/marketplace/publications/freeze', { ...own, publicationId, quantity, ttlSeconds: HELD });
      if (answer.status !== 200) {
        expect([answer.status, answer.body.code]).toEqual([409, expect.toBeOneOf(OUT)]);
        refused += 1;
      } else if (first === 'redeem') {
        expect(answer.body.quantity).toBe(quantity);
        bought(answer);
      } else if (changesMind) {
        const regret = { ...own, operationId: undefined, publicationId, reservationId: answer.body.id };
        expect(await call('/marketplace/publications/unfreeze', regret)).toMatchObject({ status: 200 });
      } else {
        // Reserved units belong to the buyer, whatever happens to the others in the meantime.
        const redeemed = await redeem({ ...own, operationId: `${own.operationId}-held` });
        expect(redeemed, JSON.stringify(redeemed.body)).toMatchObject({ status: 200, body: { quantity } });
        reserved += 1;
        bought(redeemed);
      }
    }
  }

  /** A single supplier, so that the delivered codes are known, except for calls that cannot be repeated and had no answer. */
  async function supply(): Promise<void> {
    const call = persistentCaller(hosts, tenant.adminToken, seed);
    const random = randomNumbers(seed * 1_000 + 300);
    const path = `/admin/publications/${publicationId}`;
    const once = (method: string, to: string, body?: object) =>
      callOnce(method, hosts()[Math.floor(random() * hosts().length)]! + to, tenant.adminToken, body);
    while (!stopping.aborted) {
      const { status, body } = await once('GET', path);
      const isEmpty = status === 200 && body.availableStock === 0;
      // A paused publication stays paused if a reservation is released, or if a doubtful delivery turns out to be done.
      if (!isEmpty && (status !== 200 || body.status === 'PUBLISHED')) await sleep(20);
      if (isEmpty) await deliver();
      // Refused if no units were delivered, or another buyer was faster.
      if (isEmpty || body?.status === 'DRAFT') await call(`/marketplace/publications/${publicationId}/publish`, {});
    }

    async function deliver(): Promise<void> {
      // The maximum number of sold units: a doubtful delivery may be done.
      const more = codesOf(delivered + doubtful);
      expect(await call(`/admin/products/${productId}/codes`, { codes: more })).toMatchObject({ status: 200 });
      for (const code of more) codes.add(code);
      const answer = await once('POST', `${path}/stock`, { quantity: DELIVERY });
      if (isDecided(answer)) expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
      if (answer.status === 200) delivered += 1;
      else doubtful += 1;
    }
  }

  const everybody = Promise.all([...BUYERS.map(buy), supply()]);
  // The caller of `stop` gets the error.
  everybody.catch(() => {});
  const unitsOf = (list: readonly Purchase[]) => list.reduce((sum, { quantity }) => sum + quantity, 0);

  return {
    get counts() {
      return { bought: purchases.values().reduce((sum, { length }) => sum + length, 0), reserved, refused };
    },
    async stopAndCheck(reader, db) {
      await everybody;
      const all = [...purchases.values()].flat();
      expect(all.length).toBeGreaterThan(0);
      const sold = all.flatMap((purchase) => purchase.codes);
      expect(sold).toHaveLength(unitsOf(all));
      expect(new Set(sold).size).toBe(sold.length);
      expect(sold.filter((code) => !codes.has(code))).toEqual([]);
      for (const [buyer, bought] of purchases) {
        const points = await reader('GET', `/loyalty/accounts/${buyer}/points?idType=EXTERNAL`);
        expect(points.body, buyer).toMatchObject({ available: POINTS - unitsOf(bought), spent: unitsOf(bought) });
        const ids = bought.map(({ id }) => id).toSorted();
        expect(await redemptionsOf(db, tenant.clientId, buyer), buyer).toEqual(ids);
      }
      const product = await reader('GET', `/admin/products/${productId}`);
      expect(product.body.stock).toBe(codes.size - sold.length);
      const held = await reader('GET', `/marketplace/reservations?publicationId=${publicationId}`);
      expect(held.body).toEqual([]);
      const { body } = await reader('GET', `/admin/publications/${publicationId}`);
      const units = body.availableStock + sold.length;
      console.log(
        `The shop got ${delivered} deliveries, and ${units / DELIVERY - delivered} of ${doubtful} doubtful ones.`,
      );
      expect(units % DELIVERY).toBe(0);
      expect(units / DELIVERY).toBeGreaterThanOrEqual(delivered);
      expect(units / DELIVERY).toBeLessThanOrEqual(delivered + doubtful);
    },
  };
}

function codesOf(delivery: number): string[] {
  return Array.from({ length: DELIVERY }, (_, index) => `unit-${delivery}-${index}`);
}

/** A read from the database, because the whole list of a buyer's purchases takes long to read. */
async function redemptionsOf(db: Database, clientId: string, externalId: string): Promise<string[]> {
  const rows = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ id: string }>(
      `select r.id from redemption r join account a on a.id = r.account_id where a.external_id = $1 order by r.id`,
      [externalId],
    ),
  );
  return rows.map(({ id }) => id);
}

async function openShop(rest: Rest): Promise<{ productId: string; publicationId: string }> {
  const done = async (path: string, body?: object) => {
    const answer = await rest('POST', path, body);
    expect(answer, path).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
    return answer.body;
  };
  const { id: productId } = await done('/admin/products', { name: 'Voucher', stockMode: 'CODES' });
  await done(`/admin/products/${productId}/codes`, { codes: codesOf(0) });
  const offer = { productId, name: 'Offer', stock: DELIVERY, pointsCost: 1 };
  const { id: publicationId } = await done('/admin/publications', offer);
  await done(`/marketplace/publications/${publicationId}/publish`);
  for (const buyer of BUYERS) {
    await done('/accounts/resolve', { externalId: buyer });
    const gift = { idType: 'EXTERNAL', amount: POINTS, reason: 'To begin with.' };
    await done(`/admin/accounts/${buyer}/points/adjust`, gift);
  }
  return { productId, publicationId };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Database } from '../../src/persistence/database.ts';
import { newGame } from '../support/game.ts';
import type { Rest, Tenant } from '../support/service.ts';
import { persistentCaller } from './persistent-callers.ts';

/** Customers of several hosts, who repeat what was not decided: asynchronous events, and purchases of what is scarce. */
export type HostLoad = {
  /** Lets everybody finish, and holds what they were told against what is stored. */
  stopAndCheck(rest: Rest, db: Database): Promise<void>;
  readonly counts: { readonly accepted: number; readonly bought: number; readonly refused: number };
};

export type HostLoadOptions = {
  readonly rest: Rest;
  readonly tenant: Tenant;
  readonly hosts: () => readonly string[];
  readonly seed: number;
};

/** Points of each buyer, of whom a purchase takes one. */
const POINTS = 1_000_000;

/** Units that the shop gets each time that it has run out. */
const DELIVERY = 20;

/** Sets a mission and a shop up and lets the customers in. */
export async function startHostLoad({ rest, tenant, hosts, seed }: HostLoadOptions): Promise<HostLoad> {
  const shop = await openShop(rest);
  const later = await newGame(
    { rest, ...tenant },
    { codes: { LATER: 'SINGLE' }, missions: [{ programmaticCode: 'LATER', target: 1_000_000_000 }] },
  );
  const stopping = new AbortController();
  const accepted = new Map<string, number>();
  const bought = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by);
  const call = (from: number) => persistentCaller(hosts, tenant.apiKey, seed * 1_000 + from);
  let delivered = DELIVERY;
  let refused = 0;

  async function again(act: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !stopping.signal.aborted; round += 1) await act(round);
  }

  function sender(name: string, post = call(name.length)) {
    return again(async (round) => {
      const event = { programmaticCode: 'LATER', accountId: name, idType: 'EXTERNAL', operationId: `${name}-${round}` };
      expect(await post('/gamification/triggers/async', event)).toMatchObject({ status: 200 });
      count(accepted, name);
    });
  }

  function buyer(index: number, post = call(100 + index)) {
    return again(async (round) => {
      const own = { accountId: `buyer-${index}`, idType: 'EXTERNAL', operationId: `buyer-${index}-${round}` };
      const answer = await post(`/marketplace/publications/redeem/${shop.publicationId}`, own);
      if (answer.status === 200) return void count(bought, own.accountId);
      expect([answer.status, answer.body.code]).toEqual([
        409,
        expect.toBeOneOf(['OUT_OF_STOCK', 'PUBLICATION_NOT_PUBLISHED']),
      ]);
      refused += 1;
    });
  }

  /** A single supplier, so that what was delivered is known. */
  function supplier(post = persistentCaller(hosts, tenant.adminToken, seed)) {
    return again(async () => {
      const path = `/admin/publications/${shop.publicationId}`;
      const publication = await rest('GET', path).catch(() => undefined);
      if (publication?.body?.availableStock !== 0) return sleep(50);
      // Not idempotent by an operation id: sent once, and counted by what the stock says afterwards.
      await post(`${path}/stock`, { quantity: DELIVERY });
      delivered += DELIVERY;
      await post(`/marketplace/publications/${shop.publicationId}/publish`, {});
    });
  }

  const everybody = Promise.all([
    ...[0, 1, 2].map((index) => sender(`later-${'x'.repeat(index + 1)}`)),
    ...[0, 1, 2].map((index) => buyer(index)),
    supplier(),
  ]);
  everybody.catch(() => stopping.abort());

  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0);
  return {
    get counts() {
      return { accepted: sum(accepted), bought: sum(bought), refused };
    },
    async stopAndCheck(reader, db) {
      stopping.abort();
      await everybody;
      for (const [name, events] of accepted) {
        const progress = async () => {
          const { body } = await reader('GET', `/v1/gamification/missions/progress/${name}?idType=EXTERNAL`);
          return body.find(({ missionId }: { missionId: string }) => missionId === later.missionIds[0])?.progress;
        };
        await expect.poll(progress, { timeout: 30_000 }).toBe(events);
      }
      for (const [name, units] of bought) {
        const points = await reader('GET', `/loyalty/accounts/${name}/points?idType=EXTERNAL`);
        expect(points.body, name).toMatchObject({ available: POINTS - units, spent: units });
        expect(await redemptionsOf(db, tenant.clientId, name)).toBe(units);
      }
      const { body } = await reader('GET', `/admin/publications/${shop.publicationId}`);
      // A delivery whose answer was lost may have been made twice: never fewer units than were counted.
      expect(body.availableStock + sum(bought)).toBeGreaterThanOrEqual(delivered);
      expect((body.availableStock + sum(bought)) % DELIVERY).toBe(0);
    },
  };
}

/** Counted in the database: the whole list of somebody who buys for minutes takes long to read. */
async function redemptionsOf(db: Database, clientId: string, externalId: string): Promise<number> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ count: number }>(
      `select count(*)::int as count from redemption r join account a on a.id = r.account_id where a.external_id = $1`,
      [externalId],
    ),
  );
  return row!.count;
}

async function openShop(rest: Rest) {
  const done = async (path: string, body?: object) => {
    const answer = await rest('POST', path, body);
    expect(answer, path).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
    return answer.body;
  };
  const { id: productId } = await done('/admin/products', { name: 'Voucher', stockMode: 'UNLIMITED' });
  const offer = { productId, name: 'Offer', stock: DELIVERY, pointsCost: 1 };
  const { id: publicationId } = await done('/admin/publications', offer);
  await done(`/marketplace/publications/${publicationId}/publish`);
  for (const index of [0, 1, 2]) {
    await done('/accounts/resolve', { externalId: `buyer-${index}` });
    const gift = { idType: 'EXTERNAL', amount: POINTS, reason: 'To begin with.' };
    await done(`/admin/accounts/buyer-${index}/points/adjust`, gift);
  }
  return { publicationId: publicationId as string };
}

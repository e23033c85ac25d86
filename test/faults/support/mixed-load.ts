import { expect } from 'vitest';
import { newGame } from '../../support/game.ts';
import type { Rest, RestAnswer, Tenant } from '../../support/service.ts';

/** Customers of a tenant who use all features in turn, again and again. */
export type MixedLoad = {
  /** The number of answered calls, by action. */
  readonly done: ReadonlyMap<string, number>;
  /** Lets all customers finish. */
  stop(): Promise<void>;
  /** Rejects if a customer gets an unexpected refusal. All customers stop then, and would otherwise seem to wait. */
  readonly refused: Promise<never>;
  /** Closings of campaigns, each with a webhook. */
  readonly closings: number;
  /** Accepted asynchronous events, by account. */
  readonly accepted: ReadonlyMap<string, number>;
  /** The mission that counts the asynchronous events. */
  readonly laterMissionId: string;
};

/** Creates the games and the shop, and starts the given number of each kind of customer. */
export async function startMixedLoad(rest: Rest, tenant: Tenant, ofEach = 2): Promise<MixedLoad> {
  const world = await openWorld(rest, tenant);
  const stopping = new AbortController();
  const done = new Map<string, number>();
  const accepted = new Map<string, number>();
  let closings = 0;

  async function call(what: string, method: string, path: string, body?: object): Promise<RestAnswer['body']> {
    const answer = await rest(method, path, body);
    expect(answer, `${what}: ${JSON.stringify(answer.body)}`).toMatchObject({ status: 200 });
    done.set(what, (done.get(what) ?? 0) + 1);
    return answer.body;
  }

  const emit = (code: string, own: object) =>
    call('events', 'POST', '/gamification/triggers', { ...own, programmaticCode: code });

  /** A new account that claims a campaign, closes another by an event, and opens the chest that it gives. */
  async function visit(name: string): Promise<void> {
    const own = { accountId: name, idType: 'EXTERNAL' };
    await emit('KNOCK', own);
    await call('claims', 'POST', `/gamification/campaigns/${world.claimableId}/claim`, { ...own, operationId: name });
    await emit('LUCK', own);
    closings += 2;
    const [chest] = await call('reads', 'GET', `/gamification/chests/account/${name}?idType=EXTERNAL`);
    await call('chests', 'POST', `/gamification/chests/${chest.id}/open`, { ...own, operationId: `open-${name}` });
    for (const path of ['/v1/feed/account/', '/v1/gamification/missions/my-rewards/', '/redemptions/']) {
      await call('reads', 'GET', `${path}${name}?idType=EXTERNAL`);
    }
  }

  /** An account that gets points and spends them: on a product, and on a publication with and without a reservation. */
  async function shop(name: string, round: number): Promise<void> {
    const own = { accountId: name, idType: 'EXTERNAL' };
    const once = (what: string) => ({ ...own, operationId: `${what}-${name}-${round}` });
    const { publicationId, productId } = world;
    const publication = (what: string) => ({ ...once(what), publicationId });
    if (round === 0) await call('accounts', 'POST', '/accounts/resolve', { externalId: name });
    const gift = { idType: 'EXTERNAL', amount: 3, reason: 'A gift.' };
    await call('gifts', 'POST', `/admin/accounts/${name}/points/adjust`, gift);
    await call('redeems', 'POST', `/loyalty/products/${productId}/redeem`, once('product'));
    for (const what of ['reserved', 'at once']) {
      if (what === 'reserved') await call('freezes', 'POST', '/marketplace/publications/freeze', publication('freeze'));
      await call('purchases', 'POST', `/marketplace/publications/redeem/${publicationId}`, once(what));
    }
    await call('freezes', 'POST', '/marketplace/publications/freeze', publication('doubt'));
    await call('unfreezes', 'POST', '/marketplace/publications/unfreeze', publication('regret'));
    await call('reads', 'GET', `/loyalty/accounts/${name}/points?idType=EXTERNAL`);
  }

  async function sendLater(name: string, round: number): Promise<void> {
    const own = { accountId: name, idType: 'EXTERNAL', operationId: `${name}-${round}` };
    await call('asynchronous events', 'POST', '/gamification/triggers/async', { ...own, programmaticCode: 'LATER' });
    accepted.set(name, (accepted.get(name) ?? 0) + 1);
  }

  async function again(act: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !stopping.signal.aborted; round += 1) await act(round);
  }

  const everybody = Promise.all(
    Array.from({ length: ofEach }, (_, index) => [
      again((round) => visit(`visitor-${index}-${round}`)),
      again((round) => shop(`shopper-${index}`, round)),
      again((round) => sendLater(`later-${index}`, round)),
    ]).flat(),
  );
  const refused = new Promise<never>((_, reject) => {
    everybody.catch((error: unknown) => {
      stopping.abort();
      reject(error);
    });
  });
  // A waiting test, or the caller of `stop`, gets the error.
  refused.catch(() => {});

  return {
    done,
    refused,
    accepted,
    laterMissionId: world.laterMissionId,
    get closings() {
      return closings;
    },
    async stop() {
      stopping.abort();
      await everybody;
    },
  };
}

async function openWorld(rest: Rest, tenant: Tenant) {
  const service = { rest, adminToken: tenant.adminToken };
  const codes = { KNOCK: 'SINGLE', LUCK: 'SINGLE', LATER: 'SINGLE' } as const;
  const create = async (path: string, body: object) => {
    const answer = await rest('POST', path, body);
    expect(answer, path).toMatchObject({ status: 201 });
    return answer.body;
  };
  const mission = (programmaticCode: string, target = 1) => ({ codes, missions: [{ programmaticCode, target }] });
  const campaign = { claimPolicy: 'EXPLICIT' };
  const claimable = await newGame(service, { ...mission('KNOCK'), campaign });
  const points = await create('/admin/rewards', { name: 'Points', type: 'POINTS', amount: 5 });
  const odds = { name: 'Chest', entries: [{ rewardId: points.id, weight: 1 }], totalWeight: 2 };
  const chest = await create('/admin/chests', odds);
  await newGame(service, {
    ...mission('LUCK'),
    rewards: [{ name: 'Chest', type: 'CHEST', amount: 1, chestId: chest.id }],
  });
  const later = await newGame(service, mission('LATER', 1_000_000_000));
  const product = await create('/admin/products', { name: 'Voucher', stockMode: 'UNLIMITED', pointsCost: 1 });
  const offer = { productId: product.id, name: 'Offer', stock: 1_000_000_000, pointsCost: 1 };
  const publication = await create('/admin/publications', offer);
  await rest('POST', `/marketplace/publications/${publication.id}/publish`);
  return {
    claimableId: claimable.campaignId,
    laterMissionId: later.missionIds[0]!,
    productId: product.id as string,
    publicationId: publication.id as string,
  };
}

import type { Stage } from '../journeys/stage.ts';
import { type Player, players } from './calls.ts';
import type { Ids } from './world-resources.ts';

/** The answers of all reads, in the shape of the model's `expectedState`. */
export async function observedState(stage: Stage, ids: Ids): Promise<object> {
  const read = async (path: string) => (await stage.rest('GET', path)).body;
  const stockOf = async (path: string) => (await read(path)).stock;
  const offers = await Promise.all(ids.offers.map((id) => read(`/marketplace/publications/${id}`)));
  const accounts = await Promise.all(players.map(async (who) => [who, await accountOf(stage, ids, who)] as const));
  return {
    coupons: await stockOf(`/admin/products/${ids.coupon}`),
    mugs: await stockOf(`/admin/products/${ids.mug}`),
    freeMugs: (await read(`/admin/products/${ids.mug}`)).free,
    agreement: await stockOf(`/admin/agreements/${ids.agreement}`),
    offers: offers.map(({ stock, availableStock, status, pointsCost = 0 }) => ({
      stock,
      price: pointsCost,
      available: availableStock,
      published: status === 'PUBLISHED_ON_MARKETPLACE',
    })),
    accounts: Object.fromEntries(accounts),
  };
}

async function accountOf(stage: Stage, ids: Ids, who: Player): Promise<object> {
  const player = stage.player(who);
  const { available, spent, expired, lifetimeEarned, pending, nextExpiration: next } = await player.points();
  const redemptions: Array<{ id: string; source: string; status: string }> = await player.get('/redemptions/{id}');
  const bought = redemptions.filter(({ source }) => ['LOYALTY', 'MARKETPLACE'].includes(source));
  const [fragments] = await player.get('/gamification/fragments/account/{id}');
  const chests = await player.get('/gamification/chests/account/{id}');
  const completed = await player.feed('COMPLETED');
  const explicit = completed.find(({ campaignId }: { campaignId: string }) => campaignId === ids.explicit);
  return {
    available,
    spent,
    expired,
    lifetimeEarned,
    pending,
    expiresNext: next && { until: new Date(next.at).getTime(), amount: next.amount },
    bought: Object.fromEntries(bought.map(({ id, status }) => [id, status === 'CANCELLED'])),
    events: completed.filter(({ campaignId }: { campaignId: string }) => campaignId === ids.series).length,
    hasClaimed: explicit !== undefined && !explicit.claimable,
    pieces: fragments?.pieces ?? 0,
    chests: chests.length,
    opened: chests
      .filter(({ openedAt }: { openedAt?: string }) => openedAt !== undefined)
      .map(({ id }: { id: string }) => id)
      .toSorted(),
    waiting: (await player.rewards({ status: 'PENDING_STOCK' })).length,
  };
}

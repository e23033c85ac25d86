import type { Stage } from '../journeys/stage.ts';
import { players } from './calls.ts';
import {
  brings,
  chestPrizes,
  CLAIM_TARGET,
  claimed,
  completion,
  gifts,
  series,
  nameOf,
  PIECES_REQUIRED,
  type Prize,
  prices,
} from './prizes.ts';

/** The ids of the resources of a world. */
export type Ids = {
  readonly coupon: string;
  readonly mug: string;
  readonly agreement: string;
  readonly offers: readonly string[];
  /** The campaign in which the n-th event completes the n-th mission. */
  readonly series: string;
  /** The rewards that the support team may grant. */
  readonly gifts: readonly string[];
  /** The claimable campaign. */
  readonly explicit: string;
  /** The names of prizes, by reward id. */
  readonly prizes: ReadonlyMap<string, string>;
};

/** Creates the resources of the model's initial state, through the administration API. */
export async function createResources(stage: Stage): Promise<Ids> {
  const products = await newProducts(stage);
  const { rewardsOf, names } = rewardMaker(stage, products);
  const inner = await newChest(stage, await rewardsOf(chestPrizes.slice(0, 1)));
  const chest = await newChest(stage, await rewardsOf(chestPrizes, inner));
  const rungs = await rewardsOf(series, chest);

  await stage.admin('/admin/event-definitions', { programmaticCode: 'STEP', type: 'SINGLE' });
  const audience = await stage.admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const campaign = async (prizes: readonly Prize[], missions: readonly object[], claimPolicy: string) => {
    const drafts = missions.map((mission) => ({ type: 'MISSION', name: 'Rung', programmaticCode: 'STEP', ...mission }));
    const rewardIds = await rewardsOf(prizes);
    const draft = { name: claimPolicy, audienceIds: [audience.id], rewardIds, claimPolicy, missions: drafts };
    const { id } = await stage.admin('/admin/campaigns', draft);
    await stage.admin(`/admin/campaigns/${id}/activate`);
    return id as string;
  };
  const steps = rungs.map((id, index) => ({ target: index + 1, rewardIds: [id] }));
  const ids = {
    series: await campaign(completion, steps, 'AUTOMATIC'),
    gifts: await rewardsOf(gifts),
    explicit: await campaign(claimed, [{ target: CLAIM_TARGET }], 'EXPLICIT'),
    ...(await newOffers(stage, products.mug)),
  };
  for (const who of players) await stage.player(who).id();
  return { ...products, ...ids, prizes: names };
}

async function newProducts({ admin }: Stage): Promise<Pick<Ids, 'coupon' | 'mug'>> {
  const fields = { stockMode: 'CODES', fragmentsRequired: PIECES_REQUIRED, pointsCost: prices.coupon };
  const coupon = await admin('/admin/products', { name: 'Coupon', ...fields });
  await admin(`/admin/products/${coupon.id}/codes`, { codes: ['FIRST'] });
  const mug = await admin('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: 8, pointsCost: prices.mug });
  return { coupon: coupon.id, mug: mug.id };
}

/** Creates the rewards of prizes, in their order; rewards of type CHEST bring the given chest. */
function rewardMaker({ admin }: Stage, products: Pick<Ids, 'coupon' | 'mug'>) {
  const names = new Map<string, string>();
  const rewardOf = async (prize: Prize, chest?: string): Promise<string> => {
    const { type, amount, days: expiresInDays } = prize;
    const hasProduct = brings[type] === 'units' || brings[type] === 'pieces';
    const productId = hasProduct ? products[prize.of ?? 'coupon'] : undefined;
    const chestId = brings[type] === 'chests' ? chest : undefined;
    const { id } = await admin('/admin/rewards', {
      name: nameOf(prize),
      type,
      amount,
      productId,
      chestId,
      expiresInDays,
    });
    names.set(id, nameOf(prize));
    return id;
  };
  const rewardsOf = (prizes: readonly Prize[], chest?: string) =>
    Promise.all(prizes.map((prize) => rewardOf(prize, chest)));
  return { rewardsOf, names };
}

/** A chest: the first reward is always drawn, each of the others in 30 of 100 draws. */
async function newChest({ admin }: Stage, [always, ...others]: readonly string[]): Promise<string> {
  const entries = [{ rewardId: always, guaranteed: true }, ...others.map((rewardId) => ({ rewardId, weight: 30 }))];
  return (await admin('/admin/chests', { name: 'Chest', entries, totalWeight: 100 })).id;
}

async function newOffers({ admin }: Stage, mug: string): Promise<Pick<Ids, 'agreement' | 'offers'>> {
  const { id: agreementId } = await admin('/admin/agreements', { name: 'Mugs', stock: 5 });
  const offers: string[] = [];
  for (const pointsCost of prices.offers) {
    const offer = { productId: mug, agreementId, name: 'Mug', stock: 3, pointsCost };
    const { id } = await admin('/admin/publications', offer);
    await admin(`/marketplace/publications/${id}/publish`);
    offers.push(id);
  }
  return { agreement: agreementId, offers };
}

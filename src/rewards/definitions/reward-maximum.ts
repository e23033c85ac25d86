import type { Amount } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type ChestDefinition, chestDefinitionsById } from '../chests/chest-definitions.queries.ts';
import type { Product } from '../products/product.ts';
import { type RewardDefinition, wholeAmount } from './reward-definition.ts';
import { rewardTypeRules } from './reward-types.ts';
import { loadRewards } from './rewards.queries.ts';

/** The most of each kind that something gives: points, and units and pieces by product. */
export type Most = {
  readonly points: Amount;
  readonly units: ReadonlyMap<string, ProductMost>;
  readonly pieces: ReadonlyMap<string, ProductMost>;
};

type ProductMost = { readonly product: Product; readonly count: bigint };

/** Gives nothing. */
export const NOTHING: Most = { points: 0n, units: new Map(), pieces: new Map() };

/** The sum of two. */
export function plus(a: Most, b: Most): Most {
  return combined(a, b, (one, other) => one + other);
}

/** So many times as much. @param times a whole number from 0 */
export function multiplied({ points, units, pieces }: Most, times: bigint): Most {
  const scaled = (counts: Most['units']) =>
    new Map([...counts].map(([id, { product, count }]) => [id, { product, count: count * times }]));
  return { points: points * times, units: scaled(units), pieces: scaled(pieces) };
}

/** The most units of each product that an account can get: its pieces count with those that it may have already. */
export function unitsOf({ units, pieces }: Most): ReadonlyMap<string, ProductMost> {
  const ofPieces = [...pieces].map(([id, { product, count }]) => {
    const needed = BigInt(product.fragmentsRequired ?? 1);
    return [id, { product, count: count === 0n ? 0n : (count + needed - 1n) / needed }] as const;
  });
  return summed(units, new Map(ofPieces), (a, b) => a + b);
}

/**
 * The most that one delivery of each reward gives, with everything in its chests, by reward; undefined for a chest that can contain itself,
 * which has no maximum. Rewards and chests are those of now. `pointsMax` is the most that a reward of points itself gives, by default its
 * amount.
 */
export async function mostOfRewards(
  uow: UnitOfWork,
  ids: readonly string[],
): Promise<(rewardId: string, pointsMax?: (reward: RewardDefinition) => Amount) => Most | undefined> {
  const { rewards, chests } = await withContents(uow, ids);
  const known = new Map<string, Most | undefined>();
  return (rewardId, pointsMax = ({ amount }) => amount) => {
    const reward = rewards.get(rewardId);
    if (reward === undefined || !rewardTypeRules[reward.type].isPoints) return mostOf(rewardId);
    return { ...NOTHING, points: pointsMax(reward) };
  };

  /** While a chest is calculated it counts as without a maximum, so that one inside itself has none. */
  function mostOf(rewardId: string): Most | undefined {
    if (known.has(rewardId)) return known.get(rewardId);
    known.set(rewardId, undefined);
    const reward = rewards.get(rewardId);
    const most = reward === undefined ? NOTHING : mostOfReward(reward);
    known.set(rewardId, most);
    return most;
  }

  function mostOfReward(reward: RewardDefinition): Most | undefined {
    const { amount, product, type, chestId } = reward;
    if (rewardTypeRules[type].isPoints) return { ...NOTHING, points: amount };
    const count = BigInt(wholeAmount(reward));
    if (product !== undefined) {
      const counts = new Map([[product.id, { product, count }]]);
      return rewardTypeRules[type].stock === 'pieces' ? { ...NOTHING, pieces: counts } : { ...NOTHING, units: counts };
    }
    const chest = chests.get(chestId ?? '');
    const content = chest === undefined ? NOTHING : mostOfChest(chest);
    return content && multiplied(content, count);
  }

  /** All guaranteed entries, and of the others, of which at most one is drawn, the most of each kind. */
  function mostOfChest({ entries }: ChestDefinition): Most | undefined {
    let [guaranteed, drawn] = [NOTHING, NOTHING];
    for (const entry of entries) {
      const most = mostOf(entry.rewardId);
      if (most === undefined) return undefined;
      if (entry.guaranteed) guaranteed = plus(guaranteed, most);
      else drawn = combined(drawn, most, (a, b) => (a > b ? a : b));
    }
    return plus(guaranteed, drawn);
  }
}

/** The rewards with these ids, the chests that they give, and what those contain, to any depth. */
async function withContents(uow: UnitOfWork, ids: readonly string[]) {
  const rewards = new Map<string, RewardDefinition>();
  const chests = new Map<string, ChestDefinition>();
  for (let wanted = [...new Set(ids)]; wanted.length > 0;) {
    const found = await loadRewards(uow, wanted);
    for (const [id, reward] of found) rewards.set(id, reward);
    const chestIds = [...found.values()].flatMap(({ chestId }) => (chestId && !chests.has(chestId) ? [chestId] : []));
    const contents = chestIds.length === 0 ? [] : await chestDefinitionsById(uow, chestIds);
    for (const chest of contents) chests.set(chest.id, chest);
    wanted = [...new Set(contents.flatMap(({ entries }) => entries.map(({ rewardId }) => rewardId)))].filter(
      (id) => !rewards.has(id),
    );
  }
  return { rewards, chests };
}

function combined(a: Most, b: Most, combine: (a: bigint, b: bigint) => bigint): Most {
  return {
    points: combine(a.points, b.points),
    units: summed(a.units, b.units, combine),
    pieces: summed(a.pieces, b.pieces, combine),
  };
}

function summed(a: Most['units'], b: Most['units'], combine: (a: bigint, b: bigint) => bigint): Most['units'] {
  const all = new Map(a);
  for (const [id, { product, count }] of b) all.set(id, { product, count: combine(all.get(id)?.count ?? 0n, count) });
  return all;
}

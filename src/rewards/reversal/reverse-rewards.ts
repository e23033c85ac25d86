import type { Amount } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { announceSettled } from '../delivery/reward-webhooks.ts';
import { dropFromQueue } from '../delivery/earned-rewards.queries.ts';
import { loadHoldings, saveHoldings } from '../fragments/fragments.ts';
import type { RewardDefinition } from '../definitions/reward-definition.ts';
import { rewardTypeRules } from '../definitions/reward-types.ts';
import { productsById } from '../products/products.queries.ts';
import { lockStocks, saveStocks } from '../products/stock/stock.queries.ts';
import { addReversed, rewardsOf, type RewardSource, type SourceReward } from './lost-rewards.queries.ts';
import { type Lost, type Shop, type Taken, typeReversals } from './type-reversals.ts';

/** Rounds that an account has not completed any more, and milestones that it has not reached any more. */
export type LostRounds = RewardSource & {
  /** The rounds that are still completed: rewards of later ones go. */
  readonly roundsLeft: number;
  /** The longest milestone that is still reached: rewards of longer ones go. Undefined if no milestone is lost. */
  readonly milestoneLeft?: number | undefined;
  /** The operation id of the reversal, for the points ledger. */
  readonly operationId: string | undefined;
};

/** The effect of a reversal on an earned reward. */
export type ReversedReward = Pick<
  SourceReward,
  'id' | 'accountId' | 'rewardId' | 'rewardType' | 'campaignId' | 'missionId'
> & {
  readonly reversed: Amount;
  readonly kept: Amount;
  /** The part of `reversed` that the account owes. */
  readonly debt: Amount;
};

/** The definitions of rewards by id. */
type Definitions = ReadonlyMap<string, Pick<RewardDefinition, 'onReversal'>>;

/**
 * Takes back the rewards of rounds that are not completed any more, each as its definition says. A code may have been seen as soon as it was
 * delivered, so it is used, and never free again. The caller has locked the accounts; this locks the products. The number of statements
 * does not grow with the rewards.
 * @param definitions the rewards of the client, by id
 * @returns the reversed rewards of each, the latest first
 */
export async function reverseRewards(
  uow: UnitOfWork,
  lost: readonly LostRounds[],
  definitions: Definitions,
  now: Date,
): Promise<ReversedReward[][]> {
  const rewards = lostRewards(lost, await rewardsOf(uow, lost), definitions);
  const outcomes = await takeAll(uow, rewards, now);
  const reversed = rewards.map(({ reward, amount }): ReversedReward & { readonly source: number } => {
    const { taken, debt } = outcomes.get(reward.id) ?? NOTHING;
    return { ...reward, reversed: taken, kept: amount - taken, debt };
  });
  await addReversed(
    uow,
    rewards.flatMap(({ reward: { id, isPending } }) => {
      const { taken, debt } = outcomes.get(id) ?? NOTHING;
      return isPending || taken === 0n ? [] : [{ id, taken, owed: debt }];
    }),
  );
  return lost.map((_, index) => reversed.filter(({ source }) => source === index));
}

const NOTHING: Taken = { taken: 0n, debt: 0n };

/** The amount of each reward that belongs to lost rounds and was not taken before. */
function lostRewards(lost: readonly LostRounds[], rewards: readonly SourceReward[], definitions: Definitions): Lost[] {
  return rewards.flatMap((reward) => {
    const { roundsLeft, milestoneLeft = Infinity, operationId } = lost[reward.source]!;
    const { firstRound = 1, rounds = 1, milestone, amount, amountReversed = 0n } = reward;
    const roundsLost =
      milestone === undefined
        ? Math.min(rounds, Math.max(0, firstRound + rounds - 1 - roundsLeft))
        : Number(milestone > milestoneLeft);
    const open = (amount * BigInt(roundsLost)) / BigInt(rounds) - amountReversed;
    const { onReversal } = definitions.get(reward.rewardId) ?? rewardTypeRules[reward.rewardType];
    return open > 0n ? [{ reward, amount: open, onReversal, operationId }] : [];
  });
}

async function takeAll(uow: UnitOfWork, all: readonly Lost[], now: Date): Promise<Map<string, Taken>> {
  const lost = all.filter(({ onReversal }) => onReversal !== 'KEEP');
  if (lost.length === 0) return new Map();
  const waiting = lost.filter(({ reward }) => reward.isPending);
  const delivered = lost.filter(({ reward }) => !reward.isPending);
  const stockOf = ({ reward }: Lost) => rewardTypeRules[reward.rewardType].stock;
  const shop = await lockShop(
    uow,
    [...waiting, ...delivered.filter((each) => stockOf(each) !== 'none')],
    delivered.filter((each) => stockOf(each) === 'pieces'),
  );
  for (const { reward } of waiting) shop.stocks.get(reward.productId!)!.waiting -= 1;
  const outcomes = new Map(waiting.map(({ reward, amount }) => [reward.id, { taken: amount, debt: 0n }]));
  for (const [type, rewards] of Map.groupBy(delivered, ({ reward }) => reward.rewardType))
    for (const [id, taken] of await typeReversals[type](uow, rewards, { shop, now })) outcomes.set(id, taken);
  await saveHoldings(uow, shop.holdings);
  await dropFromQueue(
    uow,
    waiting.map(({ reward }) => reward),
  );
  await saveStocks(uow, shop.stocks.values(), now);
  await announceSettled(
    uow,
    waiting.map(({ reward }) => reward),
  );
  return outcomes;
}

/** Locks the products of these rewards, and reads the pieces that accounts have of some. */
async function lockShop(uow: UnitOfWork, lost: readonly Lost[], ofPieces: readonly Lost[]): Promise<Shop> {
  const ids = new Set(lost.flatMap(({ reward }) => reward.productId ?? []));
  const products = await productsById(uow, [...ids]);
  const stocks = await lockStocks(uow, products.values());
  const holdings = await loadHoldings(
    uow,
    ofPieces.map(({ reward }) => ({ accountId: reward.accountId, product: products.get(reward.productId!)! })),
  );
  return { products, stocks, holdings };
}

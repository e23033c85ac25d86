import { type Amount, ONE } from '../../kernel/amount.ts';
import { reversePoints } from '../../loyalty/reverse-points.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { cancelRedemptions } from '../../redemptions/redemptions.queries.ts';
import { takeUnopened } from '../chests/unopened-chests.queries.ts';
import type { OnReversal, RewardType } from '../definitions/reward-types.ts';
import { type Holdings, holdingOf } from '../fragments/fragments.ts';
import type { Product } from '../products/product.ts';
import type { Stocks } from '../products/stock/stock.ts';
import type { SourceReward } from './lost-rewards.queries.ts';

/** A reward with the amount to take back. */
export type Lost = {
  readonly reward: SourceReward;
  readonly amount: Amount;
  readonly onReversal: OnReversal;
  readonly operationId: string | undefined;
};

/** The outcome for one reward. */
export type Taken = { readonly taken: Amount; readonly debt: Amount };

/** Locked products and pieces of a batch. */
export type Shop = {
  readonly products: ReadonlyMap<string, Product>;
  readonly stocks: Stocks;
  readonly holdings: Holdings;
};

/** The means of all types. */
export type Means = { readonly shop: Shop; readonly now: Date };

/** An outcome by the id of its earned reward. A reward without one is kept whole. */
type Outcome = readonly [string, Taken];

/**
 * Takes back delivered rewards of each type, as far as their definitions say. The caller has locked the accounts and the products, and stores
 * the changes of the shop.
 */
export const typeReversals: Readonly<
  Record<RewardType, (uow: UnitOfWork, lost: readonly Lost[], means: Means) => Promise<Outcome[]>>
> = {
  PRODUCTS: takeUnits,
  FRAGMENTS: takePieces,
  POINTS: takePoints,
  CHEST: takeChests,
  BADGE: takeBadges,
};

async function takePoints(uow: UnitOfWork, lost: readonly Lost[], { now }: Means): Promise<Outcome[]> {
  const missing = await reversePoints(
    uow,
    lost.map(({ reward: { accountId, id, createdAt }, amount, onReversal, operationId }) => {
      const mayOwe = onReversal === 'CLAW_BACK';
      return { accountId, earnedRewardId: id, paidAt: createdAt, amount, at: now, mayOwe, operationId };
    }),
  );
  return lost.map(({ reward, amount, onReversal }, index) => {
    const spent = missing[index]!;
    return [
      reward.id,
      onReversal === 'CLAW_BACK' ? { taken: amount, debt: spent } : { taken: amount - spent, debt: 0n },
    ];
  });
}

/** Units without codes go back to the shop, where the first in the queue get them. A code is used, and goes only by CLAW_BACK. */
async function takeUnits(
  uow: UnitOfWork,
  lost: readonly Lost[],
  { shop: { products, stocks } }: Means,
): Promise<Outcome[]> {
  const hasCodes = ({ reward }: Lost) => products.get(reward.productId!)!.stockMode === 'CODES';
  const taken = lost.filter((each) => !hasCodes(each) || each.onReversal === 'CLAW_BACK');
  for (const { reward, amount } of taken.filter((each) => !hasCodes(each))) {
    const stock = stocks.get(reward.productId!)!;
    const units = Number(amount / ONE);
    stock.units += units;
    stock.added += units;
  }
  await cancelRedemptions(
    uow,
    taken.flatMap(({ reward }) => reward.redemptionId ?? []),
  );
  return taken.map(({ reward, amount }) => [reward.id, { taken: amount, debt: 0n }] as const);
}

/** Pieces go as far as they are not combined. */
async function takePieces(
  _uow: UnitOfWork,
  lost: readonly Lost[],
  { shop: { products, holdings } }: Means,
): Promise<Outcome[]> {
  return lost.map(({ reward: { id, accountId, productId }, amount }) => {
    const holding = holdingOf(holdings, accountId, products.get(productId!)!);
    const pieces = Math.min(holding.pieces, Number(amount / ONE));
    holding.pieces -= pieces;
    return [id, { taken: BigInt(pieces) * ONE, debt: 0n }] as const;
  });
}

/** Closed chests go. */
async function takeChests(uow: UnitOfWork, lost: readonly Lost[]): Promise<Outcome[]> {
  const taken = await takeUnopened(
    uow,
    lost.map(({ reward: { accountId, id, createdAt }, amount }) => {
      return { accountId, earnedRewardId: id, createdAt, count: Number(amount / ONE) };
    }),
  );
  return lost.map(({ reward }) => [reward.id, { taken: BigInt(taken.get(reward.id) ?? 0) * ONE, debt: 0n }] as const);
}

/** Nothing uses a badge up. */
async function takeBadges(_uow: UnitOfWork, lost: readonly Lost[]): Promise<Outcome[]> {
  return lost.map(({ reward, amount }) => [reward.id, { taken: amount, debt: 0n }]);
}

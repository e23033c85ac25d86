import type { UnitOfWork } from '../../persistence/database.ts';
import { type RewardDefinition, unitsOfReward } from '../../rewards/definitions/reward-definition.ts';
import { type LimitedStock, limitedStocks } from '../../rewards/products/products.queries.ts';

/** The units of a product with counted stock that the accounts of some audiences could earn. */
export type StockReach<Given> = {
  readonly productId: string;
  readonly name: string;
  readonly stock: LimitedStock;
  /** The rewards that give the product, as units or pieces. */
  readonly given: readonly Given[];
  /** Units that one account can earn. */
  readonly each: bigint;
  /** Units that all the accounts can earn. */
  readonly needed: bigint;
};

/**
 * Compares the stock of rewarded products with the accounts that could earn them, by product, in the order of the rewards. Products without
 * a limit are left out.
 * @param members accounts that could earn the rewards
 */
export async function reachOfStocks<Given extends { readonly reward: RewardDefinition; readonly times: number }>(
  uow: UnitOfWork,
  given: readonly Given[],
  members: number,
): Promise<StockReach<Given>[]> {
  const byProduct = Map.groupBy(
    given.filter(({ reward }) => reward.product !== undefined),
    ({ reward }) => reward.product!.id,
  );
  const stocks = await limitedStocks(uow, [...byProduct.keys()]);
  return [...byProduct].flatMap(([productId, rewards]) => {
    const stock = stocks.get(productId);
    if (stock === undefined) return [];
    // Members and units are exact as numbers, but their product may exceed 2^53.
    const each = rewards.reduce((sum, { reward, times }) => sum + BigInt(unitsOfReward(reward)) * BigInt(times), 0n);
    const { name } = rewards[0]!.reward.product!;
    return [{ productId, name, stock, given: rewards, each, needed: each * BigInt(members) }];
  });
}

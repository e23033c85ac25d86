import type { UnitOfWork } from '../../persistence/database.ts';
import { type RewardDefinition, unitsOfReward } from '../../rewards/definitions/reward-definition.ts';
import { limitedStocks } from '../../rewards/products/products.queries.ts';
import { type Finding, finding } from './finding.ts';
import { told } from '../../kernel/told.ts';

/** A reward that a campaign gives: where a draft names it, and how often one account can earn it. */
export type GivenReward = { readonly field: string; readonly reward: RewardDefinition; readonly times: number };

/**
 * Products that have less than the accounts of a campaign can earn: one warning for each of them. Whoever earns a unit that is
 * not there waits for a restock, so that this refuses nothing.
 * @param members accounts in the audiences
 * @param wasActive whether some of it may have been earned already
 */
export async function stockWarnings(
  uow: UnitOfWork,
  given: readonly GivenReward[],
  members: number,
  wasActive: boolean,
): Promise<Finding[]> {
  const byProduct = Map.groupBy(
    given.filter(({ reward }) => reward.product !== undefined),
    ({ reward }) => reward.product!.id,
  );
  const stocks = await limitedStocks(uow, [...byProduct.keys()]);
  return [...byProduct].flatMap(([productId, rewards]) => {
    const stock = stocks.get(productId);
    if (stock === undefined) return [];
    const [{ field, reward }] = rewards as [GivenReward, ...GivenReward[]];
    const name = reward.product!.name;
    if (stock.units === 0) return [finding(field, told`'${name}' is out of stock: who earns it waits for a restock.`)];
    const units = rewards.filter((other) => unitsOfReward(other.reward) > 0);
    // Members and units of each are bounded far below what a product of numbers holds exactly, their product is not.
    const each = units.reduce((sum, other) => sum + BigInt(unitsOfReward(other.reward)) * BigInt(other.times), 0n);
    const needed = each * BigInt(members);
    if (needed <= BigInt(stock.free)) return [];
    const accounts = members === 1 ? told`1 account` : told`${members} accounts`;
    const earned = wasActive ? told`, less what they have earned before` : '';
    const free = stock.free === 1 ? told`1 free unit` : told`${stock.free} free units`;
    return [
      finding(
        units[0]!.field,
        told`'${name}' has ${free}; ${accounts} could earn up to ${needed}${earned}. Add units, or who earns it last waits for a restock.`,
      ),
    ];
  });
}

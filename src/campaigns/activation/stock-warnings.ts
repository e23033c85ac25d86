import type { UnitOfWork } from '../../persistence/database.ts';
import { type RewardDefinition, unitsOfReward } from '../../rewards/definitions/reward-definition.ts';
import { type Finding, finding } from './finding.ts';
import { sentence } from '../../kernel/sentence.ts';
import { reachOfStocks } from './stock-reach.ts';

/** A reward of a campaign: its field in a draft, and the number of times that one account can earn it. */
export type GivenReward = { readonly field: string; readonly reward: RewardDefinition; readonly times: number };

/**
 * One warning for each product with less stock than the accounts of a campaign can earn. A missing unit only makes an account wait for a
 * restock, so the activation is not refused.
 * @param members accounts in the audiences
 * @param wasActive whether accounts may have earned some of the rewards already
 */
export async function stockWarnings(
  uow: UnitOfWork,
  given: readonly GivenReward[],
  members: number,
  wasActive: boolean,
): Promise<Finding[]> {
  const reached = await reachOfStocks(uow, given, members);
  return reached.flatMap(({ name, stock, given: rewards, needed }) => {
    if (stock.units === 0)
      return [finding(rewards[0]!.field, sentence`'${name}' is out of stock: who earns it waits for a restock.`)];
    if (needed <= BigInt(stock.free)) return [];
    const accounts = members === 1 ? sentence`1 account` : sentence`${members} accounts`;
    const earned = wasActive ? sentence`, less what they have earned before` : '';
    const free = stock.free === 1 ? sentence`1 free unit` : sentence`${stock.free} free units`;
    return [
      finding(
        rewards.find(({ reward }) => unitsOfReward(reward) > 0)!.field,
        sentence`'${name}' has ${free}; ${accounts} could earn up to ${needed}${earned}. Add units, or who earns it last waits for a restock.`,
      ),
    ];
  });
}

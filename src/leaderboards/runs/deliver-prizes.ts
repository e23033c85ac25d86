import { indexAccounts } from '../../accounts/account-index.ts';
import type { Account } from '../../accounts/account.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadRewards } from '../../rewards/definitions/rewards.queries.ts';
import { deliverRewards } from '../../rewards/delivery/deliver-rewards.ts';
import { isEarned, type RewardOrder } from '../../rewards/delivery/earned-reward.ts';
import { countEarnedRewards } from '../entries/count-earned-points.ts';
import type { Winner } from './winners.ts';

/** Prizes to deliver. */
type Prizes = {
  readonly runId: string;
  readonly winners: readonly Winner[];
  /** The accounts of the winners; locked. */
  readonly accounts: readonly Account[];
  readonly now: Date;
};

/** Delivers prizes. @returns the number of earned rewards: a deleted or a suspended account gets none */
export async function deliverPrizes(uow: UnitOfWork, { runId, winners, accounts, now }: Prizes): Promise<number> {
  const { find } = indexAccounts(accounts);
  const rewards = await loadRewards(uow, [...new Set(winners.flatMap(({ rewardIds }) => rewardIds))]);
  const orders = winners.flatMap(({ entry, rewardIds }) => {
    const account = find({ id: entry.accountId });
    if (account === undefined || account.suspendedAt !== undefined) return [];
    return rewardIds.flatMap((id): RewardOrder[] => {
      const reward = rewards.get(id);
      return reward === undefined ? [] : [{ accountId: account.id, reward, leaderboardRunId: runId, now }];
    });
  });
  const outcomes = await deliverRewards(uow, orders, accounts);
  await countEarnedRewards(uow, outcomes, now);
  return outcomes.filter(isEarned).length;
}

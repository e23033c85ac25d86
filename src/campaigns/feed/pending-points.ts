import type { Amount } from '../../kernel/amount.ts';
import type { PendingPoints } from '../../loyalty/get-points.ts';
import { rewardTypeRules } from '../../rewards/definitions/reward-types.ts';
import { withAmounts } from '../../rewards/delivery/calculated-amounts.ts';
import { isSkipped, type RewardOrder } from '../../rewards/delivery/earned-reward.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { unclaimedCampaigns } from '../completion/completions.queries.ts';

/** The points that an account would get if it claimed all campaigns that it has completed. */
export function pendingPointsOf(catalogs: Catalogs): PendingPoints {
  return async (uow, accountId, now) => {
    const unclaimed = await unclaimedCampaigns(uow, accountId);
    if (unclaimed.size === 0) return 0n;
    const { rules, rewards } = await catalogs(uow);
    const rewardIds = [...unclaimed.keys()].flatMap((id) => rules.campaigns.get(id)?.rewardIds ?? []);
    const orders = rewardIds
      .flatMap((id) => rewards.get(id) ?? [])
      .filter(({ type }) => rewardTypeRules[type].isPoints)
      .map((reward): RewardOrder => ({ accountId, reward, now }));
    const payable = await withAmounts(uow, orders, []);
    return payable.reduce<Amount>((sum, order) => (isSkipped(order) ? sum : sum + order.reward.amount), 0n);
  };
}

import type { Amount } from '../../kernel/amount.ts';
import type { PendingPoints } from '../../loyalty/get-points.ts';
import { rewardTypeRules } from '../../rewards/definitions/reward-types.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { unclaimedCampaigns } from '../completion/completions.queries.ts';

/** The points of campaigns that an account has completed and not claimed yet. */
export function pendingPointsOf(catalogs: Catalogs): PendingPoints {
  return async (uow, accountId) => {
    const unclaimed = await unclaimedCampaigns(uow, accountId);
    if (unclaimed.size === 0) return 0n;
    const { rules, rewards } = await catalogs(uow);
    const rewardIds = [...unclaimed.keys()].flatMap((id) => rules.campaigns.get(id)?.rewardIds ?? []);
    const points = rewardIds
      .flatMap((id) => rewards.get(id) ?? [])
      .filter(({ type }) => rewardTypeRules[type].isPoints);
    return points.reduce<Amount>((sum, reward) => sum + reward.amount, 0n);
  };
}

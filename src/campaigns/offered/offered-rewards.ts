import type { UnitOfWork } from '../../persistence/database.ts';
import type { RewardDefinition } from '../../rewards/definitions/reward-definition.ts';
import type { Catalogs } from '../catalog/catalog.ts';

/** The rewards of activated campaigns, of their missions, and of standalone missions. */
export function offeredRewards(catalogs: Catalogs) {
  return async (uow: UnitOfWork): Promise<RewardDefinition[]> => {
    const { rules, missions, rewards } = await catalogs(uow);
    const isOffered = (id: string | null | undefined) => id == null || rules.campaigns.get(id)?.status !== 'DRAFT';
    const ids = new Set([
      ...rules.campaigns.values().flatMap(({ status, rewardIds }) => (status === 'DRAFT' ? [] : rewardIds)),
      ...missions.values().flatMap(({ campaignId, rewardIds, milestones }) => {
        if (!isOffered(campaignId)) return [];
        return [...rewardIds, ...(milestones?.flatMap((milestone) => milestone.rewardIds) ?? [])];
      }),
    ]);
    return [...ids].flatMap((id) => rewards.get(id) ?? []);
  };
}

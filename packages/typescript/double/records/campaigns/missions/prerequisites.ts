import { type WaitingMission, waitingMission } from '../../../../../../src/campaigns/missions/prerequisites.ts';
import type { UnitOfWork } from '../../../../../../src/persistence/database.ts';
import { storeOf } from '../../../store.ts';

export async function loadMissions(uow: UnitOfWork, ids: readonly string[]): Promise<WaitingMission[]> {
  const campaigns = new Map(
    storeOf(uow)
      .rows('campaign')
      .map((row) => [row['id'] as string, row]),
  );
  return storeOf(uow)
    .rows('mission')
    .filter(({ id }) => ids.includes(id as string))
    .map(({ id, name, conditions, campaignId }) => {
      const campaign = campaigns.get(campaignId as string);
      return waitingMission(
        { id, name, conditions },
        campaign && { id: campaignId, name: campaign['name'], isDraft: campaign['status'] === 'DRAFT' },
      );
    });
}

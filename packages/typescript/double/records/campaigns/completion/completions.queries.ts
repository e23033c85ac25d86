import type { UnitOfWork } from '../../../../../../src/persistence/database.ts';
import { storeOf } from '../../../store.ts';

export async function unclaimedCampaigns(uow: UnitOfWork, accountId: string): Promise<ReadonlyMap<string, Date>> {
  const rows = storeOf(uow).rows('campaign_completion');
  const own = rows.filter((row) => row['accountId'] === accountId && row['closedAt'] === null);
  return new Map(own.map((row) => [row['campaignId'] as string, row['completedAt'] as Date]));
}

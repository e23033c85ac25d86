import type { UnitOfWork } from '../../persistence/database.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';
import { unclaimedCampaigns } from './completions.queries.ts';

/** The campaigns that a claim of the account would close now, by id, and when it completed them. */
export async function claimableCampaigns(
  uow: UnitOfWork,
  { rules }: ClientCatalog,
  accountId: string,
): Promise<ReadonlyMap<string, Date>> {
  // Asked only where a campaign waits for claims at all.
  if (!rules.campaigns.values().some(({ claimPolicy }) => claimPolicy === 'EXPLICIT')) return new Map();
  const unclaimed = await unclaimedCampaigns(uow, accountId);
  return new Map(unclaimed.entries().filter(([id]) => canBeClaimed(rules.campaigns.get(id))));
}

/** Whether claims of it pass: in a campaign that ended they still do. */
function canBeClaimed(campaign: { readonly status: string } | undefined): boolean {
  return campaign !== undefined && campaign.status !== 'PAUSED';
}

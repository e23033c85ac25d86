import type { UnitOfWork } from '../../persistence/database.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';
import { unclaimedCampaigns } from './completions.queries.ts';

/** The campaigns that the account can claim now: the time of completion by campaign id. */
export async function claimableCampaigns(
  uow: UnitOfWork,
  { rules }: ClientCatalog,
  accountId: string,
): Promise<ReadonlyMap<string, Date>> {
  // Only a client with an EXPLICIT campaign needs the query.
  if (!rules.campaigns.values().some(({ claimPolicy }) => claimPolicy === 'EXPLICIT')) return new Map();
  const unclaimed = await unclaimedCampaigns(uow, accountId);
  return new Map(unclaimed.entries().filter(([id]) => canBeClaimed(rules.campaigns.get(id))));
}

/** Whether a campaign accepts claims; an ended one still does. */
function canBeClaimed(campaign: { readonly status: string } | undefined): boolean {
  return campaign !== undefined && campaign.status !== 'PAUSED';
}

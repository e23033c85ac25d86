import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  ListClaimableCampaignsRequest,
  ListClaimableCampaignsResponseSchema,
} from '../../../gen/laurel/v1/campaign_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { rewardMessages } from '../assignments/assignment-message.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { campaignTexts } from '../campaigns/campaigns.queries.ts';
import { claimableCampaigns } from './claimable-campaigns.ts';

/** Lists the campaigns that an account can claim, the oldest completion first: proto CampaignService.ListClaimableCampaigns. */
export function listClaimableCampaigns(
  { db, principal }: Call,
  { accountId, idType }: ListClaimableCampaignsRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof ListClaimableCampaignsResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const [catalog, account] = await Promise.all([catalogs(uow), findAccountToRead(uow, { accountId, idType })]);
    if (!account) return { rows: [] };
    const claimable = await claimableCampaigns(uow, catalog, account.id);
    const texts = await campaignTexts(uow, [...claimable.keys()]);
    const sorted = [...claimable].toSorted(([a, first], [b, second]) => +first - +second || (a < b ? -1 : 1));
    const rows = sorted.map(([campaignId, completedAt]) => ({
      campaignId,
      ...texts.get(campaignId),
      completedAt: timestampFromDate(completedAt),
      rewards: rewardMessages(catalog, catalog.rules.campaigns.get(campaignId)!.rewardIds),
    }));
    return { rows };
  });
}

import type { CampaignService } from '../../../gen/laurel/v1/campaign_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { claimCampaign } from '../completion/claim-campaign.ts';
import type { CampaignClaimBatcher } from '../completion/claim-campaigns.ts';
import { getOfferedCampaign } from './get-offered-campaign.ts';
import { listClaimableCampaigns } from '../completion/list-claimable-campaigns.ts';
import { listOfferedCampaigns } from './list-offered-campaigns.ts';

/** The operations on campaigns for apps, and the claims of accounts. */
export function campaignsService(claims: CampaignClaimBatcher, catalogs: Catalogs) {
  return {
    claimCampaign: (call, request) => claimCampaign(call, request, claims),
    listClaimableCampaigns: (call, request) => listClaimableCampaigns(call, request, catalogs),
    listOfferedCampaigns: (call, request) => listOfferedCampaigns(call, request, catalogs),
    getOfferedCampaign: (call, request) => getOfferedCampaign(call, request, catalogs),
  } satisfies Handlers<typeof CampaignService>;
}

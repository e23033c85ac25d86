import type { CampaignService } from '../../../gen/laurel/v1/campaign_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { claimCampaign } from './claim-campaign.ts';
import type { Claims } from './claim-campaigns.ts';

/** What an account does with a campaign. */
export function campaignsService(claims: Claims) {
  return {
    claimCampaign: (call, request) => claimCampaign(call, request, claims),
  } satisfies Handlers<typeof CampaignService>;
}

import type { CampaignService } from '../../../gen/laurel/v1/campaign_service_pb.ts';
import { claimCampaign, type ClaimOptions } from './claim-campaign.ts';
import type { Handlers } from '../../clients/call.ts';

/** What an account does with a campaign. */
export function campaignsService(options: ClaimOptions) {
  return {
    claimCampaign: (call, request) => claimCampaign(call, request, options),
  } satisfies Handlers<typeof CampaignService>;
}

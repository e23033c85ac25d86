import type { ServiceImpl } from '@connectrpc/connect';
import type { CampaignService } from '../../../gen/laurel/v1/campaign_service_pb.ts';
import { claimCampaign, type ClaimOptions } from './claim-campaign.ts';

/** What an account does with a campaign. */
export function campaignsService(options: ClaimOptions) {
  return {
    claimCampaign: (request, context) => claimCampaign(options, request, context),
  } satisfies ServiceImpl<typeof CampaignService>;
}

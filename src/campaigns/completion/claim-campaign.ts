import {
  type ClaimCampaignRequest,
  type ClaimCampaignResponse,
  ClaimCampaignResponseSchema,
} from '../../../gen/laurel/v1/campaign_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { namedAccount, uuid } from '../../idempotency/content.ts';
import type { CampaignClaimBatcher } from './claim-campaigns.ts';

/** Closes an EXPLICIT campaign for an account that has completed it: proto CampaignService.ClaimCampaign. */
export function claimCampaign(
  call: Call,
  request: ClaimCampaignRequest,
  claims: CampaignClaimBatcher,
): Promise<ClaimCampaignResponse> {
  const { operationId, accountId, idType } = request;
  const campaignId = request.campaignId.toLowerCase();
  const content = ['claim', uuid(campaignId), ...namedAccount(idType, accountId)] as const;
  const claim = { campaignId, account: { accountId, idType }, operationId };
  return claims.submit(call, { operationId, content }, ClaimCampaignResponseSchema, claim);
}

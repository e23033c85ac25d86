import type { ServiceImpl } from '@connectrpc/connect';
import type { CampaignAdminService } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { activateCampaign } from './activate-campaign.ts';
import { createCampaign } from './create-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { endCampaign } from './end-campaign.ts';
import { getActivationPreview } from './get-activation-preview.ts';
import { campaignFunnels } from './get-campaign-funnel.ts';
import { getCampaign } from './get-campaign.ts';
import { listCampaigns } from './list-campaigns.ts';
import { pauseCampaign } from './pause-campaign.ts';
import { updateCampaign } from './update-campaign.ts';

/** Campaigns of one client, with their missions. */
export function campaignAdminService(db: Database, clock: Clock) {
  const getCampaignFunnel = campaignFunnels();
  return {
    createCampaign: (request, context) => createCampaign(db, principalOf(context), request),
    getCampaign: (request, context) => getCampaign(db, principalOf(context), request),
    listCampaigns: (request, context) => listCampaigns(db, principalOf(context), request),
    activateCampaign: (request, context) => activateCampaign(db, principalOf(context), request, clock),
    pauseCampaign: (request, context) => pauseCampaign(db, principalOf(context), request, clock),
    endCampaign: (request, context) => endCampaign(db, principalOf(context), request, clock),
    updateCampaign: (request, context) => updateCampaign(db, principalOf(context), request, clock()),
    deleteCampaign: (request, context) => deleteCampaign(db, principalOf(context), request),
    duplicateCampaign: (request, context) => duplicateCampaign(db, principalOf(context), request),
    getActivationPreview: (request, context) => getActivationPreview(db, principalOf(context), request, clock()),
    getCampaignFunnel: (request, context) => getCampaignFunnel(db, principalOf(context), request),
  } satisfies ServiceImpl<typeof CampaignAdminService>;
}

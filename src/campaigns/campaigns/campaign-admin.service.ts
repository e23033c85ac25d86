import type { CampaignAdminService } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { activateCampaign } from '../activation/activate-campaign.ts';
import { createCampaign } from './create-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { endCampaign } from './end-campaign.ts';
import { getActivationPreview } from '../activation/get-activation-preview.ts';
import { campaignEffects } from '../statistics/get-campaign-effect.ts';
import { campaignFunnels } from '../statistics/get-campaign-funnel.ts';
import { getCampaign } from './get-campaign.ts';
import { getReach } from '../activation/get-reach.ts';
import { campaignSeries } from '../statistics/get-campaign-series.ts';
import { listCampaignAccounts } from '../statistics/list-campaign-accounts.ts';
import { listControlGroups } from '../statistics/list-control-groups.ts';
import { listCampaigns } from './list-campaigns.ts';
import { pauseCampaign } from './pause-campaign.ts';
import { updateCampaign } from './update-campaign.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import type { RecentEvents } from '../expressions/count-events.ts';
import type { Handlers } from '../../clients/call.ts';

/** The operations on one client's campaigns and their missions. @param recentEvents reads the journal */
export function campaignAdminService(catalogs: Catalogs, recentEvents: RecentEvents) {
  return {
    createCampaign,
    getCampaign,
    listCampaigns,
    activateCampaign,
    pauseCampaign,
    endCampaign,
    updateCampaign,
    deleteCampaign,
    duplicateCampaign,
    getActivationPreview: (call, request) => getActivationPreview(call, request, catalogs, recentEvents),
    getReach,
    getCampaignFunnel: campaignFunnels(),
    getCampaignSeries: campaignSeries(),
    getCampaignEffect: campaignEffects(),
    listCampaignAccounts,
    listControlGroups: (call, request) => listControlGroups(call, request, catalogs),
  } satisfies Handlers<typeof CampaignAdminService>;
}

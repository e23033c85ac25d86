import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetCampaignRequest,
  GetCampaignResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toCampaignMessage } from './campaign-message.ts';
import { withPhase } from './campaign-phase.ts';
import { requireCampaign } from './campaigns.queries.ts';

/** Returns one campaign with its missions: proto CampaignAdminService.GetCampaign. */
export function getCampaign(
  { db, principal, now }: Call,
  request: GetCampaignRequest,
): Promise<MessageInitShape<typeof GetCampaignResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { campaign, missions } = await requireCampaign(uow, request.id);
    return { campaign: withPhase(toCampaignMessage(campaign, missions), campaign, now) };
  });
}

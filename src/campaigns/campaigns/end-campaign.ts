import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CampaignAdminService,
  type EndCampaignRequest,
  type EndCampaignResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { changeStatus, resume, type StatusMove } from './change-status.ts';

const ending: StatusMove = {
  operation: CampaignAdminService.method.endCampaign,
  to: 'ENDED',
  from: ['ACTIVE', 'PAUSED'],
  stamp(campaign, now) {
    campaign.endedAt = now;
    resume(campaign, now);
  },
};

/** Ends a campaign for good: proto CampaignAdminService.EndCampaign. */
export function endCampaign(
  { db, principal, clock }: Call,
  request: EndCampaignRequest,
): Promise<MessageInitShape<typeof EndCampaignResponseSchema>> {
  return changeStatus(db, principal, request, ending, clock());
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CampaignAdminService,
  type EndCampaignRequest,
  type EndCampaignResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Principal } from '../../clients/principal.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { changeStatus, type StatusMove } from './change-status.ts';

const ending: StatusMove = {
  operation: CampaignAdminService.method.endCampaign,
  to: 'ENDED',
  from: ['ACTIVE', 'PAUSED'],
  stamp: (campaign, now) => (campaign.endedAt = now),
};

/** Ends a campaign for good: proto CampaignAdminService.EndCampaign. */
export function endCampaign(
  db: Database,
  principal: Principal,
  request: EndCampaignRequest,
  clock: Clock,
): Promise<MessageInitShape<typeof EndCampaignResponseSchema>> {
  return changeStatus(db, principal, request.id, ending, clock());
}

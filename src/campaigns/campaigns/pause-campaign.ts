import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CampaignAdminService,
  type PauseCampaignRequest,
  type PauseCampaignResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { changeStatus, type StatusMove } from './change-status.ts';

const pause: StatusMove = {
  operation: CampaignAdminService.method.pauseCampaign,
  to: 'PAUSED',
  from: ['ACTIVE'],
  stamp: (campaign, now) => (campaign.pauses = [...campaign.pauses, { from: now.getTime() }]),
};

/** Hides an active campaign and stops its progress: proto CampaignAdminService.PauseCampaign. */
export function pauseCampaign(
  { db, principal, clock }: Call,
  request: PauseCampaignRequest,
): Promise<MessageInitShape<typeof PauseCampaignResponseSchema>> {
  return changeStatus(db, principal, request, pause, clock());
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CampaignAdminService,
  type ActivateCampaignRequest,
  type ActivateCampaignResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { activationProblems } from './activation-findings.ts';
import { codesOverLimit, tooManyActiveMissions } from '../campaigns/active-missions.ts';
import { changeStatus, resume, type StatusMove } from '../campaigns/change-status.ts';
import { inWords, requireReady } from './finding.ts';

const activation: StatusMove = {
  operation: CampaignAdminService.method.activateCampaign,
  to: 'ACTIVE',
  from: ['DRAFT', 'PAUSED'],
  stamp(campaign, now) {
    campaign.activatedAt ??= now;
    resume(campaign, now);
  },
  async check(uow, campaign, now) {
    const [problems, crowded] = await Promise.all([
      activationProblems(uow, campaign, now),
      codesOverLimit(uow, campaign, now),
    ]);
    requireReady(problems);
    if (crowded.length > 0) throw tooManyActiveMissions(inWords(crowded));
  },
};

/** Offers the campaign's missions to every account of its audiences: proto CampaignAdminService.ActivateCampaign. */
export function activateCampaign(
  { db, principal, clock }: Call,
  request: ActivateCampaignRequest,
): Promise<MessageInitShape<typeof ActivateCampaignResponseSchema>> {
  return changeStatus(db, principal, request, activation, clock());
}

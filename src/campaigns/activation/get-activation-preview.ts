import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetActivationPreviewRequest,
  GetActivationPreviewResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { countMembers } from '../../audiences/members/members.queries.ts';
import type { Call } from '../../clients/call.ts';
import { activationProblems, activationWarnings, costOf } from './activation-findings.ts';
import { toCostMessage } from './campaign-cost.ts';
import { codesOverLimit } from '../campaigns/active-missions.ts';
import { requireCampaign } from '../campaigns/campaigns.queries.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import type { RecentEvents } from '../expressions/count-events.ts';
import { conditionWarnings } from './condition-warnings.ts';
import { finding, toFindingMessage } from './finding.ts';
import { sentence } from '../../kernel/sentence.ts';

/** Previews the effect of an activation: proto CampaignAdminService.GetActivationPreview. @param recentEvents reads the journal */
export function getActivationPreview(
  { db, principal, now }: Call,
  { id }: GetActivationPreviewRequest,
  catalogs: Catalogs,
  recentEvents: RecentEvents,
): Promise<MessageInitShape<typeof GetActivationPreviewResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const stored = await requireCampaign(uow, id);
    const members = await countMembers(uow, stored.campaign.audienceIds, now);
    const problems = [...(await activationProblems(uow, stored, now)), ...(await codesOverLimit(uow, stored, now))];
    if (stored.campaign.status === 'ENDED')
      problems.push(finding('status', sentence`The campaign has ended for good.`));
    const warnings = [
      ...(await activationWarnings(uow, stored, members, now)),
      ...(await conditionWarnings(uow, stored.missions, await catalogs(uow), recentEvents, now)),
    ];
    const cost = toCostMessage(await costOf(uow, stored, now), members);
    return {
      preview: { members, problems: problems.map(toFindingMessage), warnings: warnings.map(toFindingMessage), cost },
    };
  });
}

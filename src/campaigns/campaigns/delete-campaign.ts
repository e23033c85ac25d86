import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CampaignAdminService,
  type DeleteCampaignRequest,
  type DeleteCampaignResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { CampaignSchema } from '../../../gen/laurel/v1/campaign_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { requireUnused } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import { toCampaignMessage } from './campaign-message.ts';
import { requireCampaign } from './campaigns.queries.ts';
import { usesOfMissions } from '../uses.queries.ts';

/** Deletes a DRAFT for good; no account has seen it: proto CampaignAdminService.DeleteCampaign. */
export async function deleteCampaign(
  { db, principal }: Call,
  { id, version }: DeleteCampaignRequest,
): Promise<MessageInitShape<typeof DeleteCampaignResponseSchema>> {
  const change = { operation: CampaignAdminService.method.deleteCampaign, schema: CampaignSchema };
  await changeCatalog(db, principal, change, async (uow) => {
    const { campaign, missions } = await requireCampaign(uow, id, { forChange: true });
    await requireVersion(uow, CampaignSchema, campaign, version);
    if (campaign.status !== 'DRAFT') {
      const message = sentence`The campaign is ${campaign.status}, and accounts have seen it. Only a DRAFT can be deleted; end this one.`;
      throw new DomainError('CAMPAIGN_NOT_DRAFT', message);
    }
    const uses = await usesOfMissions(
      uow,
      missions.map((mission) => mission.id),
    );
    requireUnused(
      'MISSION_IN_USE',
      uses,
      sentence`Take the missions of this campaign out of their prerequisites first.`,
    );
    const before = toCampaignMessage(campaign, missions);
    uow.em.remove([...missions, campaign]);
    await uow.em.flush();
    return { id: campaign.id, before };
  });
  return {};
}

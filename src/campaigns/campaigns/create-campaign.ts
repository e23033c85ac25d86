import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CampaignAdminService,
  type CreateCampaignRequest,
  type CreateCampaignResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { CampaignSchema } from '../../../gen/laurel/v1/campaign_pb.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { newId } from '../../kernel/ids.ts';
import { campaignContent, campaignMissions, requireKnownIds } from './campaign-draft.ts';
import { toCampaignMessage } from './campaign-message.ts';
import { withPhase } from './campaign-phase.ts';
import { campaignTable } from './campaign.entity.ts';
import { missionTable } from '../missions/mission.entity.ts';

/** Creates a campaign with its missions, as a DRAFT: proto CampaignAdminService.CreateCampaign. */
export async function createCampaign(
  { db, principal, now }: Call,
  request: CreateCampaignRequest,
): Promise<MessageInitShape<typeof CreateCampaignResponseSchema>> {
  const draft = request.campaign!;
  const change = { operation: CampaignAdminService.method.createCampaign, schema: CampaignSchema };
  const { after, campaign } = await changeCatalog(db, principal, change, async (uow) => {
    await requireKnownIds(uow, draft);
    const content = { ...campaignContent(draft), status: 'DRAFT' } as const;
    const campaign = uow.em.create(campaignTable, { clientId: uow.clientId, id: newId(), ...content });
    // Ids in the draft belong to another campaign, for example if it was copied: these missions are new.
    const drafts = draft.missions.map((mission) => ({ ...mission, id: newId() }));
    const missions = (await campaignMissions(uow, campaign.id, drafts)).map((mission) =>
      uow.em.create(missionTable, mission),
    );
    await uow.em.flush();
    const after = toCampaignMessage(campaign, missions);
    return { id: campaign.id, after, campaign };
  });
  return { campaign: withPhase(after, campaign, now) };
}

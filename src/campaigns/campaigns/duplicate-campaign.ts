import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CampaignAdminService,
  type DuplicateCampaignRequest,
  type DuplicateCampaignResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { CampaignSchema } from '../../../gen/laurel/v1/campaign_pb.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { toCampaignMessage } from './campaign-message.ts';
import { withPhase } from './campaign-phase.ts';
import { campaignTable } from './campaign.entity.ts';
import { requireCampaign } from './campaigns.queries.ts';
import { type MissionEntity, missionTable } from '../missions/mission.entity.ts';
import type { Conditions } from '../missions/mission-conditions.ts';

/** Creates a DRAFT with the content of another campaign: proto CampaignAdminService.DuplicateCampaign. */
export async function duplicateCampaign(
  { db, principal, now }: Call,
  { id, name }: DuplicateCampaignRequest,
): Promise<MessageInitShape<typeof DuplicateCampaignResponseSchema>> {
  const change = { operation: CampaignAdminService.method.duplicateCampaign, schema: CampaignSchema };
  const { after, copy } = await changeCatalog(db, principal, change, async (uow) => {
    const { campaign, missions } = await requireCampaign(uow, id);
    const { description, claimPolicy, audienceIds, controlGroupPercent, rewardIds, startsAt, endsAt } = campaign;
    const copy = uow.em.create(campaignTable, {
      clientId: uow.clientId,
      id: newId(),
      name,
      status: 'DRAFT',
      description,
      claimPolicy,
      controlGroupPercent,
      startsAt,
      endsAt,
      audienceIds: [...audienceIds],
      rewardIds: [...rewardIds],
    });
    const copies = copyMissions(uow, missions, copy.id);
    await uow.em.flush();
    const after = toCampaignMessage(copy, copies);
    const note = `Copied from '${campaign.name}' (${campaign.id}).`;
    return { id: copy.id, after, note, copy };
  });
  return { campaign: withPhase(after, copy, now) };
}

/** Copies missions. Prerequisites among them refer to the copies; other prerequisites stay. */
function copyMissions(uow: UnitOfWork, missions: readonly MissionEntity[], campaignId: string): MissionEntity[] {
  const copyIds = new Map(missions.map(({ id }) => [id, newId()]));
  return missions.map((mission) => {
    const { campaign: _home, createdAt: _created, updatedAt: _updated, version: _version, ...content } = mission;
    const conditions = mission.conditions as Conditions;
    const prerequisiteMissionIds = conditions.prerequisiteMissionIds?.map((id) => copyIds.get(id) ?? id);
    return uow.em.create(missionTable, {
      ...content,
      id: copyIds.get(mission.id)!,
      campaignId,
      rewardIds: [...mission.rewardIds],
      conditions: prerequisiteMissionIds ? { ...conditions, prerequisiteMissionIds } : { ...conditions },
    });
  });
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type {
  CampaignDraft,
  CreateCampaignRequest,
  CreateCampaignResponseSchema,
} from '../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { Campaign_ClaimPolicySchema } from '../../gen/laurel/v1/campaign_pb.ts';
import { requireAudiences } from '../audiences/audiences.queries.ts';
import { bumpCatalogVersion } from '../clients/catalog-version.ts';
import type { Principal } from '../clients/principal.ts';
import { badRequest } from '../kernel/domain-error.ts';
import { newId } from '../kernel/ids.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { loadRewards } from '../rewards/rewards.queries.ts';
import { campaignMessage } from './campaign-message.ts';
import { type CampaignEntity, campaignTable } from './campaign.entity.ts';
import { enumName } from './enum-names.ts';
import { eventTypes } from './event-definitions.queries.ts';
import { missionTable } from './mission.entity.ts';
import { missionFromDraft, type NewMission } from './mission-draft.ts';

/** Creates a campaign with its missions, as a DRAFT: proto CampaignAdminService.CreateCampaign. */
export function createCampaign(
  db: Database,
  principal: Principal,
  request: CreateCampaignRequest,
): Promise<MessageInitShape<typeof CreateCampaignResponseSchema>> {
  const draft = request.campaign!;
  return db.unitOfWork(principal.clientId, async (uow) => {
    await requireKnownIds(uow, draft);
    const campaign = insertCampaign(uow, draft);
    // Before its missions: rows that know each other by plain ids only are written in no particular order.
    await uow.em.flush();
    const missions = (await newMissions(uow, campaign.id, draft)).map((mission) =>
      uow.em.create(missionTable, mission),
    );
    await uow.em.flush();
    await bumpCatalogVersion(uow);
    return { campaign: campaignMessage(campaign, missions) };
  });
}

function insertCampaign(uow: UnitOfWork, draft: CampaignDraft): CampaignEntity {
  const startsAt = draft.startsAt ? timestampDate(draft.startsAt) : null;
  const endsAt = draft.endsAt ? timestampDate(draft.endsAt) : null;
  if (startsAt && endsAt && startsAt >= endsAt) throw badRequest('campaign.endsAt must be later than startsAt.');
  return uow.em.create(campaignTable, {
    clientId: uow.clientId,
    id: newId(),
    name: draft.name,
    description: draft.description,
    status: 'DRAFT',
    claimPolicy: enumName(Campaign_ClaimPolicySchema, draft.claimPolicy) ?? 'AUTOMATIC',
    audienceIds: lowered(draft.audienceIds),
    rewardIds: lowered(draft.rewardIds),
    startsAt,
    endsAt,
  });
}

async function newMissions(uow: UnitOfWork, campaignId: string, draft: CampaignDraft): Promise<NewMission[]> {
  const types = await eventTypes(uow);
  return draft.missions.map((mission, position) => {
    const eventType = types.get(mission.programmaticCode);
    if (!eventType) {
      throw badRequest(
        `missions[${position}].programmaticCode '${mission.programmaticCode}' is not in the catalogue. Create the event definition first.`,
      );
    }
    const home = { clientId: uow.clientId, campaignId, audienceId: null, position, eventType };
    return missionFromDraft(mission, home, `missions[${position}]`);
  });
}

/** Ids in a body are part of what was sent, so an unknown one is a 400 and not a 404. */
async function requireKnownIds(uow: UnitOfWork, draft: CampaignDraft): Promise<void> {
  await requireAudiences(uow, lowered(draft.audienceIds));
  const rewards = await loadRewards(uow);
  for (const id of lowered([...draft.rewardIds, ...draft.missions.flatMap((mission) => mission.rewardIds)])) {
    if (!rewards.has(id)) throw badRequest(`There is no reward with the id ${id}. Send rewardIds of existing rewards.`);
  }
  const prerequisites = lowered(draft.missions.flatMap((mission) => mission.conditions?.prerequisiteMissionIds ?? []));
  if (prerequisites.length === 0) return;
  const found = await uow.em.find(
    missionTable,
    { clientId: uow.clientId, id: { $in: prerequisites } },
    { fields: ['id'] },
  );
  const known = new Set(found.map((mission) => mission.id));
  for (const id of prerequisites) {
    if (!known.has(id))
      throw badRequest(`There is no mission with the id ${id}. Send prerequisiteMissionIds of existing missions.`);
  }
}

function lowered(ids: readonly string[]): string[] {
  return ids.map((id) => id.toLowerCase());
}

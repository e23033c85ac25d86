import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CampaignAdminService,
  type CampaignDraft,
  type UpdateCampaignRequest,
  type UpdateCampaignResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { CampaignSchema } from '../../../gen/laurel/v1/campaign_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { requireUnused } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { contentProblems } from '../activation/activation-findings.ts';
import { activeMissions, requireRoom } from './active-missions.ts';
import { type CampaignContent, campaignContent, campaignMissions, requireKnownIds } from './campaign-draft.ts';
import { toCampaignMessage } from './campaign-message.ts';
import { hasBegun, withPhase } from './campaign-phase.ts';
import { type CampaignWithMissions, missionsOf, requireCampaign } from './campaigns.queries.ts';
import { requireReady } from '../activation/finding.ts';
import { fixedDifferences } from './fixed-content.ts';
import { type MissionEntity, missionTable } from '../missions/mission.entity.ts';
import type { NewMission } from '../missions/mission-draft.ts';
import { usesOfMissions } from '../uses.queries.ts';

/** Replaces a campaign with its missions: proto CampaignAdminService.UpdateCampaign. */
export async function updateCampaign(
  { db, principal, now }: Call,
  request: UpdateCampaignRequest,
): Promise<MessageInitShape<typeof UpdateCampaignResponseSchema>> {
  const draft = request.campaign!;
  const change = { operation: CampaignAdminService.method.updateCampaign, schema: CampaignSchema };
  const { after, campaign } = await changeCatalog(db, principal, change, async (uow) => {
    const stored = await requireCampaign(uow, request.id, { forChange: true });
    await requireKnownIds(uow, { ...draft, keptRewardIds: rewardsOf(stored) });
    await requireVersion(uow, CampaignSchema, stored.campaign, request.version);
    const before = toCampaignMessage(stored.campaign, stored.missions);
    const wanted = await wantedOf(uow, stored, draft);
    requireChangeable(stored, wanted, now);
    const isScheduled = stored.campaign.activatedAt !== null && !hasBegun(stored.campaign, now);

    const codes = wanted.missions.map(({ programmaticCode }) => programmaticCode);
    const active = await activeMissions(uow, codes, now);
    Object.assign(stored.campaign, { ...wanted.content, version: stored.campaign.version + 1 });
    await replaceMissions(uow, stored.missions, wanted.missions);
    await requireRoom(uow, active, codes, now);
    const missions = await missionsOf(uow, [stored.campaign.id]);
    if (isScheduled) await reschedule(uow, { campaign: stored.campaign, missions }, now);
    const after = toCampaignMessage(stored.campaign, missions);
    return { id: stored.campaign.id, before, after, campaign: stored.campaign };
  });
  return { campaign: withPhase(after, campaign, now) };
}

type Wanted = { readonly content: CampaignContent; readonly missions: readonly NewMission[] };

async function wantedOf(uow: UnitOfWork, { campaign, missions }: CampaignWithMissions, draft: CampaignDraft) {
  const known = new Set(missions.map(({ id }) => id));
  const wanted = await campaignMissions(uow, campaign.id, draft.missions);
  const named = draft.missions.flatMap(({ id }) => (id === undefined ? [] : [id.toLowerCase()]));
  const unknown = named.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw badRequest(
      sentence`The campaign has no mission ${unknown}. Send ids of its missions; leave the id of a new one out.`,
    );
  if (new Set(named).size < named.length) throw badRequest('Two missions have the same id. Send each mission once.');
  return { content: campaignContent(draft), missions: wanted };
}

/** The fields that may change after a campaign was active: they do not change how earlier events count. */
const MUTABLE = {
  campaign: ['name', 'description', 'endsAt', 'audienceIds'],
  mission: ['name', 'description', 'imageUrl', 'endsAt'],
} as const;

/** Checks a change of an active campaign that has not started in the same way as an activation; without a start it is active from `now`. */
async function reschedule(uow: UnitOfWork, stored: CampaignWithMissions, now: Date): Promise<void> {
  requireReady(await contentProblems(uow, stored, now));
  if (stored.campaign.startsAt !== null) return;
  stored.campaign.activatedAt = now;
  await uow.em.flush();
}

function requireChangeable({ campaign, missions }: CampaignWithMissions, wanted: Wanted, now: Date): void {
  if (campaign.status === 'ENDED') {
    throw new DomainError('CAMPAIGN_ENDED', 'The campaign has ended for good. Duplicate it instead.');
  }
  if (!hasBegun(campaign, now)) return;
  const fixed = [
    ...fixedDifferences(campaign, wanted.content, MUTABLE.campaign),
    ...fixedMissions(missions, wanted.missions),
  ];
  if (fixed.length === 0) return;
  throw new DomainError(
    'CAMPAIGN_IMMUTABLE',
    sentence`The campaign has been active, so these cannot change any more: ${fixed}. Send them as they are, or duplicate it.`,
  );
}

function fixedMissions(stored: readonly MissionEntity[], wanted: readonly NewMission[]): string[] {
  const byId = new Map(stored.map((mission) => [mission.id, mission]));
  if (wanted.length !== stored.length || wanted.some(({ id }) => !byId.has(id))) return ['missions'];
  return wanted.flatMap((mission, index) =>
    fixedDifferences(byId.get(mission.id)!, mission, MUTABLE.mission).map((name) => `missions[${index}].${name}`),
  );
}

async function replaceMissions(
  uow: UnitOfWork,
  stored: readonly MissionEntity[],
  wanted: readonly NewMission[],
): Promise<void> {
  const byId = new Map(stored.map((mission) => [mission.id, mission]));
  for (const mission of wanted) {
    const kept = byId.get(mission.id);
    if (kept) Object.assign(kept, mission);
    else uow.em.create(missionTable, mission);
  }
  const kept = new Set(wanted.map(({ id }) => id));
  const removed = stored.filter(({ id }) => !kept.has(id));
  uow.em.remove(removed);
  await uow.em.flush();
  if (removed.length === 0) return;
  const uses = await usesOfMissions(
    uow,
    removed.map(({ id }) => id),
  );
  requireUnused(
    'MISSION_IN_USE',
    uses,
    sentence`Keep the missions that come before these, or take them out of the prerequisites first.`,
  );
}

function rewardsOf({ campaign, missions }: CampaignWithMissions): Set<string> {
  return new Set([...campaign.rewardIds, ...missions.flatMap(({ rewardIds }) => rewardIds)]);
}

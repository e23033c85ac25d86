import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { MissionDraftSchema } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import {
  type ImproveMissionRequest,
  type ImproveMissionResponseSchema,
  MissionAdminService,
} from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { CampaignSchema } from '../../../gen/laurel/v1/campaign_pb.ts';
import { MissionSchema } from '../../../gen/laurel/v1/mission_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { countMembers } from '../../audiences/members/members.queries.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { canLowerTarget } from '../../engine/missions/lowered-target.ts';
import { shownTarget } from '../../engine/missions/milestones.ts';
import { type Amount, amountFromNumber } from '../../kernel/amount.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { activationWarnings } from '../activation/activation-findings.ts';
import { type Finding, toFindingMessage } from '../activation/finding.ts';
import { countReached } from '../statistics/reached-count.queries.ts';
import { eventsOf, requireKnownIds } from '../campaigns/campaign-draft.ts';
import { toMissionMessage, toStandaloneMissionMessage } from '../campaigns/campaign-message.ts';
import { type CampaignWithMissions, requireCampaign } from '../campaigns/campaigns.queries.ts';
import { eventDeclarations } from '../event-definitions/event-definitions.queries.ts';
import { type MissionEntity, missionTable } from './mission.entity.ts';
import { missionFromDraft, type NewMission } from './mission-draft.ts';
import { beforePasses } from './reached-targets.queries.ts';
import { requireStandalone } from './standalone-missions.queries.ts';

/** Lowers the target of a mission and adds rewards, or says what that would do: proto MissionAdminService.ImproveMission. */
export async function improveMission(
  { db, principal, now }: Call,
  request: ImproveMissionRequest,
): Promise<MessageInitShape<typeof ImproveMissionResponseSchema>> {
  const work = (uow: UnitOfWork) => improve(uow, request, now);
  const change = { operation: MissionAdminService.method.improveMission, schema: MissionSchema };
  const { after, reachedAccounts, warnings } = request.dryRun
    ? await db.rehearse(principal.clientId, work)
    : await changeCatalog(db, principal, change, work);
  return { mission: after, reachedAccounts, warnings: warnings.map(toFindingMessage) };
}

async function improve(uow: UnitOfWork, request: ImproveMissionRequest, now: Date) {
  const { mission, stored } = await requireMission(uow, request.id);
  const versioned = stored?.campaign ?? mission;
  await requireVersion(uow, stored ? CampaignSchema : MissionSchema, versioned, request.version);
  if (stored?.campaign.status === 'ENDED')
    throw new DomainError('CAMPAIGN_ENDED', 'The campaign has ended for good. Duplicate it instead.');
  const messageOf = stored ? toMissionMessage : toStandaloneMissionMessage;
  const before = messageOf(mission);
  const content = await improvedContent(uow, mission, request);
  const isLower = content.target < mission.target;
  const reachedAccounts = isLower ? await countReached(uow, mission.id, content.target) : 0;
  const { target, rewardIds } = content;
  Object.assign(mission, { target, rewardIds, ...(isLower && beforePasses(now)) });
  versioned.version += 1;
  await uow.em.flush();
  const warnings = stored ? await warningsOf(uow, stored, now) : [];
  return { id: mission.id, before, after: messageOf(mission), reachedAccounts, warnings };
}

/**
 * A mission locked for a change, and its campaign if it has one.
 * @throws DomainError `MISSION_NOT_FOUND`
 */
async function requireMission(
  uow: UnitOfWork,
  id: string,
): Promise<{ readonly mission: MissionEntity; readonly stored?: CampaignWithMissions }> {
  const key = { clientId: uow.clientId, id: id.toLowerCase() };
  const found = await uow.em.findOne(missionTable, key, { disableIdentityMap: true });
  if (found === null) throw new DomainError('MISSION_NOT_FOUND', sentence`There is no mission with the id ${id}.`);
  if (found.campaignId == null) return { mission: await requireStandalone(uow, id, { forChange: true }) };
  const stored = await requireCampaign(uow, found.campaignId, { forChange: true });
  return { mission: stored.missions.find((mission) => mission.id === key.id)!, stored };
}

/**
 * The columns of the improved mission, checked as those of a draft.
 * @throws DomainError `BAD_REQUEST`, `MISSION_IMMUTABLE`
 */
async function improvedContent(
  uow: UnitOfWork,
  mission: MissionEntity,
  request: ImproveMissionRequest,
): Promise<Pick<NewMission, 'target' | 'rewardIds'>> {
  const added = request.rewardIds.map((id) => id.toLowerCase());
  if (request.target === undefined && added.length === 0)
    throw badRequest('Nothing would change. Send a lower `target`, or `rewardIds` of rewards to add.');
  const given = added.find((id) => mission.rewardIds.includes(id));
  if (given !== undefined)
    throw badRequest(sentence`The mission gives the reward ${given} already. Send \`rewardIds\` of other rewards.`);
  const rewardIds = [...mission.rewardIds, ...added];
  if (rewardIds.length > REWARDS_MAX)
    throw badRequest(
      sentence`The mission would give ${rewardIds.length} rewards, and ${REWARDS_MAX} are possible. Send fewer \`rewardIds\`.`,
    );
  if (request.target !== undefined) requireLower(mission, amountFromNumber(request.target, 'target'));
  const { target = shownTarget(mission.target) } = request;
  const { $typeName: _, ...stored } = create(MissionSchema, toMissionMessage(mission));
  const draft = create(MissionDraftSchema, { ...stored, target, rewardIds });
  const events = eventsOf(await eventDeclarations(uow), draft, 'mission');
  const { clientId, position } = mission;
  const [campaignId, audienceId] = [mission.campaignId ?? null, mission.audienceId ?? null];
  const content = missionFromDraft(draft, { clientId, campaignId, audienceId, position, events }, 'mission');
  await requireKnownIds(uow, {
    ...{ audienceIds: [], rewardIds: [], missions: [draft], missionField: () => 'mission' },
    keptRewardIds: new Set([...mission.rewardIds, ...(mission.milestones ?? []).flatMap((each) => each.rewardIds)]),
  });
  return { target: content.target, rewardIds: content.rewardIds };
}

/** The rewards of one mission. */
const REWARDS_MAX = 10;

/** @throws DomainError `BAD_REQUEST`, or `MISSION_IMMUTABLE` for a mission whose target never changes */
function requireLower({ type, repeat, target }: MissionEntity, wanted: Amount): void {
  if (!canLowerTarget({ type, roundsMax: repeat ? Infinity : 1 }))
    throw new DomainError(
      'MISSION_IMMUTABLE',
      'The target of this mission cannot change: only that of a MISSION or CHALLENGE without `repeat` can. Leave `target` out.',
    );
  if (wanted >= target)
    throw badRequest(sentence`\`target\` must be lower than ${shownTarget(target)}, the present one.`);
}

/** The likely mistakes of a campaign that accounts can already see, or will. */
async function warningsOf(uow: UnitOfWork, stored: CampaignWithMissions, now: Date): Promise<readonly Finding[]> {
  const members = await countMembers(uow, stored.campaign.audienceIds, now);
  return activationWarnings(uow, stored, members, now);
}

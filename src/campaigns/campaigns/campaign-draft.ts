import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { CampaignDraft, MissionDraft } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { Campaign_ClaimPolicySchema } from '../../../gen/laurel/v1/campaign_pb.ts';
import { requireAudiences } from '../../audiences/audiences.queries.ts';
import type { EventDeclaration } from '../../engine/missions/event-expression.ts';
import { ENDLESS } from '../../engine/missions/mission-rule.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadRewards } from '../../rewards/definitions/rewards.queries.ts';
import type { CampaignEntity } from './campaign.entity.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { sentence } from '../../kernel/sentence.ts';
import { requireAccountFormulas } from '../../rewards/definitions/account-formula.ts';
import { eventDeclarations, type EventDeclarations } from '../event-definitions/event-definitions.queries.ts';
import { missionTable } from '../missions/mission.entity.ts';
import { missionFromDraft, type NewMission } from '../missions/mission-draft.ts';
import { requireMissionRewards, rewardIdsOfDraft } from '../missions/mission-rewards.ts';
import { prerequisitesOf } from '../missions/prerequisites.ts';

/** The fields of a campaign that an operator edits, without its missions. */
export type CampaignContent = Pick<
  CampaignEntity,
  'name' | 'description' | 'claimPolicy' | 'audienceIds' | 'controlGroupPercent' | 'rewardIds' | 'startsAt' | 'endsAt'
>;

/**
 * The columns of a campaign from an operator's draft.
 * @throws DomainError `BAD_REQUEST` for an end that is not after the start
 */
export function campaignContent(draft: CampaignDraft): CampaignContent {
  const startsAt = draft.startsAt ? timestampDate(draft.startsAt) : null;
  const endsAt = draft.endsAt ? timestampDate(draft.endsAt) : null;
  if (startsAt && endsAt && startsAt >= endsAt) throw badRequest('endsAt must be later than startsAt.');
  return {
    name: draft.name,
    description: draft.description,
    claimPolicy: enumName(Campaign_ClaimPolicySchema, draft.claimPolicy) ?? 'AUTOMATIC',
    audienceIds: lowered(draft.audienceIds),
    controlGroupPercent: draft.controlGroupPercent || null,
    rewardIds: lowered(draft.rewardIds),
    startsAt,
    endsAt,
  };
}

/**
 * The missions of a campaign draft, each with an id. References by key are replaced by ids.
 * @throws DomainError `BAD_REQUEST` with the name of the field
 */
export async function campaignMissions(
  uow: UnitOfWork,
  campaignId: string,
  drafts: readonly MissionDraft[],
): Promise<NewMission[]> {
  const declarations = await eventDeclarations(uow);
  const missions = drafts.map((draft, position) => {
    const field = `missions[${position}]`;
    const events = eventsOf(declarations, draft, field);
    return missionFromDraft(draft, { clientId: uow.clientId, campaignId, audienceId: null, position, events }, field);
  });
  return withIdsForKeys(drafts, missions);
}

function withIdsForKeys(drafts: readonly MissionDraft[], missions: readonly NewMission[]): NewMission[] {
  const ids = new Map<string, string>();
  for (const [index, { key }] of drafts.entries()) {
    if (key === undefined) continue;
    if (ids.has(key.toLowerCase()))
      throw badRequest(
        sentence`${`missions[${index}].key`} is also another mission's. Send a different key for each mission.`,
      );
    ids.set(key.toLowerCase(), missions[index]!.id);
  }
  if (ids.size === 0) return [...missions];
  return missions.map((mission) => {
    const prerequisites = prerequisitesOf(mission);
    if (prerequisites.length === 0) return mission;
    const prerequisiteMissionIds = prerequisites.map((id) => ids.get(id.toLowerCase()) ?? id);
    return { ...mission, conditions: { ...mission.conditions, prerequisiteMissionIds } };
  });
}

/**
 * The events that a mission counts.
 * @throws DomainError `BAD_REQUEST` for a code that is not in the catalogue
 */
export function eventsOf(
  declarations: EventDeclarations,
  { programmaticCode }: MissionDraft,
  field: string,
): EventDeclaration {
  const events = declarations.get(programmaticCode);
  if (events) return events;
  throw badRequest(
    sentence`${`${field}.programmaticCode`} '${programmaticCode}' is not in the catalogue. Create the event definition first.`,
  );
}

/** Ids in drafts. */
export type NamedIds = {
  readonly audienceIds: readonly string[];
  readonly rewardIds: readonly string[];
  readonly missions: readonly MissionDraft[];
  /** The name of a mission in messages; by default `missions[0]`, `missions[1]` ... */
  readonly missionField?: (index: number) => string;
  /** Rewards of the stored version: they may stay even if archived since. */
  readonly keptRewardIds?: ReadonlySet<string>;
};

/**
 * Checks that ids in a body exist, and that the amounts of its rewards can be calculated. An unknown id is an error of the body, so a 400
 * and not a 404.
 * @throws DomainError `BAD_REQUEST`, or `REWARD_NEEDS_EVENT` for a completion reward
 */
export async function requireKnownIds(uow: UnitOfWork, named: NamedIds): Promise<void> {
  await requireAudiences(uow, lowered(named.audienceIds));
  const rewards = await loadRewards(uow);
  for (const id of lowered([...named.rewardIds, ...named.missions.flatMap(rewardIdsOfDraft)])) {
    const reward = rewards.get(id);
    if (!reward) throw badRequest(sentence`There is no reward with the id ${id}. Send rewardIds of existing rewards.`);
    if (reward.archivedAt && !named.keptRewardIds?.has(id))
      throw badRequest(sentence`The reward '${reward.name}' (${id}) is archived. Send another one.`);
  }
  const completionRewards = lowered(named.rewardIds).map((id) => rewards.get(id)!);
  await requireAccountFormulas(uow, completionRewards, (index) => `rewardIds[${index}]`);
  await requireMissionRewards(uow, named.missions, rewards, named.missionField);
  const keys = new Set(lowered(named.missions.flatMap(({ key }) => key ?? [])));
  const prerequisites = named.missions.flatMap(({ conditions }) => conditions?.prerequisiteMissionIds ?? []);
  await requireMissions(
    uow,
    lowered(prerequisites).filter((id) => !keys.has(id)),
  );
}

async function requireMissions(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await uow.em.find(
    missionTable,
    { clientId: uow.clientId, id: { $in: [...ids] } },
    { fields: ['id', 'target'], disableIdentityMap: true },
  );
  const known = new Set(found.map((mission) => mission.id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw badRequest(
      sentence`There is no mission with the id ${unknown}. Send prerequisiteMissionIds of existing missions.`,
    );
  const endless = found.find(({ target }) => target === ENDLESS);
  if (endless !== undefined)
    throw badRequest(
      sentence`The mission ${endless.id} is endless, so no account can complete it. Send prerequisiteMissionIds of other missions.`,
    );
}

function lowered(ids: readonly string[]): string[] {
  return ids.map((id) => id.toLowerCase());
}

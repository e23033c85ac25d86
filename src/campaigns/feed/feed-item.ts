import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  Assignment_Status,
  FeedItem_Lock_Kind,
  type FeedItem_LockSchema,
  type FeedItem_StreakSchema,
  type FeedItemSchema,
} from '../../../gen/laurel/v1/assignment_pb.ts';
import { EventDefinition_Type } from '../../../gen/laurel/v1/event_definition_pb.ts';
import {
  Mission_Period,
  Mission_Type,
  type MissionConditions,
  MissionConditionsSchema,
} from '../../../gen/laurel/v1/mission_pb.ts';
import type { Lock } from '../../engine/missions/locks.ts';
import { missionTypes } from '../../engine/missions/mission-types.ts';
import type { AssignmentView } from '../../engine/missions/view-mission.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import { instant, missionOf, rewardMessages } from '../assignments/assignment-message.ts';
import type { CatalogMission, ClientCatalog } from '../catalog/catalog.ts';
import { type Conditions, toConditionsMessage } from '../missions/mission-conditions.ts';

/** One item of an account's feed. @param claimable whether its campaign waits for a claim */
export function feedItem(
  catalog: ClientCatalog,
  view: AssignmentView,
  claimable: boolean,
): MessageInitShape<typeof FeedItemSchema> {
  const mission = missionOf(catalog, view.missionId);
  const { campaignName, eventType, conditions, period } = textsOf(catalog, mission);
  return {
    id: view.id,
    missionId: mission.id,
    campaignId: mission.campaignId ?? undefined,
    type: Mission_Type[mission.type],
    status: Assignment_Status[view.status],
    name: mission.name,
    description: mission.description,
    imageUrl: mission.imageUrl ?? undefined,
    progress: amountToNumber(view.progress),
    target: amountToNumber(view.target),
    startsAt: instant(view.startsAt),
    expiresAt: instant(view.expiresAt),
    periodKey: view.periodKey,
    streak: streakMessage(view),
    claimable,
    completedAt: instant(view.completedAt),
    rewards: rewardMessages(catalog, mission.rewardIds),
    occurrences: view.occurrences,
    campaignName,
    programmaticCode: mission.programmaticCode,
    eventType,
    conditions,
    period,
    locks: view.locks.map((lock) => lockMessage(catalog, lock)),
  };
}

function streakMessage({ streak, today }: AssignmentView): MessageInitShape<typeof FeedItem_StreakSchema> | undefined {
  if (streak === undefined || today === undefined) return streak;
  return {
    ...streak,
    todayProgress: amountToNumber(today.progress),
    todayTarget: amountToNumber(today.target),
    keptToday: today.isKept,
    todayEndsAt: instant(today.endsAt),
    keepUntil: instant(today.keepUntil),
  };
}

function lockMessage(catalog: ClientCatalog, lock: Lock): MessageInitShape<typeof FeedItem_LockSchema> {
  const kind = FeedItem_Lock_Kind[lock.kind];
  if (lock.kind === 'OUTSIDE_HOURS') return { kind, met: lock.isMet, opensAt: instant(lock.opensAt) };
  const { missionId } = lock;
  const about = { kind, met: lock.isMet, missionId };
  const mission = catalog.missions.get(missionId);
  // Integrators see nothing of a draft.
  if (mission === undefined || catalog.rules.missions.get(missionId)?.campaign?.status === 'DRAFT') return about;
  const { campaignName } = textsOf(catalog, mission);
  return { ...about, missionName: mission.name, campaignId: mission.campaignId ?? undefined, campaignName };
}

/** What an item says of its mission whoever reads it, as far as it has to be made. */
type MissionTexts = {
  readonly campaignName: string | undefined;
  readonly eventType: EventDefinition_Type | undefined;
  readonly conditions: MissionConditions | undefined;
  readonly period: Mission_Period | undefined;
};

/** Missions belong to one catalogue, which never changes: each is told of many times. */
const texts = new WeakMap<CatalogMission, MissionTexts>();

function textsOf(catalog: ClientCatalog, mission: CatalogMission): MissionTexts {
  const known = texts.get(mission);
  if (known !== undefined) return known;
  const { campaignId, programmaticCode } = mission;
  const conditions = mission.conditions as Conditions;
  const eventType = catalog.eventTypes.get(programmaticCode);
  const goesByPeriods = missionTypes[mission.type].isSeries || conditions.maxPerPeriod !== undefined;
  const made = {
    campaignName: campaignId == null ? undefined : catalog.campaigns.get(campaignId)?.name,
    eventType: eventType && EventDefinition_Type[eventType],
    conditions: hasAny(conditions) ? create(MissionConditionsSchema, toConditionsMessage(conditions)) : undefined,
    period: goesByPeriods ? Mission_Period[mission.period ?? 'DAY'] : undefined,
  };
  texts.set(mission, made);
  return made;
}

function hasAny(conditions: Conditions): boolean {
  return Object.values(conditions).some((value) => value !== undefined);
}

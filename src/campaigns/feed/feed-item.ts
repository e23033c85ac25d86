import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  Assignment_Status,
  type FeedItem,
  FeedItem_Lock_Kind,
  FeedItem_LockSchema,
  FeedItem_StreakSchema,
  FeedItemSchema,
  OccurrencesSchema,
} from '../../../gen/laurel/v1/assignment_pb.ts';
import { EventDefinition_Type } from '../../../gen/laurel/v1/event_definition_pb.ts';
import { Mission_Period, Mission_Type } from '../../../gen/laurel/v1/mission_pb.ts';
import type { Lock } from '../../engine/missions/locks.ts';
import { shownTarget } from '../../engine/missions/milestones.ts';
import { ENDLESS } from '../../engine/missions/mission-rule.ts';
import { missionTypes } from '../../engine/missions/mission-types.ts';
import type { AssignmentView } from '../../engine/missions/view-mission.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import { instant, missionOf, nextMilestoneMessage, rewardMessages } from '../assignments/assignment-message.ts';
import type { CatalogMission, ClientCatalog } from '../catalog/catalog.ts';
import { type Conditions, toConditionsMessage } from '../missions/mission-conditions.ts';

/** One item of an account's feed. @param claimable whether its campaign waits for a claim */
export function feedItem(catalog: ClientCatalog, view: AssignmentView, claimable: boolean): FeedItem {
  // A message is a plain object. The fields of the mission are copied from a cached message: building each whole item took 5 % of the
  // feed's speed.
  return {
    ...textsOf(catalog, missionOf(catalog, view.missionId)),
    id: view.id,
    status: Assignment_Status[view.status],
    progress: amountToNumber(view.progress),
    target: shownTarget(view.target),
    startsAt: instant(view.startsAt),
    expiresAt: instant(view.expiresAt),
    periodKey: view.periodKey,
    streak: view.streak && create(FeedItem_StreakSchema, streakMessage(catalog, view)),
    claimable,
    completedAt: instant(view.completedAt),
    occurrences: view.occurrences && create(OccurrencesSchema, view.occurrences),
    completions: view.completions,
    locks: view.locks.map((lock) => create(FeedItem_LockSchema, lockMessage(catalog, lock))),
  };
}

function streakMessage(catalog: ClientCatalog, view: AssignmentView): MessageInitShape<typeof FeedItem_StreakSchema> {
  const { streak, today } = view;
  const run = { ...streak, nextMilestone: nextMilestoneMessage(catalog, view) };
  if (today === undefined) return run;
  return {
    ...run,
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
  // Integrators must not see drafts.
  if (mission === undefined || catalog.rules.missions.get(missionId)?.campaign?.status === 'DRAFT') return about;
  const { campaignName } = textsOf(catalog, mission);
  return { ...about, missionName: mission.name, campaignId: mission.campaignId ?? undefined, campaignName };
}

/** A cache by mission: missions belong to one immutable catalogue, and each is read many times. */
const texts = new WeakMap<CatalogMission, FeedItem>();

/** The fields of an item that depend on its mission only: one shared message, which no caller may change. */
function textsOf(catalog: ClientCatalog, mission: CatalogMission): FeedItem {
  const known = texts.get(mission);
  if (known !== undefined) return known;
  const { campaignId, programmaticCode } = mission;
  const conditions = mission.conditions as Conditions;
  const eventType = catalog.events.get(programmaticCode)?.type;
  const goesByPeriods = missionTypes[mission.type].isSeries || conditions.maxPerPeriod !== undefined;
  const item = create(FeedItemSchema, {
    missionId: mission.id,
    campaignId: campaignId ?? undefined,
    type: Mission_Type[mission.type],
    name: mission.name,
    description: mission.description,
    imageUrl: mission.imageUrl ?? undefined,
    rewards: rewardMessages(catalog, mission.rewardIds),
    campaignName: campaignId == null ? undefined : catalog.campaigns.get(campaignId)?.name,
    programmaticCode,
    eventType: eventType && EventDefinition_Type[eventType],
    conditions: hasAny(conditions) ? toConditionsMessage(conditions) : undefined,
    repeat: mission.repeat ?? undefined,
    endless: mission.target === ENDLESS ? true : undefined,
    period: goesByPeriods ? Mission_Period[mission.period ?? 'DAY'] : undefined,
  });
  texts.set(mission, item);
  return item;
}

function hasAny(conditions: Conditions): boolean {
  return Object.values(conditions).some((value) => value !== undefined);
}

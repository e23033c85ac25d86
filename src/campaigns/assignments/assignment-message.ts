import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  Assignment_Status,
  type AssignmentSchema,
  type NextMilestoneSchema,
  type ProgressedMission,
  type ProgressedMissionSchema,
  type StreakRunSchema,
} from '../../../gen/laurel/v1/assignment_pb.ts';
import type { RewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { Mission_Type } from '../../../gen/laurel/v1/mission_pb.ts';
import type { AssignmentState } from '../../engine/assignment.ts';
import type { Completed, Progressed } from '../../engine/decision.ts';
import { shownTarget } from '../../engine/missions/milestones.ts';
import { ENDLESS } from '../../engine/missions/mission-rule.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { AssignmentView } from '../../engine/missions/view-mission.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import { toRewardMessage } from '../../rewards/definitions/reward-message.ts';
import type { CatalogMission, ClientCatalog } from '../catalog/catalog.ts';

/** The effect of an event on one mission, as the answer shows it. */
export function progressedMission(
  catalog: ClientCatalog,
  decision: Progressed | Completed,
): MessageInitShape<typeof ProgressedMissionSchema> {
  const { assignment, previousProgress } = decision;
  const mission = missionOf(catalog, assignment.missionId);
  const shown = shownAfter(decision);
  return {
    assignmentId: assignment.id,
    missionId: mission.id,
    campaignId: mission.campaignId ?? undefined,
    type: Mission_Type[mission.type],
    name: mission.name,
    previousProgress: amountToNumber(previousProgress),
    progress: amountToNumber(shown.progress),
    target: shownTarget(assignment.target),
    status: Assignment_Status[shown.status],
    periodKey: assignment.periodKey,
    completedAt: instant(shown.completedAt),
    ...roundsOf(decision),
    milestones: decision.milestones?.map(({ length }) => length),
  };
}

/** The progress after a decision, as answers and webhooks show it. After a completed round that is the round, not the next one. */
export function shownAfter({
  kind,
  assignment: { progress, target, completedAt },
}: Progressed | Completed): Pick<AssignmentState, 'progress' | 'status' | 'completedAt'> {
  return kind === 'completed'
    ? { progress: target, status: 'COMPLETED', completedAt }
    : { progress, status: 'ACTIVE', completedAt: undefined };
}

/** The rounds of a mission that repeats, after a decision; without fields for other missions. */
function roundsOf(decision: Progressed | Completed): Pick<ProgressedMission, 'completions' | 'rounds' | 'carriedOver'> {
  const { assignment } = decision;
  const completions = assignment.detail?.completions;
  if (completions === undefined) return {};
  if (decision.kind === 'progressed') return { completions };
  const carriedOver = assignment.status === 'COMPLETED' ? undefined : amountToNumber(assignment.progress);
  return { completions, rounds: decision.rounds, ...(carriedOver !== undefined && { carriedOver }) };
}

/** An assignment as the progress and completed reads show it. */
export function toAssignmentMessage(
  catalog: ClientCatalog,
  accountId: string,
  view: AssignmentView,
): MessageInitShape<typeof AssignmentSchema> {
  const mission = missionOf(catalog, view.missionId);
  return {
    id: view.id,
    missionId: mission.id,
    campaignId: mission.campaignId ?? undefined,
    accountId,
    type: Mission_Type[mission.type],
    name: mission.name,
    progress: amountToNumber(view.progress),
    target: shownTarget(view.target),
    status: Assignment_Status[view.status],
    periodKey: view.periodKey,
    startedAt: instant(view.startedAt),
    completedAt: instant(view.completedAt),
    occurrences: view.occurrences,
    completions: view.completions,
    streak: streakRun(catalog, view),
  };
}

/** The run of a streak that is endless or has milestones; undefined for other missions. */
function streakRun(catalog: ClientCatalog, view: AssignmentView): MessageInitShape<typeof StreakRunSchema> | undefined {
  const { streak, target, missionId } = view;
  const hasMilestones = missionOf(catalog, missionId).milestones != null;
  if (streak === undefined || (target !== ENDLESS && !hasMilestones)) return undefined;
  return { current: streak.current, longest: streak.longest, nextMilestone: nextMilestoneMessage(catalog, view) };
}

/** The next milestone of a streak with its rewards; undefined without one. */
export function nextMilestoneMessage(
  catalog: ClientCatalog,
  { nextMilestone }: AssignmentView,
): MessageInitShape<typeof NextMilestoneSchema> | undefined {
  if (nextMilestone === undefined) return undefined;
  const { length, rewardIds, freezes } = nextMilestone;
  return { length, rewards: rewardMessages(catalog, rewardIds), freezes };
}

/** Rewards of the catalogue as the reads of an account show them. */
export function rewardMessages(
  { rewards }: ClientCatalog,
  ids: readonly string[],
): MessageInitShape<typeof RewardSchema>[] {
  return ids.flatMap((id) => {
    const reward = rewards.get(id);
    return reward ? [toRewardMessage(reward)] : [];
  });
}

/**
 * A mission of the catalogue. Decisions and views refer to missions of the catalogue with which they were made.
 * @throws Error for an unknown mission
 */
export function missionOf(catalog: ClientCatalog, id: string): CatalogMission {
  const mission = catalog.missions.get(id);
  if (!mission) throw new Error(`The mission ${id} is not in the catalogue.`);
  return mission;
}

/** The message form of a time; undefined stays undefined. */
export function instant(timestamp: Timestamp | undefined): ReturnType<typeof timestampFromMs> | undefined {
  return timestamp === undefined ? undefined : timestampFromMs(timestamp);
}

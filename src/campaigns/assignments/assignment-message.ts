import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  Assignment_Status,
  type AssignmentSchema,
  type ProgressedMissionSchema,
} from '../../../gen/laurel/v1/assignment_pb.ts';
import type { RewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { Mission_Type } from '../../../gen/laurel/v1/mission_pb.ts';
import type { Completed, Progressed } from '../../engine/decision.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { AssignmentView } from '../../engine/missions/view-mission.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import { toRewardMessage } from '../../rewards/definitions/reward-message.ts';
import type { CatalogMission, ClientCatalog } from '../catalog/catalog.ts';

/** The effect of an event on one mission, as the answer shows it. */
export function progressedMission(
  catalog: ClientCatalog,
  { assignment, previousProgress }: Progressed | Completed,
): MessageInitShape<typeof ProgressedMissionSchema> {
  const mission = missionOf(catalog, assignment.missionId);
  return {
    assignmentId: assignment.id,
    missionId: mission.id,
    campaignId: mission.campaignId ?? undefined,
    type: Mission_Type[mission.type],
    name: mission.name,
    previousProgress: amountToNumber(previousProgress),
    progress: amountToNumber(assignment.progress),
    target: amountToNumber(assignment.target),
    status: Assignment_Status[assignment.status],
    periodKey: assignment.periodKey,
    completedAt: instant(assignment.completedAt),
  };
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
    target: amountToNumber(view.target),
    status: Assignment_Status[view.status],
    periodKey: view.periodKey,
    startedAt: instant(view.startedAt),
    completedAt: instant(view.completedAt),
    occurrences: view.occurrences,
  };
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

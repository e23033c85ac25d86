import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AccountMerge_Progress,
  type AccountMergeSchema,
  type MergedMissionSchema,
} from '../../gen/laurel/v1/account_merge_pb.ts';
import { missionOf } from '../campaigns/assignments/assignment-message.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { shownTarget } from '../engine/missions/milestones.ts';
import { amountToNumber } from '../kernel/amount.ts';
import type { AccountMergeEntity } from './account-merge.entity.ts';
import type { CombinedMission } from './combine-progress.ts';

/** Milliseconds within which a merge can be undone: 30 days. */
export const UNDOABLE_MS = 30 * 86_400_000;

/** A mission of both accounts, as the answer to a merge shows it. */
export function mergedMissionMessage(
  catalog: ClientCatalog,
  { assignment, mergedProgress, previousProgress, rounds }: CombinedMission,
): MessageInitShape<typeof MergedMissionSchema> {
  const mission = missionOf(catalog, assignment.missionId);
  return {
    missionId: mission.id,
    name: mission.name,
    campaignId: mission.campaignId ?? undefined,
    periodKey: assignment.periodKey || undefined,
    mergedProgress: amountToNumber(mergedProgress),
    previousProgress: amountToNumber(previousProgress),
    progress: amountToNumber(assignment.progress),
    target: shownTarget(assignment.target),
    completed: assignment.status === 'COMPLETED',
    roundsCompleted: rounds > 0 ? rounds : undefined,
  };
}

/** A merge as the API shows it. */
export function toAccountMergeMessage(merge: AccountMergeEntity): MessageInitShape<typeof AccountMergeSchema> {
  const { id, accountId, externalId, intoAccountId, progress, operationId, mergedAt, undoneAt, hasPaid } = merge;
  return {
    mergeId: id,
    accountId,
    externalId: externalId ?? undefined,
    intoAccountId,
    progress: AccountMerge_Progress[progress],
    operationId: operationId ?? undefined,
    mergedAt: timestampFromDate(mergedAt),
    undoableUntil: hasPaid || undoneAt ? undefined : timestampFromDate(new Date(mergedAt.getTime() + UNDOABLE_MS)),
    undoneAt: undoneAt ? timestampFromDate(undoneAt) : undefined,
  };
}

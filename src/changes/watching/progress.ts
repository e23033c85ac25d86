import type { MessageInitShape } from '@bufbuild/protobuf';
import type { WatchAccountResponse_ProgressSchema } from '../../../gen/laurel/v1/change_service_pb.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { ChangeLine } from '../read-changes.ts';

/** The progress of an account, as a stream tells it. */
export type Progress = MessageInitShape<typeof WatchAccountResponse_ProgressSchema>;

/** A mission after an event. */
export type MissionProgress = {
  readonly missionId: string;
  readonly progress: number;
  readonly target: number;
  readonly completed: boolean;
};

/** A batch of the journal that moved missions. */
export type ProgressBatch = {
  readonly accountIds: ReadonlySet<string>;
  /** The missions that the events of an account moved, in the order of the events. */
  missionsOf(accountId: string): readonly MissionProgress[];
};

/** A batch of the journal, and the time of its transaction's last statement. */
export type JournalRef = { readonly id: string; readonly storedAt: Date };

/** Reads batches of the journal by id. Batches that are no longer kept are left out. */
export type ReadProgress = (
  uow: UnitOfWork,
  refs: readonly JournalRef[],
) => Promise<ReadonlyMap<string, ProgressBatch>>;

/** The batches of the journal that lines of the feed name. */
export async function progressIn(
  uow: UnitOfWork,
  lines: readonly ChangeLine[],
  read: ReadProgress | undefined,
): Promise<ReadonlyMap<string, ProgressBatch>> {
  const refs = lines.flatMap(({ journalBatchIds, occurredAt }) =>
    journalBatchIds.map((id): JournalRef => ({ id, storedAt: occurredAt })),
  );
  return read === undefined || refs.length === 0 ? new Map() : read(uow, refs);
}

/** The progress of each wanted account in a transaction: each mission once, as the last event left it. */
export function progressByAccount(
  batches: readonly ProgressBatch[],
  isWanted: (accountId: string) => boolean,
): Map<string, Progress> {
  const found = new Map<string, Progress>();
  for (const accountId of new Set(batches.flatMap(({ accountIds }) => [...accountIds].filter(isWanted)))) {
    const missions = new Map<string, MissionProgress>();
    for (const mission of batches.flatMap((batch) => batch.missionsOf(accountId))) {
      const completed = mission.completed || missions.get(mission.missionId)?.completed === true;
      missions.set(mission.missionId, { ...mission, completed });
    }
    if (missions.size > 0) found.set(accountId, { missions: [...missions.values()] });
  }
  return found;
}

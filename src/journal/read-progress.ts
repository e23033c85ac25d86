import type { UnitOfWork } from '../persistence/database.ts';
import type { JournalRef, MissionProgress, ProgressBatch } from '../changes/watching/progress.ts';
import { type Batch, batchesById } from './journal-batches.ts';
import { entryNames, entryRow } from './journal-row.ts';

/** Milliseconds from the write of a batch to the end of its transaction: far above the limit of its statements. */
const BEFORE_MS = 60_000;

/** Milliseconds by which the clocks of two nodes of a database may differ. */
const SKEW_MS = 5_000;

/** Reads the progress in batches of the journal. A batch that is no longer kept is left out. */
export async function readProgress(
  uow: UnitOfWork,
  refs: readonly JournalRef[],
): Promise<ReadonlyMap<string, ProgressBatch>> {
  const times = refs.map(({ storedAt }) => storedAt.getTime());
  const from = new Date(Math.min(...times) - BEFORE_MS);
  const until = new Date(Math.max(...times) + SKEW_MS);
  const ids = refs.map(({ id }) => id);
  const batches = await batchesById(uow, ids, { from, until });
  return new Map(batches.map((batch) => [batch.id, toProgress(batch)]));
}

function toProgress(batch: Batch): ProgressBatch {
  const { accountIds, entries } = batch;
  const names = entryNames(batch);
  return {
    accountIds: new Set(accountIds.filter((accountId) => accountId !== null)),
    missionsOf: (accountId) =>
      entries.flatMap((stored, index): MissionProgress[] => {
        if (stored === 0 || accountIds[index] !== accountId) return [];
        return (entryRow(stored, names).details?.missions ?? []).map(
          ([missionId, , progress, target, rounds = 0]): MissionProgress => {
            return { missionId, progress, target, completed: rounds > 0 };
          },
        );
      }),
  };
}

import type { UnitOfWork } from '../../persistence/database.ts';
import type { LeaderboardRunEntity } from './leaderboard-run.entity.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { dropWaiting } from '../leagues/places.queries.ts';
import { countEntries } from '../ranks/ranks.queries.ts';
import { updateRun } from './runs.queries.ts';

/**
 * Makes the ranks of a run final. The caller has locked the run `for update`, and so has waited for every event that writes its entries.
 * @param status CLOSING, whose prizes follow, or CANCELLED
 */
export async function finishRun(
  uow: UnitOfWork,
  runId: string,
  {
    status,
    reason,
    now,
  }: { readonly status: LeaderboardRunEntity['status']; readonly reason?: string; readonly now: Date },
): Promise<void> {
  const entries = await countEntries(uow, runId);
  const isCancelled = status === 'CANCELLED';
  await updateRun(uow, runId, {
    set: `status = $3, entries = $4, cancel_reason = $5, closes_at = least(closes_at, $6), due_at = case when $7 then null else least(closes_at, $6::timestamptz) end,
          closed_at = case when $7 then $6::timestamptz end,
          prizes = case when $7 then '[]'::jsonb else (select b.prizes from ${lookUpByKey({
            select: 'prizes',
            from: 'leaderboard',
            key: { id: 'r.leaderboard_id' },
          })} b) end`,
    values: [status, entries, reason ?? null, now, isCancelled],
  });
  if (isCancelled) await dropWaiting(uow, runId);
}

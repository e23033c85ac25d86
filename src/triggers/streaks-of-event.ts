import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { saveReviewsOf } from '../campaigns/streak-risks/save-reviews-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { DecidedTrigger } from './batch-trigger.ts';

/** Stores when the runs that a batch of events moved are reviewed next, for the warning that they are at risk. */
export async function storeStreakReviews(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  decided: readonly DecidedTrigger[],
  now: Date,
): Promise<void> {
  if (catalog.streakSettings.atRiskHours === undefined) return;
  const moved = decided.map(({ context, decisions }) => {
    return { context, missionIds: decisions.flatMap((each) => (each.kind === 'progressed' ? each.missionId : [])) };
  });
  await saveReviewsOf(uow, catalog, moved, now);
}

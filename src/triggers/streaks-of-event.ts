import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { saveLooksOf } from '../campaigns/streak-risks/save-looks-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { DecidedTrigger } from './batch-trigger.ts';

/** Stores when the runs that a batch of events moved are looked at next, for the warning that they are at risk. */
export async function storeStreakLooks(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  decided: readonly DecidedTrigger[],
  now: Date,
): Promise<void> {
  if (catalog.streakSettings.atRiskHours === undefined) return;
  const moved = decided.map(({ context, decisions }) => {
    return { context, missionIds: decisions.flatMap((each) => (each.kind === 'progressed' ? each.missionId : [])) };
  });
  await saveLooksOf(uow, catalog, moved, now);
}

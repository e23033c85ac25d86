import { newId } from '../kernel/ids.ts';
import { addToFeed } from '../changes/collect-changes.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { redemptionChanged } from './redemption-changed.ts';
import type { NewRedemption, RecordedRedemption } from './redemption.ts';
import { insertRedemptions } from './redemptions.queries.ts';

/** Records redemptions in one statement, in the transaction that took the units. Returns one result for each, in the same order. */
export async function recordRedemptions(
  uow: UnitOfWork,
  redemptions: readonly NewRedemption[],
): Promise<RecordedRedemption[]> {
  const recorded = redemptions.map(({ id = newId(), pointsSpent = 0n, now, ...rest }): RecordedRedemption => ({
    ...rest,
    id,
    pointsSpent,
    status: 'COMPLETED',
    createdAt: now,
  }));
  addToFeed(uow, () => recorded.map(redemptionChanged));
  if (recorded.length > 0) await insertRedemptions(uow, recorded);
  return recorded;
}

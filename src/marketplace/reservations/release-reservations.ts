import type { UnitOfWork } from '../../persistence/database.ts';
import { closeReservations, openReservations, placesHeldBy } from './reservations.queries.ts';
import { release } from '../sellable-stock.ts';
import { lockSellableStockIfAny, saveSellableStock } from '../sellable-stock.queries.ts';

/**
 * Gives back every unit that an account holds of any publication, as of `now`. The caller holds the account for removal, so
 * none can be reserved meanwhile; reservations are read again under the lock of what they took units from, where a
 * purchase may have used them. A repeat does nothing.
 */
export async function releaseReservations(uow: UnitOfWork, accountId: string, now: Date): Promise<void> {
  for (const place of await placesHeldBy(uow, accountId)) {
    const sellable = await lockSellableStockIfAny(uow, place, now);
    if (sellable === undefined) continue;
    const open = await openReservations(uow, accountId, place.id, now);
    release(
      sellable,
      open.reduce((sum, { quantity }) => sum + quantity, 0),
    );
    const ids = open.map(({ id }) => id);
    await Promise.all([closeReservations(uow, ids, 'RELEASED', now), saveSellableStock(uow, sellable, now)]);
  }
}

import type { UnitOfWork } from '../../persistence/database.ts';
import { openReservations, placesHeldBy, saveReservations } from './reservations.queries.ts';
import { release } from '../sellable-stock.ts';
import { lockSellableStocks, saveSellableStocks } from '../sellable-stock.queries.ts';

/**
 * Gives back every unit that an account holds of any publication, as of `now`. The caller holds the account for removal, so
 * none can be reserved meanwhile; reservations are read again under the lock of what they took units from, where a
 * purchase may have used them. A repeat does nothing.
 */
export async function releaseReservations(uow: UnitOfWork, accountId: string, now: Date): Promise<void> {
  for (const place of await placesHeldBy(uow, accountId)) {
    const sellables = await lockSellableStocks(uow, [place], now);
    const sellable = sellables.get(place.id);
    if (sellable === undefined) continue;
    const open = await openReservations(uow, [{ accountId, publicationId: place.id }], now);
    for (const { quantity } of open) release(sellable, quantity);
    const released = open.map((reservation) => ({ ...reservation, status: 'RELEASED' as const }));
    await Promise.all([saveReservations(uow, released, now), saveSellableStocks(uow, [sellable], now)]);
  }
}

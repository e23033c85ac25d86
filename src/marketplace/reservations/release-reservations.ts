import type { UnitOfWork } from '../../persistence/database.ts';
import { openReservations, publicationsHeldBy, saveReservations } from './reservations.queries.ts';
import { release } from '../sellable-stock.ts';
import { lockSellableStocks, saveSellableStocks } from '../sellable-stock.queries.ts';

/**
 * Releases all reservations of an account at `now`. The caller has locked the account for removal, so that it gets no new ones.
 * Reservations are read again under the lock of their stock, because a purchase may have used them. A repeat does nothing.
 */
export async function releaseReservations(uow: UnitOfWork, accountId: string, now: Date): Promise<void> {
  for (const publication of await publicationsHeldBy(uow, accountId)) {
    const sellables = await lockSellableStocks(uow, [publication], now);
    const sellable = sellables.get(publication.id);
    if (sellable === undefined) continue;
    const open = await openReservations(uow, [{ accountId, publicationId: publication.id }], now);
    for (const { quantity } of open) release(sellable, quantity);
    const released = open.map((reservation) => ({ ...reservation, status: 'RELEASED' as const }));
    await Promise.all([saveReservations(uow, released, now), saveSellableStocks(uow, [sellable], now)]);
  }
}

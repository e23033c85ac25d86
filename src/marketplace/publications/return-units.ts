import type { Call } from '../../clients/call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { restock } from '../../rewards/delivery/restock.ts';
import { requireProduct } from '../../rewards/products/products.queries.ts';
import { deallocate } from '../../rewards/products/stock.ts';
import { lockStocks, saveStocks } from '../../rewards/products/stock.queries.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import type { SellableStock } from '../sellable-stock.ts';
import { lockSellableStock } from '../sellable-stock.queries.ts';
import { requirePlace } from './publications.queries.ts';

/**
 * Takes units out of a publication, in one transaction with their return to the product, then delivers to those who wait for
 * the product. If this process dies in between, housekeeping goes on.
 * @param id of the publication
 * @param dispatcher is told once the call is answered: deliveries may close campaigns
 * @param take takes units out of the publication, whose sellable stock is locked, and gives how many these are
 * @throws DomainError `PUBLICATION_NOT_FOUND`, and what `take` throws
 */
export async function returnUnits<Answer>(
  call: Call,
  id: string,
  dispatcher: Pick<Dispatcher, 'wake'>,
  take: (uow: UnitOfWork, sellable: SellableStock) => Promise<{ readonly units: number; readonly answer: Answer }>,
): Promise<Answer> {
  const { db, now } = call;
  const { clientId } = call.principal;
  const { product, answer, waiting } = await db.unitOfWork(clientId, async (uow) => {
    const place = await requirePlace(uow, id);
    const freed = await requireProduct(uow, place.productId);
    const stocks = await lockStocks(uow, [freed]);
    const stock = stocks.get(freed.id)!;
    const taken = await take(uow, await lockSellableStock(uow, place, now));
    deallocate(stock, taken.units);
    await saveStocks(uow, stocks.values(), now);
    return { product: freed, answer: taken.answer, waiting: stock.waiting };
  });
  if (waiting > 0) {
    call.afterResponse(() => dispatcher.wake(clientId));
    await restock(db, clientId, product, async () => 0, now);
  }
  return answer;
}

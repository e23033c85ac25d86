import type { Call } from '../../clients/call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { restock } from '../../rewards/delivery/restock.ts';
import { requireProduct } from '../../rewards/products/products.queries.ts';
import { deallocate, type ProductStock } from '../../rewards/products/stock/stock.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import type { SellableStock } from '../sellable-stock.ts';
import { lockSellableStock } from '../sellable-stock.queries.ts';
import { requirePublicationKeys } from './publications.queries.ts';

/**
 * Returns units of a publication to the product and delivers waiting rewards, in one transaction. If thousands wait, further transactions
 * deliver the rest; if this process dies in between, a scheduled job continues.
 * @param id the id of the publication
 * @param dispatcher is called after the answer of the call: deliveries may close campaigns
 * @param take takes units out of the publication, whose sellable stock is locked, and returns their number
 * @throws DomainError `PUBLICATION_NOT_FOUND`, and the errors of `take`
 */
export async function returnUnits<Answer>(
  call: Call,
  id: string,
  dispatcher: Pick<Dispatcher, 'wake'>,
  take: (uow: UnitOfWork, sellable: SellableStock) => Promise<{ readonly units: number; readonly answer: Answer }>,
): Promise<Answer> {
  const { db, now } = call;
  const { clientId } = call.principal;
  const { publication, product } = await db.unitOfWork(clientId, async (uow) => {
    const found = await requirePublicationKeys(uow, id);
    return { publication: found, product: await requireProduct(uow, found.productId) };
  });
  const answers: Answer[] = [];
  const free = async (uow: UnitOfWork, stock: ProductStock) => {
    const taken = await take(uow, await lockSellableStock(uow, publication, now));
    deallocate(stock, taken.units);
    answers.push(taken.answer);
    return 0;
  };
  const delivered = await restock(db, clientId, product, free, now);
  if (delivered > 0) call.afterResponse(() => dispatcher.wake(clientId));
  return answers.at(-1)!;
}

import type { UnitOfWork } from '../../persistence/database.ts';
import { requireProduct } from '../products/products.queries.ts';
import { lockStocks, saveStocks } from '../products/stock/stock.queries.ts';
import { dropFromQueue, waitingAmong, waitingOfAccount } from './earned-rewards.queries.ts';
import { announceSettled } from './reward-webhooks.ts';

/**
 * Deletes the pending rewards of an account from the queues, at `now`, and enqueues the webhooks of closings that waited for nothing
 * else. The caller has locked the account for deletion, so none can be added; this locks the products. A second run does nothing.
 */
export async function dropPendingRewards(uow: UnitOfWork, accountId: string, now: Date): Promise<void> {
  const found = await waitingOfAccount(uow, accountId);
  if (found.length === 0) return;
  const productIds = [...new Set(found.map(({ productId }) => productId))];
  const products = await Promise.all(productIds.map((id) => requireProduct(uow, id)));
  const stocks = await lockStocks(uow, products);
  // If the account was deleted earlier, a restock may have removed some meanwhile.
  const productOf = new Map(found.map(({ id, productId }) => [id, productId]));
  const waiting = await waitingAmong(uow, found);
  for (const { id } of waiting) stocks.get(productOf.get(id)!)!.waiting -= 1;
  await dropFromQueue(uow, waiting);
  await saveStocks(uow, stocks.values(), now);
  await announceSettled(uow, waiting);
}

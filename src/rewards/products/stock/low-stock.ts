import type { StockLowJson } from '../../../../gen/laurel/v1/webhook_pb.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import { enqueueWebhooks } from '../../../webhooks/outbox/enqueue-webhooks.ts';
import type { ProductStock } from './stock.ts';

/**
 * Puts one stock-low webhook for each product that this transaction makes low into the outbox: it had as many units as its threshold and
 * has fewer, or it had some and has none. The row is locked while units are taken, so exactly one process sees the threshold crossed. A low
 * product is reported again only after its stock has reached the threshold again.
 * @param stocks the stocks of locked products, as saved
 */
export async function announceLowStocks(uow: UnitOfWork, stocks: readonly ProductStock[], now: Date): Promise<void> {
  const low = stocks.flatMap((stock) => {
    const { product, units, lowThreshold } = stock;
    const state = stateReached(stock);
    stock.unitsStored = units;
    if (state === undefined || lowThreshold === undefined) return [];
    const { id: productId, name } = product;
    const what = { state, stock: units, lowStockThreshold: lowThreshold, occurredAt: now.toISOString() };
    return [{ productId, name, clientId: uow.clientId, ...what } satisfies StockLowJson];
  });
  if (low.length === 0) return;
  await enqueueWebhooks(
    uow,
    low.map((stock) => ({ kind: 'STOCK_LOW', json: JSON.stringify(stock) })),
  );
}

/** The lowest mark that the stock has crossed since the row was locked or last saved. */
function stateReached({ lowThreshold, unitsStored, units }: ProductStock): 'LOW' | 'SOLD_OUT' | undefined {
  if (lowThreshold === undefined) return undefined;
  if (unitsStored > 0 && units === 0) return 'SOLD_OUT';
  return unitsStored >= lowThreshold && units < lowThreshold ? 'LOW' : undefined;
}

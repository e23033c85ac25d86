import type { UnitOfWork } from '../../../../../../../src/persistence/database.ts';
import type { Product } from '../../../../../../../src/rewards/products/product.ts';
import type { ProductStock, Stocks } from '../../../../../../../src/rewards/products/stock/stock.ts';
import { storeOf } from '../../../../store.ts';

export async function lockStocks(uow: UnitOfWork, products: Iterable<Product>): Promise<Stocks> {
  const rows = new Map(
    storeOf(uow)
      .rows('product')
      .map((row) => [row['id'] as string, row]),
  );
  const waiting = storeOf(uow)
    .rows('earned_reward')
    .filter(({ status }) => status === 'PENDING_STOCK');
  return new Map(
    [...products].map((product) => {
      const { stock: units = 0, allocated = 0, waiting: queued = 0 } = rows.get(product.id) ?? {};
      const needs = waiting
        .filter(({ productId }) => productId === product.id)
        .map(({ unitsNeeded }) => unitsNeeded as number);
      const smallestNeed = needs.length === 0 ? undefined : Math.min(...needs);
      const counts = {
        units,
        allocated,
        waiting: queued,
        smallestNeed,
        added: 0,
        lowThreshold: undefined,
        unitsStored: units,
        allocatedStored: allocated,
      };
      return [product.id, { product, ...counts }];
    }),
  );
}

export async function saveStocks(uow: UnitOfWork, stocks: Iterable<ProductStock>, now: Date): Promise<void> {
  for (const { product, units: stock, allocated, waiting } of stocks)
    if (product.stockMode !== 'UNLIMITED')
      storeOf(uow).change('product', product.id, { stock, allocated, waiting, updatedAt: now });
}

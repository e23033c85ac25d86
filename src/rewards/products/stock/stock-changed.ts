import type { MessageInitShape } from '@bufbuild/protobuf';
import { StockChangedSchema } from '../../../../gen/laurel/v1/change_pb.ts';
import { addToFeed, changeOf, type FedChange } from '../../../changes/collect-changes.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import type { ProductStock } from './stock.ts';

/** Adds the stocks of locked products to the feed that differ from what is stored. Call it before the row is saved. */
export function feedStocks(uow: UnitOfWork, stocks: readonly ProductStock[]): void {
  addToFeed(uow, () =>
    stocks.flatMap(({ product, units, unitsStored, allocated, allocatedStored }) =>
      units === unitsStored && allocated === allocatedStored
        ? []
        : [stockChanged({ productId: product.id, change: units - unitsStored, stock: units, allocated })],
    ),
  );
  for (const stock of stocks) stock.allocatedStored = stock.allocated;
}

/** The change that announces the units of a product. */
export function stockChanged(change: MessageInitShape<typeof StockChangedSchema>): FedChange {
  return changeOf('STOCK_CHANGED', StockChangedSchema, change);
}

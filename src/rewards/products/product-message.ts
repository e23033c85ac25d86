import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Product_StockMode, type ProductSchema } from '../../../gen/laurel/admin/v1/product_pb.ts';
import { amountFromDecimal, amountToNumber } from '../../kernel/amount.ts';
import type { ProductDetails, ProductItem } from './products.queries.ts';

/** A product as the API shows it, with the items of its codes. */
export function toProductMessage(
  product: ProductDetails,
  items: readonly ProductItem[],
): MessageInitShape<typeof ProductSchema> {
  const { stock_mode: stockMode, points_cost: pointsCost } = product;
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    stockMode: Product_StockMode[stockMode],
    ...(stockMode === 'UNLIMITED' ? {} : unitsOf(product)),
    fragmentsRequired: product.fragments_required ?? undefined,
    pointsCost: pointsCost === null ? undefined : amountToNumber(amountFromDecimal(pointsCost)),
    items: items.map(({ id, name }) => ({ id, name })),
    createdAt: timestampFromDate(product.created_at),
    updatedAt: timestampFromDate(product.updated_at),
    version: product.version,
    waiting: product.waiting,
    lowStockThreshold: product.low_stock_threshold ?? undefined,
    archivedAt: product.deleted_at === null ? undefined : timestampFromDate(product.deleted_at),
  };
}

function unitsOf({ stock, allocated }: ProductDetails) {
  return { stock, allocated, free: stock - allocated };
}

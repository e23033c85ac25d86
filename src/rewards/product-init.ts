import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Product_StockMode, type ProductSchema } from '../../gen/laurel/admin/v1/product_pb.ts';
import { amountToNumber } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { ProductItemEntity } from './product-item.entity.ts';
import type { ProductEntity } from './product.entity.ts';

/** Products as the API shows them, in their order, with what their codes are good for. */
export async function productInits(
  uow: UnitOfWork,
  products: readonly ProductEntity[],
): Promise<MessageInitShape<typeof ProductSchema>[]> {
  const productId = products.map((product) => product.id);
  const items = await uow.em.find(
    ProductItemEntity,
    { clientId: uow.clientId, productId },
    { orderBy: { id: 'asc' }, disableIdentityMap: true },
  );
  const byProduct = Map.groupBy(items, (item) => item.productId);
  return products.map((product) => productInit(product, byProduct.get(product.id) ?? []));
}

function productInit(
  product: ProductEntity,
  items: readonly ProductItemEntity[],
): MessageInitShape<typeof ProductSchema> {
  const { stockMode, pointsCost } = product;
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    stockMode: Product_StockMode[stockMode],
    stock: stockMode === 'UNLIMITED' ? undefined : product.stock,
    fragmentsRequired: product.fragmentsRequired ?? undefined,
    pointsCost: pointsCost === null || pointsCost === undefined ? undefined : amountToNumber(pointsCost),
    items: items.map(({ id, name }) => ({ id, name })),
    createdAt: timestampFromDate(product.createdAt),
    updatedAt: timestampFromDate(product.updatedAt),
  };
}

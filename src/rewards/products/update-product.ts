import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ProductAdminService,
  type UpdateProductRequest,
  type UpdateProductResponseSchema,
} from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { ProductSchema } from '../../../gen/laurel/admin/v1/product_pb.ts';
import { checkedText } from '../../kernel/text.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { amountFromNumber } from '../../kernel/amount.ts';
import { readProduct } from './get-product.ts';
import { thresholdOf } from './stock/low-stock-threshold.ts';
import { productEntity } from './products.queries.ts';

/** Replaces texts, price and threshold of a product: proto ProductAdminService.UpdateProduct. It never changes units. */
export async function updateProduct(
  { db, principal, now }: Call,
  request: UpdateProductRequest,
): Promise<MessageInitShape<typeof UpdateProductResponseSchema>> {
  const { pointsCost } = request;
  const name = checkedText(request.name, '`name`');
  const description = checkedText(request.description, '`description`');
  const price = pointsCost === undefined ? null : amountFromNumber(pointsCost, '`pointsCost`');
  const change = { operation: ProductAdminService.method.updateProduct, schema: ProductSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const product = await productEntity(uow, request.id);
    await requireVersion(uow, ProductSchema, product, request.version);
    const before = await readProduct(uow, product.id);
    const version = product.version + 1;
    const lowStockThreshold = thresholdOf(request, product.stockMode);
    uow.em.assign(product, { name, description, pointsCost: price, lowStockThreshold, version, updatedAt: now });
    await uow.em.flush();
    const after = await readProduct(uow, product.id);
    return { id: product.id, before, after };
  });
  return { product: after };
}

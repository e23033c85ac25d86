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
import { amountFromNumber, amountToDecimal } from '../../kernel/amount.ts';
import { readProduct } from './get-product.ts';
import { requireProductDetails } from './products.queries.ts';

/** Replaces texts and price of a product: proto ProductAdminService.UpdateProduct. Its units are never touched here. */
export async function updateProduct(
  { db, principal, now }: Call,
  request: UpdateProductRequest,
): Promise<MessageInitShape<typeof UpdateProductResponseSchema>> {
  const { pointsCost } = request;
  const name = checkedText(request.name, '`name`');
  const description = checkedText(request.description, '`description`');
  const price = pointsCost === undefined ? null : amountToDecimal(amountFromNumber(pointsCost, '`pointsCost`'));
  const change = { operation: ProductAdminService.method.updateProduct, schema: ProductSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const product = await requireProductDetails(uow, request.id);
    await requireVersion(uow, ProductSchema, product, request.version);
    const before = await readProduct(uow, product.id);
    await uow.query(
      `update product set name = $3, description = $4, points_cost = $5, version = version + 1, updated_at = $6
        where client_id = $1 and id = $2`,
      [uow.clientId, product.id, name, description, price, now],
    );
    const after = await readProduct(uow, product.id);
    return { id: product.id, before, after };
  });
  return { product: after };
}

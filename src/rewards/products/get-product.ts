import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetProductRequest,
  GetProductResponseSchema,
} from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import type { ProductSchema } from '../../../gen/laurel/admin/v1/product_pb.ts';
import type { Call } from '../../clients/call.ts';
import { NAMED_MAX } from '../../kernel/errors/in-use.ts';
import { allUsesOfProduct, type UsesAbove } from '../definitions/uses.queries.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { toProductMessage } from './product-message.ts';
import { itemsOf, requireProductDetails } from './products.queries.ts';

/** Returns one product: proto ProductAdminService.GetProduct. */
export function getProduct(
  { db, principal, now }: Call,
  { id }: GetProductRequest,
  usesAbove: UsesAbove,
): Promise<MessageInitShape<typeof GetProductResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const product = await readProduct(uow, id);
    return { product, uses: (await allUsesOfProduct(uow, id, usesAbove, now)).slice(0, NAMED_MAX).map(String) };
  });
}

/**
 * One product as the API shows it.
 * @throws DomainError `PRODUCT_NOT_FOUND`
 */
export async function readProduct(uow: UnitOfWork, id: string): Promise<MessageInitShape<typeof ProductSchema>> {
  const product = await requireProductDetails(uow, id);
  return toProductMessage(product, (await itemsOf(uow, [product.id])).get(product.id) ?? []);
}

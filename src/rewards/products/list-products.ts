import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListProductsRequest,
  ListProductsResponseSchema,
} from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toProductMessage } from './product-message.ts';
import { itemsOf, productPage } from './products.queries.ts';

/** Lists products by page, by name: proto ProductAdminService.ListProducts. */
export function listProducts(
  { db, principal }: Call,
  request: ListProductsRequest,
): Promise<MessageInitShape<typeof ListProductsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await productPage(uow, request);
    const items = await itemsOf(
      uow,
      page.rows.map((product) => product.id),
    );
    return { ...page, rows: page.rows.map((product) => toProductMessage(product, items.get(product.id) ?? [])) };
  });
}

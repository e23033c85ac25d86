import type { ServiceImpl } from '@connectrpc/connect';
import type { ProductAdminService } from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import { afterResponse } from '../../kernel/after-response.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { addProductCodes } from './add-product-codes.ts';
import { addProductStock } from './add-product-stock.ts';
import { archiveProduct } from './archive-product.ts';
import type { UsesAbove } from '../definitions/archive-reward.ts';
import { createProduct } from './create-product.ts';
import { getProduct } from './get-product.ts';
import { listProductCodes } from './list-product-codes.ts';
import { listProducts } from './list-products.ts';
import { updateProduct } from './update-product.ts';
import { withdrawProductCodes } from './withdraw-product-codes.ts';

/**
 * Products, their codes and stock. A restock may close campaigns, which `dispatcher` is then told to send; `usesAbove` is asked
 * before one is archived.
 */
export function productAdminService(
  db: Database,
  clock: Clock,
  dispatcher: Pick<Dispatcher, 'wake'>,
  usesAbove: UsesAbove,
) {
  return {
    createProduct: (request, context) => createProduct(db, principalOf(context), request),
    getProduct: (request, context) => getProduct(db, principalOf(context), request),
    listProducts: (request, context) => listProducts(db, principalOf(context), request),
    addProductCodes: (request, context) => {
      const principal = principalOf(context);
      afterResponse(context, () => dispatcher.wake(principal.clientId));
      return addProductCodes(db, principal, request, clock());
    },
    addProductStock: (request, context) => {
      const principal = principalOf(context);
      afterResponse(context, () => dispatcher.wake(principal.clientId));
      return addProductStock(db, principal, request, clock());
    },
    updateProduct: (request, context) => updateProduct(db, principalOf(context), request, clock()),
    archiveProduct: (request, context) => archiveProduct(db, principalOf(context), request, clock(), usesAbove),
    listProductCodes: (request, context) => listProductCodes(db, principalOf(context), request),
    withdrawProductCodes: (request, context) => withdrawProductCodes(db, principalOf(context), request, clock()),
  } satisfies ServiceImpl<typeof ProductAdminService>;
}

import type { ProductAdminService } from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { addProductCodes } from './codes/add-product-codes.ts';
import { addProductStock } from './stock/add-product-stock.ts';
import { archiveProduct } from './archive-product.ts';
import type { UsesAbove } from '../definitions/uses.queries.ts';
import { createProduct } from './create-product.ts';
import { getProduct } from './get-product.ts';
import { getProductOutlook } from './stock/get-product-outlook.ts';
import { listProductCodes } from './codes/list-product-codes.ts';
import { listProductRedemptions } from './redeeming/list-product-redemptions.ts';
import { listProducts } from './list-products.ts';
import { revealProductCode } from './codes/reveal-product-code.ts';
import { updateProduct } from './update-product.ts';
import { withdrawProductStock } from './stock/withdraw-product-stock.ts';
import { withdrawProductCodes } from './codes/withdraw-product-codes.ts';
import type { Handlers } from '../../clients/call.ts';

/**
 * The operations of operators on products, codes and stock. A restock may close campaigns, whose webhooks `dispatcher` sends; `usesAbove`
 * finds the uses that prevent archiving.
 */
export function productAdminService(dispatcher: Pick<Dispatcher, 'wake'>, usesAbove: UsesAbove) {
  return {
    createProduct,
    getProduct: (call, request) => getProduct(call, request, usesAbove),
    getProductOutlook,
    listProducts,
    addProductCodes: (call, request) => {
      const { clientId } = call.principal;
      call.afterResponse(() => dispatcher.wake(clientId));
      return addProductCodes(call, request);
    },
    addProductStock: (call, request) => {
      const { clientId } = call.principal;
      call.afterResponse(() => dispatcher.wake(clientId));
      return addProductStock(call, request);
    },
    updateProduct,
    archiveProduct: (call, request) => archiveProduct(call, request, usesAbove),
    listProductCodes,
    listProductRedemptions,
    withdrawProductCodes,
    withdrawProductStock,
    revealProductCode,
  } satisfies Handlers<typeof ProductAdminService>;
}

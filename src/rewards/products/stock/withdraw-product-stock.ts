import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ProductAdminService,
  type WithdrawProductStockRequest,
  type WithdrawProductStockResponseSchema,
} from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { ProductSchema } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { recordChange } from '../../../audit/record-change.ts';
import type { Call } from '../../../clients/call.ts';
import { sentence } from '../../../kernel/sentence.ts';
import { readProduct } from '../get-product.ts';
import { productInMode } from '../products.queries.ts';
import { freeUnits, unitsNotFree } from './stock.ts';
import { lockStocks, saveStocks } from './stock.queries.ts';

/**
 * Removes free units: proto ProductAdminService.WithdrawProductStock. They count as never added, so that the stock can still be recomputed.
 */
export function withdrawProductStock(
  { db, principal, now }: Call,
  { id, quantity, reason }: WithdrawProductStockRequest,
): Promise<MessageInitShape<typeof WithdrawProductStockResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const product = await productInMode(uow, id, 'COUNTED');
    const stock = (await lockStocks(uow, [product])).get(product.id)!;
    const free = freeUnits(stock);
    if (quantity > free) {
      const fewer = sentence`Send a \`quantity\` of ${free} at most, or withdraw units from publications first.`;
      throw unitsNotFree(stock, free === 0 ? sentence`Withdraw units from publications first.` : fewer);
    }
    const before = await readProduct(uow, product.id);
    stock.units -= quantity;
    stock.added = -quantity;
    await saveStocks(uow, [stock], now);
    const after = await readProduct(uow, product.id);
    await recordChange(uow, principal, {
      operation: ProductAdminService.method.withdrawProductStock,
      schema: ProductSchema,
      id: product.id,
      before,
      after,
      note: String(sentence`${quantity} units withdrawn: ${reason}`),
    });
    return { product: after };
  });
}

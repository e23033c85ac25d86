import {
  type RedeemProductRequest,
  type RedeemProductResponse,
  RedeemProductResponseSchema,
} from '../../../../gen/laurel/v1/loyalty_service_pb.ts';
import type { Call } from '../../../clients/call.ts';
import { namedAccount, uuid } from '../../../idempotency/content.ts';
import type { ProductOrders } from './redeem-products.ts';

/** Buys units of a product for points: proto LoyaltyService.RedeemProduct. */
export function redeemProduct(
  call: Call,
  request: RedeemProductRequest,
  orders: ProductOrders,
): Promise<RedeemProductResponse> {
  const { id, accountId, idType, operationId, quantity = 1 } = request;
  const content = ['RedeemProduct', uuid(id), ...namedAccount(idType, accountId), `${quantity}`] as const;
  const order = { productId: id.toLowerCase(), account: { accountId, idType }, quantity, operationId };
  return orders.submit(call, { operationId, content }, RedeemProductResponseSchema, order);
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRedeemableProductsRequest,
  ListRedeemableProductsResponseSchema,
} from '../../../../gen/laurel/v1/loyalty_service_pb.ts';
import type { Call } from '../../../clients/call.ts';
import { availablePoints } from '../../../loyalty/available-points.ts';
import {
  redeemableProductPage,
  redeemableProducts,
  toRedeemableProductMessage,
} from './redeemable-products.queries.ts';

/** Lists the products that are sold for points by page, by name: proto LoyaltyService.ListRedeemableProducts. */
export function listRedeemableProducts(
  { db, principal, now }: Call,
  request: ListRedeemableProductsRequest,
): Promise<MessageInitShape<typeof ListRedeemableProductsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const available = await availablePoints(uow, request, now);
    const page = await redeemableProductPage(uow, request);
    const ids = page.rows.map(({ id }) => id);
    const products = await redeemableProducts(uow, ids);
    return { ...page, rows: products.map((product) => toRedeemableProductMessage(product, available)) };
  });
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetRedeemableProductRequest,
  GetRedeemableProductResponseSchema,
} from '../../../../gen/laurel/v1/loyalty_service_pb.ts';
import type { Call } from '../../../clients/call.ts';
import { requireRedeemableProduct, toRedeemableProductMessage } from './redeemable-products.queries.ts';

/** Returns one product that is sold for points: proto LoyaltyService.GetRedeemableProduct. */
export function getRedeemableProduct(
  { db, principal }: Call,
  { id }: GetRedeemableProductRequest,
): Promise<MessageInitShape<typeof GetRedeemableProductResponseSchema>> {
  return db.read(principal.clientId, async (uow) => ({
    product: toRedeemableProductMessage(await requireRedeemableProduct(uow, id)),
  }));
}

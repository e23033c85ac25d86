import {
  type RedeemPublicationRequest,
  type RedeemPublicationResponse,
  RedeemPublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { namedAccount, uuid } from '../../idempotency/content.ts';
import type { OrderBatcher } from '../orders/run-orders.ts';

/** Buys units of a publication: proto MarketplaceService.RedeemPublication. */
export function redeemPublication(
  call: Call,
  request: RedeemPublicationRequest,
  orders: OrderBatcher,
): Promise<RedeemPublicationResponse> {
  const { id, accountId, idType, quantity, operationId } = request;
  const content = ['RedeemPublication', uuid(id), ...namedAccount(idType, accountId), `${quantity ?? ''}`] as const;
  return orders.submit(call, { operationId, content }, RedeemPublicationResponseSchema, {
    kind: 'purchase',
    publicationId: id.toLowerCase(),
    account: { accountId, idType },
    quantity,
    operationId,
  });
}

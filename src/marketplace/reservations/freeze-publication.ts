import {
  type FreezePublicationRequest,
  type FreezePublicationResponse,
  FreezePublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { namedAccount, uuid } from '../../idempotency/content.ts';
import type { OrderBatcher } from '../orders/run-orders.ts';

/** The default lifetime of a reservation in seconds. */
const TTL_SECONDS = 900;

/** Reserves units for an account: proto MarketplaceService.FreezePublication. */
export function freezePublication(
  call: Call,
  request: FreezePublicationRequest,
  orders: OrderBatcher,
): Promise<FreezePublicationResponse> {
  const { operationId, publicationId, accountId, idType, quantity = 1, ttlSeconds = TTL_SECONDS } = request;
  const what = [uuid(publicationId), ...namedAccount(idType, accountId), `${quantity}`, `${ttlSeconds}`] as const;
  const content = ['FreezePublication', ...what] as const;
  return orders.submit(call, { operationId, content }, FreezePublicationResponseSchema, {
    kind: 'freeze',
    publicationId: publicationId.toLowerCase(),
    account: { accountId, idType },
    quantity,
    ttlSeconds,
  });
}

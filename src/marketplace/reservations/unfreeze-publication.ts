import {
  type UnfreezePublicationRequest,
  type UnfreezePublicationResponse,
  UnfreezePublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { uuid } from '../../idempotency/content.ts';
import { parseId } from '../../kernel/ids.ts';
import type { OrderBatcher } from '../orders/run-orders.ts';

/** A repeat releases no more units, so it needs no operation id. */
const NO_OPERATION = '';

/** Releases the reserved units of an account, or does nothing: proto MarketplaceService.UnfreezePublication. */
export function unfreezePublication(
  call: Call,
  request: UnfreezePublicationRequest,
  orders: OrderBatcher,
): Promise<UnfreezePublicationResponse> {
  const { publicationId, accountId, idType, reservationId } = request;
  const key = { operationId: NO_OPERATION, content: ['UnfreezePublication', uuid(publicationId)] } as const;
  return orders.submit(call, key, UnfreezePublicationResponseSchema, {
    kind: 'unfreeze',
    publicationId: publicationId.toLowerCase(),
    account: { accountId, idType },
    reservationId: reservationId && parseId(reservationId),
  });
}

import {
  type FreezePublicationRequest,
  type FreezePublicationResponse,
  FreezePublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { findOrCreateAccount } from '../../accounts/resolve-accounts.ts';
import { amountToDecimal } from '../../kernel/amount.ts';
import { newId } from '../../kernel/ids.ts';
import { namedAccount, uuid } from '../../idempotency/content.ts';
import { idempotentCall } from '../../idempotency/idempotent-call.ts';
import { requirePlace } from '../publications/publications.queries.ts';
import { type Reservation, toReservationMessage } from './reservation.ts';
import { insertReservation } from './reservations.queries.ts';
import { requireForSale, reserve } from '../sellable-stock.ts';
import { lockSellableStock, saveSellableStock } from '../sellable-stock.queries.ts';
import type { Call } from '../../clients/call.ts';

/** Seconds that units are held back when the caller names no other time. */
const TTL_SECONDS = 900;

/** Holds units back for an account: proto MarketplaceService.FreezePublication. */
export function freezePublication(call: Call, request: FreezePublicationRequest): Promise<FreezePublicationResponse> {
  const { now } = call;
  const { operationId, publicationId, accountId, idType, quantity = 1, ttlSeconds = TTL_SECONDS } = request;
  const what = [uuid(publicationId), ...namedAccount(idType, accountId), `${quantity}`, `${ttlSeconds}`] as const;
  const content = ['FreezePublication', ...what] as const;
  return idempotentCall(call, { operationId, content }, FreezePublicationResponseSchema, async (uow) => {
    const place = await requirePlace(uow, publicationId);
    const account = await findOrCreateAccount(uow, { accountId, idType }, { now, lock: 'presence' });
    const sellable = await lockSellableStock(uow, place, now);
    requireForSale(sellable, quantity);
    const reservation: Reservation = {
      id: newId(),
      publicationId: place.id,
      accountId: account.id,
      quantity,
      status: 'ACTIVE',
      expiresAt: new Date(now.getTime() + ttlSeconds * 1000),
      pointsCost: amountToDecimal(sellable.pointsCost ?? 0n),
      createdAt: now,
    };
    reserve(sellable, quantity);
    await Promise.all([insertReservation(uow, place, reservation), saveSellableStock(uow, sellable, now)]);
    return { reservation: toReservationMessage(reservation) };
  });
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  UnfreezePublicationRequest,
  UnfreezePublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { findAccount } from '../../accounts/resolve-accounts.ts';
import type { Call } from '../../clients/call.ts';
import { parseId } from '../../kernel/ids.ts';
import { findPlace } from '../publications/publications.queries.ts';
import { closeReservations, openReservations } from './reservations.queries.ts';
import { release } from '../sellable-stock.ts';
import { lockSellableStockIfAny, saveSellableStock } from '../sellable-stock.queries.ts';

/** Gives an account's held units back, or does nothing: proto MarketplaceService.UnfreezePublication. */
export function unfreezePublication(
  { db, principal, now }: Call,
  request: UnfreezePublicationRequest,
): Promise<MessageInitShape<typeof UnfreezePublicationResponseSchema>> {
  const { publicationId, accountId, idType } = request;
  const reservationId = request.reservationId && parseId(request.reservationId);
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await findAccount(uow, { accountId, idType });
    const place = account && (await findPlace(uow, publicationId));
    if (account === undefined || place === undefined) return { releasedQuantity: 0 };
    const sellable = await lockSellableStockIfAny(uow, place, now);
    if (sellable === undefined) return { releasedQuantity: 0 };
    const open = await openReservations(uow, account.id, place.id, now);
    const released = open.filter(({ id }) => reservationId === undefined || id === reservationId);
    const releasedQuantity = released.reduce((sum, { quantity }) => sum + quantity, 0);
    if (releasedQuantity === 0) return { releasedQuantity };
    release(sellable, releasedQuantity);
    const ids = released.map(({ id }) => id);
    await Promise.all([closeReservations(uow, ids, 'RELEASED', now), saveSellableStock(uow, sellable, now)]);
    return { releasedQuantity };
  });
}

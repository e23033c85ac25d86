import type { HandlerContext } from '@connectrpc/connect';
import {
  type RedeemPublicationRequest,
  type RedeemPublicationResponse,
  RedeemPublicationResponseSchema,
} from '../../gen/laurel/v1/marketplace_service_pb.ts';
import { requireAccount } from '../accounts/resolve-accounts.ts';
import { spendPoints } from '../loyalty/move-points.ts';
import { namedAccount, uuid } from '../operations/content.ts';
import { idempotentCall } from '../operations/idempotent-call.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { redemptionInit } from '../redemptions/redemption-init.ts';
import type { RecordedRedemption } from '../redemptions/redemption.ts';
import { requireProduct } from '../rewards/products.queries.ts';
import { lockStocks } from '../rewards/stock.queries.ts';
import { takeUnits } from '../rewards/take-units.ts';
import { enqueuedIn } from '../webhooks/enqueue-webhooks.ts';
import { pauseSoldOut } from './change-status.ts';
import type { MarketplaceOptions } from './marketplace-options.ts';
import { requirePlace } from './publications.queries.ts';
import { type Purchase, planPurchase } from './purchase.ts';
import { closeReservations, openReservations, shrinkReservation } from './reservations.queries.ts';
import { sendAfterResponse } from './send-after-response.ts';
import { requireForSale, sell, type Shelf } from './shelf.ts';
import { lockShelf, saveShelf } from './shelf.queries.ts';

/** Buys units of a publication: proto MarketplaceService.RedeemPublication. */
export async function redeemPublication(
  { db, dispatcher }: MarketplaceOptions,
  context: HandlerContext,
  request: RedeemPublicationRequest,
  now: Date,
): Promise<RedeemPublicationResponse> {
  const { id, accountId, idType, quantity, operationId } = request;
  const content = ['RedeemPublication', uuid(id), ...namedAccount(idType, accountId), `${quantity ?? ''}`] as const;
  let messageIds: readonly string[] = [];
  const response = await idempotentCall(
    db,
    context,
    { operationId, content },
    { schema: RedeemPublicationResponseSchema, now },
    async (uow) => {
      const account = await requireAccount(uow, { accountId, idType }, 'change');
      const redemption = await buy(uow, { publicationId: id, accountId: account.id, quantity, operationId }, now);
      messageIds = enqueuedIn(uow);
      return { redemption: redemptionInit(redemption, account.email) };
    },
  );
  sendAfterResponse(dispatcher, context, messageIds);
  return response;
}

/** Who buys what; `quantity` as {@link planPurchase} understands it. */
type Order = {
  readonly publicationId: string;
  /** Locked. */
  readonly accountId: string;
  readonly quantity: number | undefined;
  readonly operationId: string;
};

/** Takes every lock first, in the order of the house, then looks whether the purchase can be, then makes it. */
async function buy(uow: UnitOfWork, order: Order, now: Date): Promise<RecordedRedemption> {
  const { accountId } = order;
  const place = await requirePlace(uow, order.publicationId);
  const product = await requireProduct(uow, place.productId);
  await lockStocks(uow, [product]);
  const shelf = await lockShelf(uow, place, now);
  const purchase = planPurchase(await openReservations(uow, accountId, place.id, now), order.quantity);
  requireForSale(shelf, purchase.free);

  const pointsSpent = (shelf.pointsCost ?? 0n) * BigInt(purchase.units);
  const handOut = {
    accountId,
    product,
    units: purchase.units,
    source: 'MARKETPLACE',
    sourceId: place.id,
    pointsSpent,
  } as const;
  const redemption = await takeUnits(uow, handOut, now);
  if (pointsSpent > 0n) {
    const source = { sourceType: 'REDEMPTION', sourceId: redemption.id, operationId: order.operationId || undefined };
    await spendPoints(uow, [{ accountId, amount: pointsSpent, at: now, ...source }]);
  }
  await takeFromShelf(uow, shelf, purchase, now);
  return redemption;
}

async function takeFromShelf(uow: UnitOfWork, shelf: Shelf, purchase: Purchase, now: Date): Promise<void> {
  sell(shelf, purchase);
  await Promise.all([
    closeReservations(uow, purchase.used, 'REDEEMED', now),
    purchase.shrunk && shrinkReservation(uow, purchase.shrunk, now),
    saveShelf(uow, shelf, now),
  ]);
  await pauseSoldOut(uow, shelf, now);
}

import {
  type RedeemPublicationRequest,
  type RedeemPublicationResponse,
  RedeemPublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { requireAccount } from '../../accounts/resolve-accounts.ts';
import { spendPoints } from '../../loyalty/move-points.ts';
import { namedAccount, uuid } from '../../idempotency/content.ts';
import { idempotentCall } from '../../idempotency/idempotent-call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { toRedemptionMessage } from '../../redemptions/redemption-message.ts';
import type { RecordedRedemption } from '../../redemptions/redemption.ts';
import { requireProduct } from '../../rewards/products/products.queries.ts';
import { lockStocks } from '../../rewards/products/stock.queries.ts';
import { takeAllocatedUnits } from '../../rewards/products/take-units.ts';
import { enqueuedIn } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { pauseSoldOut } from '../publications/change-status.ts';
import { requirePlace } from '../publications/publications.queries.ts';
import { type Purchase, planPurchase } from './purchase.ts';
import { closeReservations, openReservations, shrinkReservation } from '../reservations/reservations.queries.ts';
import { sendAfterResponse } from '../send-after-response.ts';
import { requireForSale, sell, type SellableStock } from '../sellable-stock.ts';
import { lockSellableStock, saveSellableStock } from '../sellable-stock.queries.ts';
import type { Call } from '../../clients/call.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';

/** Buys units of a publication: proto MarketplaceService.RedeemPublication. */
export async function redeemPublication(
  call: Call,
  request: RedeemPublicationRequest,
  dispatcher: Pick<Dispatcher, 'wake'>,
): Promise<RedeemPublicationResponse> {
  const { now } = call;
  const { id, accountId, idType, quantity, operationId } = request;
  const content = ['RedeemPublication', uuid(id), ...namedAccount(idType, accountId), `${quantity ?? ''}`] as const;
  let messageIds: readonly string[] = [];
  const response = await idempotentCall(
    call,
    { operationId, content },
    RedeemPublicationResponseSchema,
    async (uow) => {
      const account = await requireAccount(uow, { accountId, idType }, 'change');
      const redemption = await buy(uow, { publicationId: id, accountId: account.id, quantity, operationId }, now);
      messageIds = enqueuedIn(uow);
      return { redemption: toRedemptionMessage(redemption, account.email) };
    },
  );
  sendAfterResponse(call, dispatcher, messageIds);
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

/** Takes every lock first, in the one order that all locks follow, then looks whether the purchase can be, then makes it. */
async function buy(uow: UnitOfWork, order: Order, now: Date): Promise<RecordedRedemption> {
  const { accountId } = order;
  const place = await requirePlace(uow, order.publicationId);
  const product = await requireProduct(uow, place.productId);
  await lockStocks(uow, [product]);
  const sellable = await lockSellableStock(uow, place, now);
  const open = await openReservations(uow, accountId, place.id, now);
  const purchase = planPurchase(open, sellable.pointsCost ?? 0n, order.quantity);
  requireForSale(sellable, purchase.free);

  const pointsSpent = purchase.cost;
  const fulfilment = {
    accountId,
    product,
    units: purchase.units,
    source: 'MARKETPLACE',
    sourceId: place.id,
    pointsSpent,
  } as const;
  const redemption = await takeAllocatedUnits(uow, fulfilment, now);
  if (pointsSpent > 0n) {
    const source = { sourceType: 'REDEMPTION', sourceId: redemption.id, operationId: order.operationId || undefined };
    await spendPoints(uow, [{ accountId, amount: pointsSpent, at: now, ...source }]);
  }
  await takeFromStock(uow, sellable, purchase, now);
  return redemption;
}

async function takeFromStock(uow: UnitOfWork, sellable: SellableStock, purchase: Purchase, now: Date): Promise<void> {
  sell(sellable, purchase);
  await Promise.all([
    closeReservations(uow, purchase.used, 'REDEEMED', now),
    purchase.shrunk && shrinkReservation(uow, purchase.shrunk, now),
    saveSellableStock(uow, sellable, now),
  ]);
  await pauseSoldOut(uow, sellable, now);
}

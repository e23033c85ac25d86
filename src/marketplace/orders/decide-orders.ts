import { DomainError } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import type { PointEntry } from '../../loyalty/ledger.ts';
import { enterSpending } from '../../loyalty/move-points.ts';
import { sellAllocated } from '../../rewards/products/stock/stock.ts';
import type { Account } from '../../accounts/account.ts';
import { publicationNotFound } from '../publications/publications.queries.ts';
import type { SoldOut } from '../publications/change-status.ts';
import { type Purchase, planPurchase } from '../purchases/purchase.ts';
import type { HeldReservation } from '../reservations/reservation.ts';
import { availableIn, release, requireForSale, reserve, sell, type SellableStock } from '../sellable-stock.ts';
import { holderKey, type Loaded } from './load-orders.ts';
import type {
  Bought,
  OrderResult,
  FreezeOrder,
  Order,
  PurchaseOrder,
  Released,
  Reserved,
  UnfreezeOrder,
} from './order.ts';

/** The results of a batch of orders. */
export type Decided = {
  /** One result for each order, in the same order. */
  readonly decisions: readonly OrderResult[];
  readonly entries: readonly PointEntry[];
  readonly soldOut: SoldOut;
  /** The changed stocks. */
  readonly moved: ReadonlySet<SellableStock>;
  /** New reservations of the batch, and changed older ones. */
  readonly made: ReadonlySet<HeldReservation>;
  readonly changed: ReadonlySet<HeldReservation>;
};

/** The changes collected while orders are decided. */
type Batch = {
  readonly loaded: Loaded;
  readonly now: Date;
  readonly entries: PointEntry[];
  readonly publicationIds: string[];
  readonly agreementIds: Set<string>;
  readonly moved: Set<SellableStock>;
  readonly made: Set<HeldReservation>;
  readonly changed: Set<HeldReservation>;
};

/**
 * Decides orders one after the other, in memory and under their locks. Each sees the effects of earlier orders. A refused order changes
 * nothing.
 */
export function decideOrders(orders: readonly Order[], loaded: Loaded, now: Date): Decided {
  const batch: Batch = {
    loaded,
    now,
    entries: [],
    publicationIds: [],
    agreementIds: new Set(),
    moved: new Set(),
    made: new Set(),
    changed: new Set(),
  };
  const decisions = orders.map((order, index) => {
    try {
      return decide(batch, order, loaded.accounts[index]!);
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  });
  const { entries, publicationIds, agreementIds, moved, made, changed } = batch;
  return { decisions, entries, soldOut: { publicationIds, agreementIds: [...agreementIds] }, moved, made, changed };
}

function decide(batch: Batch, order: Order, account: Account | DomainError): OrderResult {
  switch (order.kind) {
    case 'purchase':
      return purchase(batch, order, accountOf(account));
    case 'freeze':
      return freeze(batch, order, account);
    case 'unfreeze':
      return unfreeze(batch, order, account);
  }
}

function purchase(batch: Batch, { publicationId, quantity, operationId }: PurchaseOrder, account: Account): Bought {
  const { loaded, now } = batch;
  const sellable = sellableOf(batch, publicationId);
  const product = loaded.products.get(sellable.publication.productId)!;
  const accountId = account.id;
  const open = openOf(batch, accountId, publicationId);
  const plan = planPurchase(open, sellable.pointsCost ?? 0n, quantity);
  requireForSale(sellable, plan.free);

  const redemptionId = newId();
  if (plan.cost > 0n) {
    const source = { sourceType: 'REDEMPTION', sourceId: redemptionId, operationId: operationId || undefined };
    batch.entries.push(enterSpending(loaded.ledger, { accountId, amount: plan.cost, at: now, ...source }));
  }
  sellAllocated(loaded.stocks.get(product.id)!, plan.units);
  sell(sellable, plan);
  batch.moved.add(sellable);
  useReservations(batch, open, plan);
  pauseIfSoldOut(batch, sellable);
  const source = { source: 'MARKETPLACE', sourceId: publicationId, pointsSpent: plan.cost } as const;
  return { kind: 'bought', account, fulfilment: { accountId, product, units: plan.units, redemptionId, ...source } };
}

function useReservations({ made, changed }: Batch, open: readonly HeldReservation[], { used, shrunk }: Purchase): void {
  for (const reservation of open) {
    if (used.includes(reservation.id)) reservation.status = 'REDEEMED';
    else if (shrunk?.id === reservation.id) reservation.quantity = shrunk.quantity;
    else continue;
    if (!made.has(reservation)) changed.add(reservation);
  }
}

/** Pauses a sold-out publication or agreement, also for the later orders of the batch. */
function pauseIfSoldOut({ loaded, publicationIds, agreementIds }: Batch, sellable: SellableStock): void {
  const { publication, own, shared } = sellable;
  if (sellable.status === 'PUBLISHED_ON_MARKETPLACE' && availableIn(own) === 0) {
    sellable.status = 'DRAFT';
    publicationIds.push(publication.id);
  }
  if (publication.agreementId === undefined || shared === undefined || availableIn(shared) > 0) return;
  agreementIds.add(publication.agreementId);
  for (const other of loaded.sellables.values()) if (other.shared === shared) other.status = 'DRAFT';
}

function freeze(batch: Batch, order: FreezeOrder, found: Account | DomainError): Reserved {
  const { publicationId, quantity, ttlSeconds } = order;
  const { now } = batch;
  const account = accountOf(found);
  const sellable = sellableOf(batch, publicationId);
  requireForSale(sellable, quantity);
  const reservation: HeldReservation = {
    id: newId(),
    publicationId,
    accountId: account.id,
    quantity,
    status: 'ACTIVE',
    expiresAt: new Date(now.getTime() + ttlSeconds * 1000),
    pointsCost: sellable.pointsCost ?? 0n,
    createdAt: now,
  };
  reserve(sellable, quantity);
  batch.moved.add(sellable);
  batch.made.add(reservation);
  const key = holderKey(reservation);
  const open = [...(batch.loaded.reservations.get(key) ?? []), reservation];
  // Ids are in the order of creation, for reservations that expire at the same moment.
  batch.loaded.reservations.set(
    key,
    open.toSorted((one, other) => one.expiresAt.getTime() - other.expiresAt.getTime()),
  );
  return { kind: 'reserved', reservation: { ...reservation } };
}

function unfreeze(
  batch: Batch,
  { publicationId, reservationId }: UnfreezeOrder,
  account: Account | DomainError,
): Released {
  const sellable = batch.loaded.sellables.get(publicationId);
  if (account instanceof DomainError && account.kind === 'INVALID') throw account;
  if (account instanceof DomainError || sellable === undefined) return { kind: 'released', quantity: 0 };
  let quantity = 0;
  for (const reservation of openOf(batch, account.id, publicationId)) {
    if (reservationId !== undefined && reservation.id !== reservationId) continue;
    reservation.status = 'RELEASED';
    quantity += reservation.quantity;
    if (!batch.made.has(reservation)) batch.changed.add(reservation);
  }
  release(sellable, quantity);
  if (quantity > 0) batch.moved.add(sellable);
  return { kind: 'released', quantity };
}

function accountOf(found: Account | DomainError): Account {
  if (found instanceof DomainError) throw found;
  return found;
}

function sellableOf({ loaded }: Batch, publicationId: string): SellableStock {
  const sellable = loaded.sellables.get(publicationId);
  if (sellable === undefined) throw publicationNotFound(publicationId);
  return sellable;
}

/** The open reservations of an account for a publication. */
function openOf({ loaded }: Batch, accountId: string, publicationId: string): HeldReservation[] {
  const own = loaded.reservations.get(holderKey({ accountId, publicationId })) ?? [];
  return own.filter(({ status }) => status === 'ACTIVE');
}

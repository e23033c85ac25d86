import type { AccountRef } from '../../accounts/resolving/account-ref.ts';
import type { Account } from '../../accounts/account.ts';
import type { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Fulfilment } from '../../rewards/products/stock/fulfilment.ts';
import type { HeldReservation } from '../reservations/reservation.ts';

/** The fields of every order. */
type OrderFields = {
  /** The id of the publication in lower case. */
  readonly publicationId: string;
  readonly account: AccountRef;
};

/** Buys units. */
export type PurchaseOrder = OrderFields & {
  readonly kind: 'purchase';
  /** The quantity for `planPurchase`. */
  readonly quantity: number | undefined;
  /** The operation id for the points ledger; empty without one. */
  readonly operationId: string;
};

/** Reserves units. */
export type FreezeOrder = OrderFields & {
  readonly kind: 'freeze';
  readonly quantity: number;
  readonly ttlSeconds: number;
};

/** Releases the units of one reservation or of all. */
export type UnfreezeOrder = OrderFields & { readonly kind: 'unfreeze'; readonly reservationId: string | undefined };

/** An order of an account for a publication. */
export type Order = PurchaseOrder | FreezeOrder | UnfreezeOrder;

/** The result of an order, under the locks and before it is written, or its refusal. */
export type OrderResult = Bought | Reserved | Released | DomainError;

export type Bought = {
  readonly kind: 'bought';
  readonly account: Account;
  readonly fulfilment: Fulfilment & { readonly redemptionId: string };
};

export type Reserved = { readonly kind: 'reserved'; readonly reservation: HeldReservation };

export type Released = { readonly kind: 'released'; readonly quantity: number };

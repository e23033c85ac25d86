import type { Amount } from '../../kernel/amount.ts';
import type { HeldReservation } from '../reservations/reservation.ts';

/** An open reservation of the buyer. */
export type OpenReservation = Pick<HeldReservation, 'id' | 'pointsCost'> & { readonly quantity: number };

/** The units of a purchase. */
export type Purchase = {
  /** The number of units. */
  readonly units: number;
  /** The part from reservations of the account. */
  readonly held: number;
  /** The other units, which must be for sale. */
  readonly free: number;
  /** Points for all units. */
  readonly cost: Amount;
  /** Ids of reservations that are bought completely. */
  readonly used: readonly string[];
  /** The reservation that stays open, with its remaining units; undefined without one. */
  readonly shrunk: Pick<OpenReservation, 'id' | 'quantity'> | undefined;
};

/**
 * Takes units from an account's reservations in their order, then from the stock. A reserved unit costs the promised price, or the current
 * price if that is lower; any other unit costs the current price.
 * @param price points for a unit now, 0 without a price
 * @param quantity by default the units of the first reservation, or one unit without a reservation: an account that reserved twice by
 * accident must not pay twice
 */
export function planPurchase(
  open: readonly OpenReservation[],
  price: Amount,
  quantity = open[0]?.quantity ?? 1,
): Purchase {
  const used: string[] = [];
  let shrunk: Purchase['shrunk'];
  let free = quantity;
  let cost = 0n;
  for (const { id, quantity: units, pointsCost: promised = price } of open) {
    if (free === 0) break;
    const taken = Math.min(units, free);
    if (taken === units) used.push(id);
    else shrunk = { id, quantity: units - taken };
    cost += (promised < price ? promised : price) * BigInt(taken);
    free -= taken;
  }
  return { units: quantity, held: quantity - free, free, cost: cost + price * BigInt(free), used, shrunk };
}

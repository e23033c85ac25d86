import type { Amount } from '../../kernel/amount.ts';
import type { HeldReservation } from '../reservations/reservation.ts';

/** Units that an account holds back and may buy. */
export type OpenReservation = Pick<HeldReservation, 'id' | 'pointsCost'> & { readonly quantity: number };

/** Which units a purchase takes. */
export type Purchase = {
  /** All of them. */
  readonly units: number;
  /** Of these, what the account has held back. */
  readonly held: number;
  /** The others, which must be for sale. */
  readonly free: number;
  /** Points for all of them. */
  readonly cost: Amount;
  /** Reservations that are bought to the last unit. */
  readonly used: readonly string[];
  /** The reservation that stays open, with the units left in it, if one does. */
  readonly shrunk: Pick<OpenReservation, 'id' | 'quantity'> | undefined;
};

/**
 * Takes units from an account's reservations in their order, then from the stock. A unit that was held back costs what was
 * promised, or the present price if that is lower; any other the present price.
 * @param price points for a unit now, 0 where nothing is paid
 * @param quantity by default what the first reservation holds, or one unit without any: an account that reserved twice by
 * accident must not pay twice by accident
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

/** Units that an account holds back and may buy. */
export type OpenReservation = { readonly id: string; readonly quantity: number };

/** Which units a purchase takes. */
export type Purchase = {
  /** All of them. */
  readonly units: number;
  /** Of these, what the account has held back. */
  readonly held: number;
  /** The others, which must be for sale. */
  readonly free: number;
  /** Reservations that are bought to the last unit. */
  readonly used: readonly string[];
  /** The reservation that stays open, with the units left in it, if one does. */
  readonly shrunk: OpenReservation | undefined;
};

/**
 * Takes units from an account's reservations in their order, then from the stock.
 * @param quantity by default what the first reservation holds, or one unit without any: an account that reserved twice by
 * accident must not pay twice by accident
 */
export function planPurchase(open: readonly OpenReservation[], quantity = open[0]?.quantity ?? 1): Purchase {
  const used: string[] = [];
  let shrunk: OpenReservation | undefined;
  let free = quantity;
  for (const reservation of open) {
    if (free === 0) break;
    const left = Math.max(0, reservation.quantity - free);
    if (left === 0) used.push(reservation.id);
    else shrunk = { id: reservation.id, quantity: left };
    free -= reservation.quantity - left;
  }
  return { units: quantity, held: quantity - free, free, used, shrunk };
}

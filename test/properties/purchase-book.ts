import { type PointBook, type Points, refund, roomOf, spend } from './point-book.ts';

/** A purchase of an account, with the points that it cost. */
type Bought = { readonly points: readonly Points[]; readonly at: number; readonly cost: number; cancelled: boolean };

/** The points of an account, and its purchases by the id of their redemption, sorted. */
export type Buyer = PointBook & { bought: Record<string, Bought> };

/** Pays for a purchase. */
export function pay(buyer: Buyer, redemptionId: string, cost: number, now: number): void {
  const purchase: Bought = { points: spend(buyer, cost), at: now, cost, cancelled: false };
  const bought = Object.entries({ ...buyer.bought, [redemptionId]: purchase });
  buyer.bought = Object.fromEntries(bought.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the points of a purchase, but not its units to the stock; returns the correct answers. */
export function takeBack(buyer: Buyer, redemptionId: string, now: number, until: number | undefined): string[] {
  const purchase = buyer.bought[redemptionId];
  if (purchase === undefined) return ['404 REDEMPTION_NOT_FOUND'];
  if (purchase.cancelled) return ['409 REDEMPTION_ALREADY_CANCELLED'];
  if (purchase.cost > roomOf(buyer)) return ['400 BAD_REQUEST'];
  purchase.cancelled = true;
  refund(buyer, purchase.points, purchase.at, now, until);
  return [`200 CANCELLED for ${purchase.cost}`];
}

/** Whether each purchase was cancelled, by redemption. */
export function cancelledOf({ bought }: Buyer): Record<string, boolean> {
  return Object.fromEntries(Object.entries(bought).map(([id, { cancelled }]) => [id, cancelled]));
}

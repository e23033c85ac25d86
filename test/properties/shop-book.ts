import type { Offer, Player } from './calls.ts';
import { prices } from './prizes.ts';

/** With the points that a unit was promised for. */
type Reservation = { readonly who: Player; readonly units: number; readonly until: number; readonly price: number };

/** A publication; a price of 0 means that nothing is paid. */
export type SellableStock = {
  stock: number;
  published: boolean;
  price: number;
  reservations: Reservation[];
  /** Those whose time is up, which nobody has closed. A clock that goes back makes them valid again. */
  lapsed: Reservation[];
};

/** Two publications of one agreement, which has fewer units than they have together. */
export type Shop = { readonly offers: readonly [SellableStock, SellableStock]; agreement: number };

/** As the world sets it up. */
export function emptyShop(): Shop {
  const sellable = (price = 0): SellableStock => ({ stock: 3, published: true, price, reservations: [], lapsed: [] });
  return { offers: [sellable(prices.offers[0]), sellable(prices.offers[1])], agreement: 5 };
}

/** Units of a publication that nobody holds back. */
export function availableOf({ stock, reservations }: Pick<SellableStock, 'stock' | 'reservations'>): number {
  return stock - reservations.reduce((sum, { units }) => sum + units, 0);
}

/** Units that can be sold: its own, and those of the agreement that both hold back from. */
export function forSale(shop: Shop, offer: Offer): number {
  return Math.min(availableOf(shop.offers[offer]), sharedAvailable(shop));
}

function sharedAvailable({ offers: [one, two], agreement }: Shop): number {
  return availableOf({ stock: agreement, reservations: [...one.reservations, ...two.reservations] });
}

/** Units of the product that only buyers of the publications get. */
export function allocated({ offers }: Shop): number {
  return offers.reduce((sum, { stock }) => sum + stock, 0);
}

/** What is shown of the publications: as available what can be sold, of a draft its own. */
export function shownOffers(shop: Shop): object[] {
  return ([0, 1] as const).map((offer) => {
    const own = shop.offers[offer];
    const { stock, published, price } = own;
    return { stock, available: published ? forSale(shop, offer) : availableOf(own), published, price };
  });
}

/** Gives back what has been held back long enough, as long as the clock says so. */
export function expireReservations(shop: Shop, now: number): void {
  for (const own of shop.offers) {
    const open = [...own.reservations, ...own.lapsed];
    own.reservations = open.filter(({ until }) => until > now);
    own.lapsed = open.filter(({ until }) => until <= now);
  }
}

/** No reservation can have been made that ends later; with the minute by which clocks may differ. */
const LONGEST_MS = 24 * 3_600_000 + 60_000;

/** Closes for good what has been held back long enough, and what a clock that was ahead has held back for longer than may be. */
export function closeReservations(shop: Shop, now: number): void {
  for (const own of shop.offers) {
    const isOpen = ({ until }: Reservation) => until > now && until <= now + LONGEST_MS;
    own.reservations = own.reservations.filter(isOpen);
    own.lapsed = own.lapsed.filter(isOpen);
  }
}

/** The same with all closed whose time is up; the state itself where there are none. */
export function withoutLapsed<S extends { readonly shop: Shop }>(state: S): S {
  if (state.shop.offers.every(({ lapsed }) => lapsed.length === 0)) return state;
  const next = structuredClone(state);
  for (const own of next.shop.offers) own.lapsed = [];
  return next;
}

/**
 * What a purchase takes and costs, and the reservations that it leaves: the buyer's own first, what expires first before the
 * rest. What was held back costs what was promised, or the present price if that is lower.
 */
export function planPurchase({ offers }: Shop, offer: Offer, who: Player, wanted: number | undefined) {
  const mine = offers[offer].reservations.filter((held) => held.who === who).toSorted((a, b) => a.until - b.until);
  const units = wanted ?? mine[0]?.units ?? 1;
  let free = units;
  let cost = 0;
  const { price } = offers[offer];
  const rest = new Map<Reservation, Reservation | undefined>();
  for (const held of mine) {
    const taken = Math.min(free, held.units);
    if (taken > 0) rest.set(held, taken < held.units ? { ...held, units: held.units - taken } : undefined);
    free -= taken;
    cost += taken * Math.min(held.price, price);
  }
  cost += free * price;
  const left = offers[offer].reservations.flatMap((held) => (rest.has(held) ? (rest.get(held) ?? []) : [held]));
  return { units, free, left, cost };
}

/** A purchase that leaves nothing for sale pauses the publication, or with the agreement both. */
export function pauseSoldOut(shop: Shop, offer: Offer): void {
  if (availableOf(shop.offers[offer]) === 0) shop.offers[offer].published = false;
  if (sharedAvailable(shop) === 0) for (const own of shop.offers) own.published = false;
}

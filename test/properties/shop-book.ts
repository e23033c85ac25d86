import type { Offer, Player } from './calls.ts';
import { prices } from './prizes.ts';

/** Reserved units, with the price at the time of the reservation. */
type Reservation = { readonly who: Player; readonly units: number; readonly until: number; readonly price: number };

/** A publication; a price of 0 means that it is free. */
export type SellableStock = {
  stock: number;
  published: boolean;
  price: number;
  reservations: Reservation[];
  /** Expired reservations that are not closed yet. They become valid again if the clock goes back. */
  lapsed: Reservation[];
};

/** Two publications of one agreement, which has fewer units than both publications together. */
export type Shop = { readonly offers: readonly [SellableStock, SellableStock]; agreement: number };

/** The initial shop of a world. */
export function emptyShop(): Shop {
  const sellable = (price = 0): SellableStock => ({ stock: 3, published: true, price, reservations: [], lapsed: [] });
  return { offers: [sellable(prices.offers[0]), sellable(prices.offers[1])], agreement: 5 };
}

/** Units of a publication without a reservation. */
export function availableOf({ stock, reservations }: Pick<SellableStock, 'stock' | 'reservations'>): number {
  return stock - reservations.reduce((sum, { units }) => sum + units, 0);
}

/** Units for sale: limited by the publication and by the agreement, from which both publications reserve. */
export function forSale(shop: Shop, offer: Offer): number {
  return Math.min(availableOf(shop.offers[offer]), sharedAvailable(shop));
}

function sharedAvailable({ offers: [one, two], agreement }: Shop): number {
  return availableOf({ stock: agreement, reservations: [...one.reservations, ...two.reservations] });
}

/** Units of the product that are allocated to publications. */
export function allocated({ offers }: Shop): number {
  return offers.reduce((sum, { stock }) => sum + stock, 0);
}

/** The publications as reads show them: `available` is the units for sale, or the publication's own units for a draft. */
export function shownOffers(shop: Shop): object[] {
  return ([0, 1] as const).map((offer) => {
    const own = shop.offers[offer];
    const { stock, published, price } = own;
    return { stock, available: published ? forSale(shop, offer) : availableOf(own), published, price };
  });
}

/** Expires the reservations whose time is up; a clock that goes back makes them valid again. */
export function expireReservations(shop: Shop, now: number): void {
  for (const own of shop.offers) {
    const open = [...own.reservations, ...own.lapsed];
    own.reservations = open.filter(({ until }) => until > now);
    own.lapsed = open.filter(({ until }) => until <= now);
  }
}

/** The maximum duration of a reservation, with one minute of clock tolerance. */
const LONGEST_MS = 24 * 3_600_000 + 60_000;

/** Closes reservations permanently: expired ones, and those with an end too far ahead, which a fast clock created. */
export function closeReservations(shop: Shop, now: number): void {
  for (const own of shop.offers) {
    const isOpen = ({ until }: Reservation) => until > now && until <= now + LONGEST_MS;
    own.reservations = own.reservations.filter(isOpen);
    own.lapsed = own.lapsed.filter(isOpen);
  }
}

/** The same state without expired reservations; the same object if there are none. */
export function withoutLapsed<S extends { readonly shop: Shop }>(state: S): S {
  if (state.shop.offers.every(({ lapsed }) => lapsed.length === 0)) return state;
  const next = structuredClone(state);
  for (const own of next.shop.offers) own.lapsed = [];
  return next;
}

/**
 * The units and the cost of a purchase, and the reservations that it leaves. The buyer's reserved units are taken first, earliest expiry
 * first, at the lower of the reserved and the present price.
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

/** Pauses the publication if its last unit is sold, and both publications if the agreement is sold out. */
export function pauseSoldOut(shop: Shop, offer: Offer): void {
  if (availableOf(shop.offers[offer]) === 0) shop.offers[offer].published = false;
  if (sharedAvailable(shop) === 0) for (const own of shop.offers) own.published = false;
}

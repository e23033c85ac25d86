import type { Amount } from '../kernel/amount.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../kernel/sentence.ts';
import type { PublicationKeys } from './publications/publications.queries.ts';
import type { PublicationStatus } from './publications/publication.ts';

/** Units of a publication or of an agreement. The database refuses `reserved` below 0 and above `stock`. */
export type Units = {
  /** Unsold units, reserved ones included. */
  stock: number;
  /** Units of reservations. */
  reserved: number;
};

/** A locked stock that a sale takes units from, with the changes of this transaction: units and status. */
export type SellableStock = {
  readonly publication: PublicationKeys;
  readonly name: string;
  status: PublicationStatus;
  readonly pointsCost: Amount | undefined;
  /** The publication's units. */
  readonly own: Units;
  /** The agreement's units, shared with its other publications; undefined without an agreement. */
  readonly shared: Units | undefined;
};

/** Unreserved units. */
export function availableIn({ stock, reserved }: Units): number {
  return stock - reserved;
}

/** Units that can be sold or reserved now. With an agreement, both stocks must have them. */
export function forSale({ own, shared }: SellableStock): number {
  return shared === undefined ? availableIn(own) : Math.min(availableIn(own), availableIn(shared));
}

/**
 * Refuses to sell or reserve missing units. It checks nothing if the buyer has already reserved all units.
 * @throws DomainError `PUBLICATION_NOT_PUBLISHED`, `OUT_OF_STOCK`
 */
export function requireForSale(sellable: SellableStock, units: number): void {
  if (units === 0) return;
  if (sellable.status !== 'PUBLISHED_ON_MARKETPLACE') {
    const message = sentence`The publication '${sellable.name}' is a DRAFT and cannot be bought. Choose a published one.`;
    throw new DomainError('PUBLICATION_NOT_PUBLISHED', message);
  }
  if (forSale(sellable) < units) throw outOfStock(sellable, sentence`Ask for fewer, or later.`);
}

/**
 * The 409 of missing units.
 * @param instead the advice to the caller
 */
export function outOfStock(sellable: SellableStock, instead: Sentence): DomainError {
  const left = forSale(sellable);
  const has = left === 0 ? sentence`has no units available` : sentence`has ${left} units available`;
  return new DomainError('OUT_OF_STOCK', sentence`The publication '${sellable.name}' ${has}. ${instead}`);
}

/** Reserves units. */
export function reserve(sellable: SellableStock, units: number): void {
  for (const side of sidesOf(sellable)) side.reserved += units;
}

/** Releases reserved units. */
export function release(sellable: SellableStock, units: number): void {
  reserve(sellable, -units);
}

/** Sells reserved units (`held`) and others (`free`). */
export function sell(sellable: SellableStock, { held, free }: { readonly held: number; readonly free: number }): void {
  release(sellable, held);
  for (const side of sidesOf(sellable)) side.stock -= held + free;
}

function sidesOf({ own, shared }: SellableStock): Units[] {
  return shared === undefined ? [own] : [own, shared];
}

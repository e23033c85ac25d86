import type { Amount } from '../kernel/amount.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../kernel/sentence.ts';
import type { PublicationPlace } from './publications/publications.queries.ts';
import type { PublicationStatus } from './publications/publication.ts';

/** Units of a publication or of an agreement. The database refuses `reserved` below 0 and above `stock`. */
export type Units = {
  /** Units left, sold ones taken off, reserved ones not. */
  stock: number;
  /** Units held back by reservations. */
  reserved: number;
};

/** A locked stock that a sale takes units from, with the changes of this transaction: units and status. */
export type SellableStock = {
  readonly place: PublicationPlace;
  readonly name: string;
  status: PublicationStatus;
  readonly pointsCost: Amount | undefined;
  /** The publication's. */
  readonly own: Units;
  /** Its agreement's, which its other publications share; undefined without an agreement. */
  readonly shared: Units | undefined;
};

/** Units that nobody has reserved. */
export function availableIn({ stock, reserved }: Units): number {
  return stock - reserved;
}

/** Units that can be sold or reserved now: a publication of an agreement needs both to have them. */
export function forSale({ own, shared }: SellableStock): number {
  return shared === undefined ? availableIn(own) : Math.min(availableIn(own), availableIn(shared));
}

/**
 * Refuses to sell or reserve units that are not there. Nothing is asked of a publication whose units are all held back
 * for the buyer already.
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

/** The 409 of units that are not there. @param instead what to do */
export function outOfStock(sellable: SellableStock, instead: Sentence): DomainError {
  const left = forSale(sellable);
  const has = left === 0 ? sentence`has no units available` : sentence`has ${left} units available`;
  return new DomainError('OUT_OF_STOCK', sentence`The publication '${sellable.name}' ${has}. ${instead}`);
}

/** Holds units back. */
export function reserve(sellable: SellableStock, units: number): void {
  for (const side of sidesOf(sellable)) side.reserved += units;
}

/** Gives units back that were held back. */
export function release(sellable: SellableStock, units: number): void {
  reserve(sellable, -units);
}

/** Sells units that were held back, and others. */
export function sell(sellable: SellableStock, { held, free }: { readonly held: number; readonly free: number }): void {
  release(sellable, held);
  for (const side of sidesOf(sellable)) side.stock -= held + free;
}

function sidesOf({ own, shared }: SellableStock): Units[] {
  return shared === undefined ? [own] : [own, shared];
}

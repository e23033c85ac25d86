import { DomainError } from '../../../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../../../kernel/sentence.ts';
import type { Product } from '../product.ts';

/** A product's stock under its row lock, with the changes of this transaction so far. */
export type ProductStock = {
  readonly product: Product;
  /** Remaining units. Without meaning for UNLIMITED. */
  units: number;
  /** The part of `units` that belongs to publications, for their buyers only; 0 for UNLIMITED. */
  allocated: number;
  /** The number of pending rewards. */
  waiting: number;
  /**
   * The fewest units that a pending reward needed at the time of the lock; undefined without pending rewards. A transaction that only takes
   * units need not update it: a reward that it adds to the queue needs more than the free units, and needs never fall by more than the free
   * units do.
   */
  smallestNeed: number | undefined;
  /** Units that this transaction adds. */
  added: number;
  /** A webhook is sent below this number of units; undefined for no webhook. */
  readonly lowThreshold: number | undefined;
  /** The units in the row: at the time of the lock, then of the last save. */
  unitsStored: number;
  /** The same of `allocated`. */
  allocatedStored: number;
};

/** The stocks locked by a transaction, by product. */
export type Stocks = Map<string, ProductStock>;

/** Units that are allocated to no publication. Without meaning for UNLIMITED. */
export function freeUnits({ units, allocated }: ProductStock): number {
  return units - allocated;
}

/**
 * Free units without a claim. A pending reward that needs more than the free units has no claim: it would block them for others and not get
 * them either. A reward for which they suffice exists only during a restock, and then takes precedence.
 */
export function unclaimedUnits(stock: ProductStock): number {
  return isBeingServed(stock) ? 0 : freeUnits(stock);
}

/** Whether the free units suffice for a pending reward, which the restock has not reached yet. */
function isBeingServed(stock: ProductStock): boolean {
  return stock.smallestNeed !== undefined && stock.smallestNeed <= freeUnits(stock);
}

/** Whether the stock has that many free units. */
export function hasUnclaimedUnits(stock: ProductStock, units: number): boolean {
  return stock.product.stockMode === 'UNLIMITED' || unclaimedUnits(stock) >= units;
}

/**
 * Takes units if enough are free and they suffice for no pending reward.
 * @returns whether the units were taken: all or none
 */
export function takeUnits(stock: ProductStock, units: number): boolean {
  if (!hasUnclaimedUnits(stock, units)) return false;
  if (stock.product.stockMode !== 'UNLIMITED') stock.units -= units;
  return true;
}

/** Takes free units for a pending reward, which then no longer waits. @returns whether they were enough */
export function takeUnitsForPending(stock: ProductStock, units: number): boolean {
  if (freeUnits(stock) < units) return false;
  stock.units -= units;
  stock.waiting -= 1;
  return true;
}

/**
 * Allocates free units to a publication, for its buyers only.
 * @param field the request field with `units`
 * @throws DomainError `UNITS_NOT_FREE`
 */
export function allocate(stock: ProductStock, units: number, field: string): void {
  if (stock.product.stockMode === 'UNLIMITED') return;
  const most = unclaimedUnits(stock);
  if (units > most) {
    const fewer = sentence`Send a ${field} of ${most} at most, or add units to the product first.`;
    throw unitsNotFree(stock, most === 0 ? sentence`Add units to the product first.` : fewer);
  }
  stock.allocated += units;
}

/** Frees unreserved units of a publication. */
export function deallocate(stock: ProductStock, units: number): void {
  if (stock.product.stockMode !== 'UNLIMITED') stock.allocated -= units;
}

/** Takes sold units of a publication. The database refuses more than the publication has. */
export function sellAllocated(stock: ProductStock, units: number): void {
  if (stock.product.stockMode === 'UNLIMITED') return;
  stock.units -= units;
  stock.allocated -= units;
}

/**
 * The 409 of units that are not free.
 * @param instead the advice to the caller
 */
export function unitsNotFree(stock: ProductStock, instead: Sentence): DomainError {
  const { product, units, allocated, waiting } = stock;
  const free = freeUnits(stock);
  const waits =
    free > 0 && isBeingServed(stock)
      ? waiting === 1
        ? sentence`, for which 1 earned reward waits`
        : sentence`, for which ${waiting} earned rewards wait`
      : '';
  const left = sentence`has ${units} units left: ${allocated} are allocated to publications and ${free} are free${waits}`;
  return new DomainError('UNITS_NOT_FREE', sentence`The product '${product.name}' ${left}. ${instead}`);
}

import { DomainError } from '../../../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../../../kernel/sentence.ts';
import type { Product } from '../product.ts';

/** A product's stock under its row lock, with what this transaction has taken so far. */
export type ProductStock = {
  readonly product: Product;
  /** Units left. Without meaning for UNLIMITED. */
  units: number;
  /** Of these, the units of publications: only their buyers get them. 0 for UNLIMITED. */
  allocated: number;
  /** Earned rewards that wait for stock. */
  waiting: number;
  /**
   * The fewest units that one of those needs which waited when the row was locked; undefined if nobody did. A transaction
   * that only takes units need not follow it: whom it adds to the queue needs more than is free, and needs never fall by
   * more than free units do.
   */
  smallestNeed: number | undefined;
  /** Units that this transaction adds. */
  added: number;
  /** Fewer units than this are worth a webhook; undefined where none is wanted. */
  readonly lowThreshold: number | undefined;
  /** The units that the row says are left: as it was locked, then as it was last written. */
  unitsStored: number;
};

/** The stocks that a transaction holds, by product. */
export type Stocks = Map<string, ProductStock>;

/** Units that are allocated to no publication. Without meaning for UNLIMITED. */
export function freeUnits({ units, allocated }: ProductStock): number {
  return units - allocated;
}

/**
 * Free units that nobody has a claim to. A waiting reward that needs more than is free has none: it would keep the units from
 * everybody and not get them either. One that fits is there only while a restock is under way, and then comes before
 * everybody else.
 */
export function unclaimedUnits(stock: ProductStock): number {
  return isBeingServed(stock) ? 0 : freeUnits(stock);
}

/** Whether a reward waits that the free units suffice for: its restock has not come to it yet. */
function isBeingServed(stock: ProductStock): boolean {
  return stock.smallestNeed !== undefined && stock.smallestNeed <= freeUnits(stock);
}

/** Whether that many units are free. */
export function isThere(stock: ProductStock, units: number): boolean {
  return stock.product.stockMode === 'UNLIMITED' || unclaimedUnits(stock) >= units;
}

/**
 * Takes units if as many are free and nobody waits whom they suffice for.
 * @returns whether the units were taken: all or none
 */
export function allot(stock: ProductStock, units: number): boolean {
  if (!isThere(stock, units)) return false;
  if (stock.product.stockMode !== 'UNLIMITED') stock.units -= units;
  return true;
}

/** Takes free units for one who waits, and then no longer does. @returns whether they were enough */
export function allotToWaiting(stock: ProductStock, units: number): boolean {
  if (freeUnits(stock) < units) return false;
  stock.units -= units;
  stock.waiting -= 1;
  return true;
}

/**
 * Allocates free units to a publication, from where only its buyers get them.
 * @param field of the caller, in which it sent `units`
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

/** Frees units of a publication that nobody holds back. */
export function deallocate(stock: ProductStock, units: number): void {
  if (stock.product.stockMode !== 'UNLIMITED') stock.allocated -= units;
}

/** Takes units of a publication that it sells. The database refuses what the publication does not have. */
export function sellAllocated(stock: ProductStock, units: number): void {
  if (stock.product.stockMode === 'UNLIMITED') return;
  stock.units -= units;
  stock.allocated -= units;
}

/** The 409 of units that are not free. @param instead what to do */
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

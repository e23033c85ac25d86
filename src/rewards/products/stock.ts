import type { Product } from './product.ts';

/** A product's stock under its row lock, with what this transaction has taken so far. */
export type ProductStock = {
  readonly product: Product;
  /** Units left. Without meaning for UNLIMITED. */
  units: number;
  /** Earned rewards that wait for stock. */
  waiting: number;
  /** Units that this transaction adds. */
  added: number;
};

/** The stocks that a transaction holds, by product. */
export type Stocks = Map<string, ProductStock>;

/**
 * Takes units if there are enough and nobody waits for any. Who waits comes first: if a small order could pass a large
 * one that waits, a popular product would never gather the units for the large one.
 * @returns whether the units were taken: all or none
 */
export function allot(stock: ProductStock, units: number): boolean {
  if (stock.product.stockMode === 'UNLIMITED') return true;
  if (stock.waiting > 0 || stock.units < units) return false;
  stock.units -= units;
  return true;
}

/** Takes units for the first in the queue, who no longer waits then. */
export function allotToFirst(stock: ProductStock, units: number): boolean {
  if (stock.units < units) return false;
  stock.units -= units;
  stock.waiting -= 1;
  return true;
}

import type { Amount } from '../../kernel/amount.ts';

/** The count of a product's units: unique codes, a number, or none. */
export type StockMode = 'CODES' | 'COUNTED' | 'UNLIMITED';

/**
 * The fields of a product for taking units. Mode and pieces never change; a change of the others begins a new
 * catalogue.
 */
export type Product = {
  readonly id: string;
  readonly name: string;
  readonly stockMode: StockMode;
  /** Pieces that combine into one unit; undefined if it has no fragments. */
  readonly fragmentsRequired: number | undefined;
  /** Points for one unit; undefined if it is not sold for points. */
  readonly pointsCost: Amount | undefined;
  /** Whether it is archived: no longer sold for points, and not available for new references. */
  readonly archived?: boolean | undefined;
};

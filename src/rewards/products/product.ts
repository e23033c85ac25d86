import type { Amount } from '../../kernel/amount.ts';

/** How units of a product are counted: by unique codes, by a number, or not at all. */
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
  /** It is no longer sold for points, and nothing new may name it. */
  readonly archived?: boolean | undefined;
};

import type { Product } from '../../../src/rewards/products/product.ts';
import type { Row } from './store.ts';

/** A product for taking units. */
export function productOf(row: Row): Product {
  return {
    id: row['id'],
    name: row['name'],
    stockMode: row['stockMode'],
    fragmentsRequired: row['fragmentsRequired'] ?? undefined,
    pointsCost: row['pointsCost'] ?? undefined,
    archived: row['deletedAt'] !== null,
  };
}

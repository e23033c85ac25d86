import { badRequest } from '../../../kernel/errors/domain-error.ts';
import type { StockMode } from '../product.ts';

/**
 * The requested threshold of a product; null without one.
 * @throws DomainError `BAD_REQUEST` for a product that never runs low
 */
export function thresholdOf(
  { lowStockThreshold }: { readonly lowStockThreshold?: number | undefined },
  stockMode: StockMode,
): number | null {
  if (lowStockThreshold !== undefined && stockMode === 'UNLIMITED')
    throw badRequest(
      '`lowStockThreshold` goes with units that are counted, and this product is UNLIMITED. Leave it out.',
    );
  return lowStockThreshold ?? null;
}

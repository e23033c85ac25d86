import { DomainError } from '../../kernel/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { RecordedRedemption } from '../../redemptions/redemption.ts';
import { type Fulfilment, fulfilUnits } from './fulfilment.ts';
import type { Product } from './product.ts';
import { allot } from './stock.ts';
import { lockStocks, saveStocks } from './stock.queries.ts';

/**
 * Takes units of a product for an account that buys them, with their codes. Locks the product, so accounts are to be
 * locked before, and publications after. Units that earned rewards wait for are not for sale.
 * @throws DomainError `OUT_OF_STOCK`
 */
export async function takeUnits(uow: UnitOfWork, fulfilment: Fulfilment, now: Date): Promise<RecordedRedemption> {
  const stocks = await lockStocks(uow, [fulfilment.product]);
  const stock = stocks.get(fulfilment.product.id)!;
  if (!allot(stock, fulfilment.units)) throw outOfStock(fulfilment.product, stock.waiting > 0 ? 0 : stock.units);
  await saveStocks(uow, stocks.values(), now);
  const [redemption] = await fulfilUnits(uow, [fulfilment], now);
  return redemption!;
}

function outOfStock({ name }: Product, units: number): DomainError {
  const left = units === 0 ? 'is sold out' : `has ${units} units left`;
  return new DomainError('OUT_OF_STOCK', `The product '${name}' ${left}. Ask for fewer, or later.`);
}

import { DomainError } from '../../kernel/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { RecordedRedemption } from '../../redemptions/redemption.ts';
import { type Fulfilment, fulfilUnits } from './fulfilment.ts';
import type { Product } from './product.ts';
import { allot, sellAllocated, type Stocks, unclaimedUnits } from './stock.ts';
import { lockStocks, saveStocks } from './stock.queries.ts';

/**
 * Takes free units of a product for an account that buys them, with their codes. Locks the product, so accounts are to be
 * locked before, and publications after. Units of publications, and those that earned rewards wait for, are not for sale.
 * @throws DomainError `OUT_OF_STOCK`
 */
export async function takeUnits(uow: UnitOfWork, fulfilment: Fulfilment, now: Date): Promise<RecordedRedemption> {
  const stocks = await lockStocks(uow, [fulfilment.product]);
  const stock = stocks.get(fulfilment.product.id)!;
  if (!allot(stock, fulfilment.units)) throw outOfStock(fulfilment.product, unclaimedUnits(stock));
  return handOut(uow, stocks, fulfilment, now);
}

/**
 * Takes units that are allocated to a publication for its buyer, with their codes. The product and then the publication are
 * locked, and the publication has the units: those who wait for stock have no claim to them.
 */
export async function takeAllocatedUnits(
  uow: UnitOfWork,
  fulfilment: Fulfilment,
  now: Date,
): Promise<RecordedRedemption> {
  const stocks = await lockStocks(uow, [fulfilment.product]);
  sellAllocated(stocks.get(fulfilment.product.id)!, fulfilment.units);
  return handOut(uow, stocks, fulfilment, now);
}

async function handOut(
  uow: UnitOfWork,
  stocks: Stocks,
  fulfilment: Fulfilment,
  now: Date,
): Promise<RecordedRedemption> {
  await saveStocks(uow, stocks.values(), now);
  const [redemption] = await fulfilUnits(uow, [fulfilment], now);
  return redemption!;
}

function outOfStock({ name }: Product, units: number): DomainError {
  const left = units === 0 ? 'is sold out' : `has ${units} units left`;
  return new DomainError('OUT_OF_STOCK', `The product '${name}' ${left}. Ask for fewer, or later.`);
}

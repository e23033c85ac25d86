import type { UnitOfWork } from '../../persistence/database.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import type { MergedPair } from '../../persistence/subjects/account-part.ts';
import { removeRows } from '../../persistence/subjects/merged-rows.ts';
import { productsById } from '../products/products.queries.ts';
import { fulfilUnits } from '../products/stock/fulfilment.ts';
import { takeUnits } from '../products/stock/stock.ts';
import { lockStocks, saveStocks } from '../products/stock/stock.queries.ts';
import { loadHoldings, piecesOfAccount, putPieces, saveHoldings, unitsOf } from './fragments.ts';

/**
 * Adds the pieces of one account to those of another, and hands out the units that they make together. Pieces of a product without free
 * units stay pieces; the next ones combine them. Both accounts are locked; this locks the products.
 * @param sourceId the id of the merge, for the redemptions
 * @returns the number of units
 */
export async function mergePieces(
  uow: UnitOfWork,
  { from, into }: MergedPair,
  sourceId: string,
  now: Date,
): Promise<number> {
  const rows = lookUpByKey({
    select: 'product_id, pieces',
    from: 'fragment_balance',
    key: { account_id: '$2::uuid' },
    many: true,
  });
  await uow.query(
    `insert into fragment_balance as t (client_id, account_id, product_id, pieces)
     select client_row.client_id, $3::uuid, product_id, pieces from ${CLIENT_ROW} cross join ${rows} own order by product_id
     on conflict (client_id, account_id, product_id) do update set pieces = t.pieces + excluded.pieces`,
    [uow.clientId, from, into],
  );
  await removeRows(uow, 'fragment_balance', [from]);
  return combinePieces(uow, into, sourceId, now);
}

/** Hands out the units that the pieces of a locked account make, and stores what its waiting pieces need. @returns the number of units */
export async function combinePieces(uow: UnitOfWork, accountId: string, sourceId: string, now: Date): Promise<number> {
  const earned = await piecesOfAccount(uow, accountId);
  const products = await productsById(
    uow,
    earned.map(({ productId }) => productId),
  );
  const wanted = products
    .values()
    .map((product) => ({ accountId, product }))
    .toArray();
  const holdings = await loadHoldings(uow, wanted);
  const whole = [...holdings.values()].filter(({ product, pieces }) => unitsOf(product, pieces) > 0);
  const stocks = await lockStocks(
    uow,
    whole.map(({ product }) => product),
  );
  const fulfilments = whole.flatMap((holding) => {
    const { product, pieces } = holding;
    const units = unitsOf(product, pieces);
    const stock = stocks.get(product.id);
    if (stock && !takeUnits(stock, units)) return [];
    putPieces(holding, 0, units);
    return [{ accountId, product, units, source: 'FRAGMENTS' as const, sourceId }];
  });
  await saveHoldings(uow, holdings);
  await saveStocks(uow, stocks.values(), now);
  await fulfilUnits(uow, fulfilments, now);
  return fulfilments.reduce((sum, { units }) => sum + units, 0);
}

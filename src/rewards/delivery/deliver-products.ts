import type { UnitOfWork } from '../../persistence/database.ts';
import type { RecordedRedemption } from '../../redemptions/redemption.ts';
import {
  type Holding,
  type Holdings,
  holdingOf,
  loadHoldings,
  putPieces,
  saveHoldings,
  unitsOf,
} from '../fragments/fragments.ts';
import { type Fulfilment, fulfilUnits } from '../products/stock/fulfilment.ts';
import type { Product } from '../products/product.ts';
import { allot } from '../products/stock/stock.ts';
import { lockStocks, saveStocks } from '../products/stock/stock.queries.ts';
import type { Pending } from './delivery.ts';

/** Units or pieces of a product that an account is to get. */
export type ProductClaim = {
  /** Of the earned reward. */
  readonly id: string;
  readonly accountId: string;
  readonly product: Product;
  /** Whether `amount` counts pieces of the product instead of units. */
  readonly isPieces: boolean;
  readonly amount: number;
};

/** What became of claims, by their ids. */
export type ProductOutcome = {
  /** What brought units. Pieces that do not make a unit yet bring none. */
  readonly redemptions: ReadonlyMap<string, RecordedRedemption>;
  /** What has to wait for stock, and for which. */
  readonly waiting: ReadonlyMap<string, Pick<Pending, 'productId' | 'unitsNeeded'>>;
};

/** Delivers claims in their order, or has them wait for stock. The caller holds the locks of the accounts. */
export async function deliverProducts(
  uow: UnitOfWork,
  claims: readonly ProductClaim[],
  now: Date,
): Promise<ProductOutcome> {
  if (claims.length === 0) return { redemptions: new Map(), waiting: new Map() };
  const waiting: ProductClaim[] = [];
  const holdings = await loadHoldings(uow, claims.filter(isOfPieces));
  const stocks = await lockStocks(uow, productsNeeded(claims, holdings));
  const fulfilments: ClaimedUnits[] = [];
  for (const claim of claims) {
    const stock = stocks.get(claim.product.id);
    const units = unitsClaimed(claim, holdings);
    if (units > 0 && stock && !allot(stock, units)) {
      stock.waiting += 1;
      waiting.push(claim);
    } else {
      fulfilments.push(...settleClaim(claim, units, holdings));
    }
  }
  await saveHoldings(uow, holdings);
  await saveStocks(uow, stocks.values(), now);
  return {
    // As the holdings are in the end, which is what everybody else finds.
    waiting: new Map(
      waiting.map((claim) => {
        const unitsNeeded = unitsClaimed(claim, holdings);
        return [claim.id, { productId: claim.product.id, unitsNeeded }];
      }),
    ),
    redemptions: await fulfilClaimed(uow, fulfilments, now),
  };
}

/** Units that go out for a claim, whose id is the source. */
export type ClaimedUnits = Fulfilment & { readonly sourceId: string };

/** Units that a claim needs now: of pieces, what its pieces and those that the account holds combine into. */
export function unitsClaimed(claim: ProductClaim, holdings: Holdings): number {
  return claim.isPieces ? unitsOf(claim.product, pieces(claim, holdings).pieces + claim.amount) : claim.amount;
}

/** Puts the pieces of a claim where they belong, waiting or not, and gives what is to be handed out for it, if anything is. */
export function settleClaim(claim: ProductClaim, units: number, holdings: Holdings): ClaimedUnits[] {
  if (claim.isPieces) {
    const holding = pieces(claim, holdings);
    holding.waiting.delete(claim.id);
    putPieces(holding, claim.amount, units);
  }
  if (units === 0) return [];
  const { accountId, product, id: sourceId } = claim;
  return [{ accountId, product, units, source: claim.isPieces ? 'FRAGMENTS' : 'REWARD', sourceId }];
}

/** Hands units out and gives the redemptions by claim. */
export async function fulfilClaimed(
  uow: UnitOfWork,
  fulfilments: readonly ClaimedUnits[],
  now: Date,
): Promise<Map<string, RecordedRedemption>> {
  const redemptions = await fulfilUnits(uow, fulfilments, now);
  return new Map(redemptions.map((redemption, index) => [fulfilments[index]!.sourceId, redemption]));
}

/** Whether a claim is for pieces. */
export function isOfPieces(claim: ProductClaim): boolean {
  return claim.isPieces;
}

function pieces(claim: ProductClaim, holdings: Holdings): Holding {
  return holdingOf(holdings, claim.accountId, claim.product);
}

/**
 * The products to lock: all of which units go out. Pieces count only where all that an account gets make a unit, so that
 * most deliveries of fragments lock no product.
 */
function productsNeeded(claims: readonly ProductClaim[], holdings: Holdings): Set<Product> {
  const needed = new Set<Product>();
  const sums = new Map<Holding, number>();
  for (const claim of claims) {
    const holding = claim.isPieces ? pieces(claim, holdings) : undefined;
    const sum = holding && (sums.get(holding) ?? holding.pieces) + claim.amount;
    if (holding && sum) sums.set(holding, sum);
    if (sum === undefined || unitsOf(claim.product, sum) > 0) needed.add(claim.product);
  }
  return needed;
}

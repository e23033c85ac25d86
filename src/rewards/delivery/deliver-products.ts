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
import { takeUnits } from '../products/stock/stock.ts';
import { lockStocks, saveStocks } from '../products/stock/stock.queries.ts';
import type { WaitingReward } from './earned-reward.ts';

/** The units or pieces of a product for an account. */
export type ProductClaim = {
  /** The id of the earned reward. */
  readonly id: string;
  readonly accountId: string;
  readonly product: Product;
  /** Whether `amount` counts pieces of the product instead of units. */
  readonly isPieces: boolean;
  readonly amount: number;
};

/** The outcome of claims, by their ids. */
export type ProductOutcome = {
  /** The redemptions of the units handed out. Pieces that do not make a unit yet have none. */
  readonly redemptions: ReadonlyMap<string, RecordedRedemption>;
  /** The claims that wait for stock, with their products and units. */
  readonly waiting: ReadonlyMap<string, Pick<WaitingReward, 'productId' | 'unitsNeeded'>>;
};

/** Delivers claims in their order, or puts them into the queue of the product. The caller has locked the accounts. */
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
    if (units > 0 && stock && !takeUnits(stock, units)) {
      stock.waiting += 1;
      waiting.push(claim);
    } else {
      fulfilments.push(...settleClaim(claim, units, holdings));
    }
  }
  await saveHoldings(uow, holdings);
  await saveStocks(uow, stocks.values(), now);
  return {
    // Calculated from the final holdings, because those are stored.
    waiting: new Map(
      waiting.map((claim) => {
        const unitsNeeded = unitsClaimed(claim, holdings);
        return [claim.id, { productId: claim.product.id, unitsNeeded }];
      }),
    ),
    redemptions: await fulfilClaimed(uow, fulfilments, now),
  };
}

/** The units handed out for a claim; the id of the claim is `sourceId`. */
export type ClaimedUnits = Fulfilment & { readonly sourceId: string };

/** The units that a claim needs now. For pieces: the units that they and the pieces of the account combine into. */
export function unitsClaimed(claim: ProductClaim, holdings: Holdings): number {
  return claim.isPieces ? unitsOf(claim.product, pieces(claim, holdings).pieces + claim.amount) : claim.amount;
}

/** Adds the pieces of a claim to the holding of its account, and returns the units to hand out for it, if any. */
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

/** Hands units out and returns the redemptions by the ids of the claims. */
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
 * The products to lock: those of which units are handed out. Pieces need a lock only if the account's pieces make a unit, so that
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

import type { UnitOfWork } from '../../persistence/database.ts';
import { type Holdings, loadHoldings, saveHoldings } from '../fragments/fragments.ts';
import { wholeAmount } from '../definitions/reward-definition.ts';
import { rewardTypes } from '../definitions/reward-types.ts';
import type { Product } from '../products/product.ts';
import { allotToWaiting, type ProductStock } from '../products/stock/stock.ts';
import { saveStocks } from '../products/stock/stock.queries.ts';
import {
  type ClaimedUnits,
  fulfilClaimed,
  isOfPieces,
  type ProductClaim,
  settleClaim,
  unitsClaimed,
} from './deliver-products.ts';
import type { Delivered, Pending } from './delivery.ts';
import { dropFromQueue, fulfilEarnedRewards } from './earned-rewards.queries.ts';
import { announceClosings, announceSettled } from './reward-webhooks.ts';

/** Rewards that wait for one product, under the locks of their accounts and of the product. */
export type Queue = {
  readonly stock: ProductStock;
  /** In their order. */
  readonly waiting: readonly Pending[];
  /** Accounts that exist. */
  readonly alive: ReadonlySet<string>;
};

/** What became of them. The others wait as before. */
export type Served = {
  readonly delivered: readonly Delivered[];
  /** Whose accounts exist no more. */
  readonly dropped: readonly Pending[];
};

/**
 * Delivers to everybody whom the free units suffice for, one after the other, and announces it. Writes the stock, too. Whose
 * account was deleted leaves the queue.
 *
 * One pass is enough: whoever was passed over still needs more than is free after those behind. To deliver pieces may lower
 * what other pieces of the account need by one unit at most, and takes one unit at least.
 */
export async function serveWaiting(uow: UnitOfWork, queue: Queue, now: Date): Promise<Served> {
  const { stock } = queue;
  const { served, dropped, fulfilments } = await allotInOrder(uow, queue);
  await saveStocks(uow, [stock], now);
  const redemptions = await fulfilClaimed(uow, fulfilments, now);
  const delivered = served.map((reward): Delivered => {
    const receipt = { redemption: redemptions.get(reward.id), deliveredAt: now, unitsNeeded: undefined };
    return { ...reward, status: 'DELIVERED', ...receipt };
  });
  await fulfilEarnedRewards(uow, delivered, now);
  await announceClosings(uow, delivered);
  await announceSettled(uow, [...served, ...dropped]);
  return { delivered, dropped };
}

type Allotted = {
  readonly served: Pending[];
  readonly dropped: Pending[];
  readonly fulfilments: ClaimedUnits[];
};

async function allotInOrder(uow: UnitOfWork, { stock, waiting, alive }: Queue): Promise<Allotted> {
  const claims = waiting.map((reward) => ({ reward, claim: claimOf(reward, stock.product) }));
  const ofPieces = claims.map(({ claim }) => claim).filter(isOfPieces);
  const holdings: Holdings = await loadHoldings(
    uow,
    ofPieces.filter(({ accountId }) => alive.has(accountId)),
  );
  const served: Pending[] = [];
  const dropped: Pending[] = [];
  const fulfilments: ClaimedUnits[] = [];
  for (const { reward, claim } of claims) {
    if (!alive.has(reward.accountId)) {
      stock.waiting -= 1;
      dropped.push(reward);
      continue;
    }
    const units = unitsClaimed(claim, holdings);
    if (!allotToWaiting(stock, units)) continue;
    served.push(reward);
    fulfilments.push(...settleClaim(claim, units, holdings));
  }
  await saveHoldings(uow, holdings);
  await dropFromQueue(
    uow,
    dropped.map(({ id }) => id),
  );
  return { served, dropped, fulfilments };
}

function claimOf(reward: Pending, product: Product): ProductClaim {
  const { id, accountId, rewardType } = reward;
  return { id, accountId, product, isPieces: rewardTypes[rewardType].stock === 'pieces', amount: wholeAmount(reward) };
}

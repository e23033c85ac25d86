import type { UnitOfWork } from '../../persistence/database.ts';
import { type Holdings, loadHoldings, saveHoldings } from '../fragments/fragments.ts';
import { wholeAmount } from '../definitions/reward-definition.ts';
import { rewardTypeRules } from '../definitions/reward-types.ts';
import type { Product } from '../products/product.ts';
import { takeUnitsForPending, type ProductStock } from '../products/stock/stock.ts';
import { saveStocks } from '../products/stock/stock.queries.ts';
import {
  type ClaimedUnits,
  fulfilClaimed,
  isOfPieces,
  type ProductClaim,
  settleClaim,
  unitsClaimed,
} from './deliver-products.ts';
import type { DeliveredReward, WaitingReward } from './earned-reward.ts';
import { dropFromQueue, fulfilEarnedRewards } from './earned-rewards.queries.ts';
import { announceClosings, announceSettled } from './reward-webhooks.ts';

/** Pending rewards of one product, under the locks of their accounts and of the product. */
export type Queue = {
  readonly stock: ProductStock;
  /** The pending rewards, in the order of the queue. */
  readonly waiting: readonly WaitingReward[];
  /** The ids of existing accounts. */
  readonly alive: ReadonlySet<string>;
};

/** The rewards that left the queue. The others still wait. */
export type FulfilledQueue = {
  readonly delivered: readonly DeliveredReward[];
  /** The rewards of deleted accounts. */
  readonly dropped: readonly WaitingReward[];
};

/**
 * Delivers the rewards for which the free units suffice, in the order of the queue, enqueues their webhooks and stores the stock.
 * Rewards of deleted accounts leave the queue.
 *
 * One pass is enough: a reward that was passed over still needs more than the free units at the end. The delivery of pieces reduces the
 * need of other pieces of the account by at most one unit, and takes at least one unit.
 */
export async function fulfilQueue(uow: UnitOfWork, queue: Queue, now: Date): Promise<FulfilledQueue> {
  const { stock } = queue;
  const { fulfilled, dropped, fulfilments } = await allotInOrder(uow, queue);
  await saveStocks(uow, [stock], now);
  const redemptions = await fulfilClaimed(uow, fulfilments, now);
  const delivered = fulfilled.map((reward): DeliveredReward => {
    const receipt = { redemption: redemptions.get(reward.id), deliveredAt: now, unitsNeeded: undefined };
    return { ...reward, status: 'DELIVERED', ...receipt };
  });
  await fulfilEarnedRewards(uow, delivered, now);
  await announceClosings(uow, delivered);
  await announceSettled(uow, [...fulfilled, ...dropped]);
  return { delivered, dropped };
}

type Allotted = {
  readonly fulfilled: WaitingReward[];
  readonly dropped: WaitingReward[];
  readonly fulfilments: ClaimedUnits[];
};

async function allotInOrder(uow: UnitOfWork, { stock, waiting, alive }: Queue): Promise<Allotted> {
  const claims = waiting.map((reward) => ({ reward, claim: claimOf(reward, stock.product) }));
  const ofPieces = claims.map(({ claim }) => claim).filter(isOfPieces);
  const holdings: Holdings = await loadHoldings(
    uow,
    ofPieces.filter(({ accountId }) => alive.has(accountId)),
  );
  const fulfilled: WaitingReward[] = [];
  const dropped: WaitingReward[] = [];
  const fulfilments: ClaimedUnits[] = [];
  for (const { reward, claim } of claims) {
    if (!alive.has(reward.accountId)) {
      stock.waiting -= 1;
      dropped.push(reward);
      continue;
    }
    const units = unitsClaimed(claim, holdings);
    if (!takeUnitsForPending(stock, units)) continue;
    fulfilled.push(reward);
    fulfilments.push(...settleClaim(claim, units, holdings));
  }
  await saveHoldings(uow, holdings);
  await dropFromQueue(uow, dropped);
  return { fulfilled, dropped, fulfilments };
}

function claimOf(reward: WaitingReward, product: Product): ProductClaim {
  const { id, accountId, rewardType } = reward;
  return {
    id,
    accountId,
    product,
    isPieces: rewardTypeRules[rewardType].stock === 'pieces',
    amount: wholeAmount(reward),
  };
}

import { lockAccounts } from '../../accounts/resolve-accounts.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import {
  type ClaimedUnits,
  fulfilClaimed,
  isOfPieces,
  type ProductClaim,
  settleClaim,
  unitsClaimed,
} from './deliver-products.ts';
import type { Delivery } from './delivery.ts';
import { dropFromQueue, fulfilEarnedRewards, queueHead, type Waiting, waitingAmong } from './earned-rewards.queries.ts';
import { type Holdings, loadHoldings, saveHoldings } from '../fragments/fragments.ts';
import type { Product } from '../products/product.ts';
import { productsToServe } from '../products/products.queries.ts';
import { wholeAmount } from '../definitions/reward-definition.ts';
import { rewardTypes } from '../definitions/reward-types.ts';
import { announceClosings, announceSettled } from './reward-webhooks.ts';
import { allotToFirst, type ProductStock } from '../products/stock.ts';
import { lockStocks, saveStocks } from '../products/stock.queries.ts';

/** Adds units to a locked product that has `units` left: writes what belongs to them, such as codes, and gives how many. */
export type AddUnits = (uow: UnitOfWork, units: number) => Promise<number>;

/** What is done at the end of the transaction that added the units. */
export type Afterwards = (uow: UnitOfWork) => Promise<void>;

/**
 * Adds units to a product and delivers to those who wait for it, first come, first served. The units and the first
 * deliveries commit together; a long queue goes on in further transactions, so that none holds its locks for long. While
 * anyone waits, nobody else gets units, so that the queue loses nothing in between. A crash leaves the rest of the queue
 * to {@link resumeRestocks}.
 * @returns how many waiting rewards were delivered
 */
export async function restock(
  db: Database,
  clientId: string,
  product: Product,
  add: AddUnits,
  now: Date,
  afterwards?: Afterwards,
): Promise<number> {
  let round = await db.unitOfWork(clientId, async (uow) => {
    const first = await serveQueue(uow, product, now, add);
    await afterwards?.(uow);
    return first;
  });
  let { delivered } = round;
  while (round.more) {
    round = await db.unitOfWork(clientId, (uow) => serveQueue(uow, product, now));
    delivered += round.delivered;
  }
  return delivered;
}

/** Goes on with restocks of the client that did not come to their end: housekeeping. Gives how many rewards it delivered. */
export async function resumeRestocks(db: Database, clientId: string, now: Date): Promise<number> {
  const products = await db.unitOfWork(clientId, productsToServe);
  let delivered = 0;
  for (const product of products) delivered += await restock(db, clientId, product, async () => 0, now);
  return delivered;
}

/** Rewards delivered in one transaction at most: some tens of milliseconds under the product's lock. */
const ROUND = 500;

type Round = {
  readonly delivered: number;
  /** Others wait, and the units may last for them: those behind the head, or who came while it was being locked. */
  readonly more: boolean;
};

async function serveQueue(uow: UnitOfWork, product: Product, now: Date, add?: AddUnits): Promise<Round> {
  // Accounts are locked before products, everywhere. Nobody can come before the head that was read without a lock.
  const head = await queueHead(uow, product.id, ROUND);
  const accounts = await lockAccounts(uow, [...new Set(head.map(({ accountId }) => accountId))]);
  const stocks = await lockStocks(uow, [product]);
  const stock = stocks.get(product.id)!;
  stock.added = (await add?.(uow, stock.units)) ?? 0;
  stock.units += stock.added;
  const waiting = await waitingAmong(uow, head);
  const outcome = await allotInOrder(uow, { stock, waiting, alive: new Set(accounts.map((account) => account.id)) });
  await saveStocks(uow, stocks.values(), now);
  const redemptions = await fulfilClaimed(uow, outcome.fulfilments, now);
  const deliveries = outcome.served.map((reward): Delivery => {
    const redemption = redemptions.get(reward.id);
    return { ...reward, status: 'DELIVERED', productId: product.id, redemption, deliveredAt: now };
  });
  await fulfilEarnedRewards(uow, deliveries, now);
  await announceClosings(uow, deliveries);
  await announceSettled(uow, [...outcome.served, ...outcome.dropped]);
  const more = outcome.complete && stock.waiting > 0 && (head.length > 0 || add !== undefined);
  return { delivered: deliveries.length, more };
}

type Queue = {
  readonly stock: ProductStock;
  readonly waiting: readonly Waiting[];
  readonly alive: ReadonlySet<string>;
};
type Allotted = {
  readonly served: Waiting[];
  /** Whose accounts exist no more. */
  readonly dropped: Waiting[];
  readonly fulfilments: ClaimedUnits[];
  readonly complete: boolean;
};

/** Serves the queue from its head until the stock does not cover the next. Who was deleted meanwhile leaves the queue. */
async function allotInOrder(uow: UnitOfWork, { stock, waiting, alive }: Queue): Promise<Allotted> {
  const claims = waiting.map((reward) => ({ reward, claim: claimOf(reward, stock.product) }));
  const holdings: Holdings = await loadHoldings(uow, claims.map(({ claim }) => claim).filter(isOfPieces));
  const served: Waiting[] = [];
  const fulfilments: ClaimedUnits[] = [];
  const dropped: Waiting[] = [];
  let complete = true;
  for (const { reward, claim } of claims) {
    if (!alive.has(reward.accountId)) {
      stock.waiting -= 1;
      dropped.push(reward);
      continue;
    }
    const units = unitsClaimed(claim, holdings);
    complete = allotToFirst(stock, units);
    if (!complete) break;
    served.push(reward);
    fulfilments.push(...settleClaim(claim, units, holdings));
  }
  await saveHoldings(uow, holdings);
  await dropFromQueue(
    uow,
    dropped.map(({ id }) => id),
  );
  return { served, dropped, fulfilments, complete };
}

function claimOf(reward: Waiting, product: Product): ProductClaim {
  const { id, accountId, rewardType } = reward;
  return {
    id,
    accountId,
    product,
    isPieces: rewardTypes[rewardType].isPieces,
    amount: wholeAmount(reward),
  };
}

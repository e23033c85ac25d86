import { lockAccounts } from '../../accounts/resolving/resolve-accounts.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { Product } from '../products/product.ts';
import { freeUnitsOf, productsToServe } from '../products/products.queries.ts';
import { smallestNeeds } from '../products/stock/queue.queries.ts';
import { freeUnits, type ProductStock } from '../products/stock/stock.ts';
import { lockStocks } from '../products/stock/stock.queries.ts';
import { queueOf, waitingAmong } from './earned-rewards.queries.ts';
import { fulfilQueue } from './fulfil-queue.ts';

/**
 * Adds units to a locked product: stores their data, such as codes, and returns their number. Or releases units of a publication
 * in `stock`, and returns 0.
 */
export type AddUnits = (uow: UnitOfWork, stock: ProductStock) => Promise<number>;

/** Work at the end of the transaction that added the units. */
export type Afterwards = (uow: UnitOfWork) => Promise<void>;

/**
 * Adds units to a product and delivers the pending rewards for which the free units suffice, first come, first served. The units and
 * the first deliveries commit together. A long queue continues in further transactions, so that none holds its locks for long. While
 * the units suffice for a reward in the queue, no other account gets any, so that the queue loses none between the transactions.
 * After a crash, {@link resumeRestocks} delivers the rest of the queue.
 * @param add undefined if the units are free already, for example after an interrupted restock
 * @returns the number of delivered rewards
 */
export async function restock(
  db: Database,
  clientId: string,
  product: Product,
  add: AddUnits | undefined,
  now: Date,
  afterwards?: Afterwards,
): Promise<number> {
  let round = await db.unitOfWork(clientId, async (uow) => {
    const first = await restockRound(uow, product, now, add);
    await afterwards?.(uow);
    return first;
  });
  let { delivered } = round;
  while (round.more) {
    round = await db.unitOfWork(clientId, (uow) => restockRound(uow, product, now));
    delivered += round.delivered;
  }
  return delivered;
}

/** Resumes interrupted restocks of the client: housekeeping. Returns the number of delivered rewards. */
export async function resumeRestocks(db: Database, clientId: string, now: Date): Promise<number> {
  const products = await db.unitOfWork(clientId, productsToServe);
  let delivered = 0;
  for (const product of products) delivered += await restock(db, clientId, product, undefined, now);
  return delivered;
}

/** The maximum of rewards delivered in one transaction: some tens of milliseconds under the product's lock. */
const ROUND = 500;

/** The maximum of units of a product. */
const ANY_UNITS = 2_147_483_647;

type Round = {
  readonly delivered: number;
  /** Whether the free units suffice for more of the queue, and no other restock delivers it. */
  readonly more: boolean;
};

async function restockRound(uow: UnitOfWork, product: Product, now: Date, add?: AddUnits): Promise<Round> {
  // Accounts are locked before products everywhere, so the first read of the queue is without a lock.
  const units = add ? ANY_UNITS : await freeUnitsOf(uow, product.id);
  const queue = await queueOf(uow, { productId: product.id, units, limit: ROUND });
  if (queue.length === 0 && add === undefined) return { delivered: 0, more: false };
  const read = new Set(queue.map(({ accountId }) => accountId));
  const alive = new Set((await lockAccounts(uow, [...read])).map((account) => account.id));
  const stock = (await lockStocks(uow, [product])).get(product.id)!;
  stock.added = (await add?.(uow, stock)) ?? 0;
  stock.units += stock.added;
  // If more units became free meanwhile, the read may lack rewards at the front: the next round reads again. It also does if a merge that
  // was undone meanwhile has given rewards back to accounts without a lock.
  const among = freeUnits(stock) <= units ? await waitingAmong(uow, queue) : undefined;
  const isWhole = among?.every(({ accountId }) => alive.has(accountId) || read.has(accountId)) ?? false;
  const waiting = isWhole ? among! : [];
  const { delivered, dropped } = await fulfilQueue(uow, { stock, waiting, alive }, now);
  // If another restock has delivered all of them, it also delivers the rest.
  const mayContinue = add !== undefined || !isWhole || delivered.length + dropped.length > 0;
  return { delivered: delivered.length, more: mayContinue && (await sufficesForQueue(uow, stock)) };
}

/** Whether the free units of a locked product suffice for a reward in its queue. */
async function sufficesForQueue(uow: UnitOfWork, stock: ProductStock): Promise<boolean> {
  const { product, waiting } = stock;
  if (waiting === 0) return false;
  const smallest = (await smallestNeeds(uow, [product.id])).get(product.id);
  return smallest !== undefined && smallest <= freeUnits(stock);
}

import { lockAccounts } from '../../accounts/resolve-accounts.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { Product } from '../products/product.ts';
import { freeUnitsOf, productsToServe } from '../products/products.queries.ts';
import { smallestNeeds } from '../products/stock/queue.queries.ts';
import { freeUnits, type ProductStock } from '../products/stock/stock.ts';
import { lockStocks } from '../products/stock/stock.queries.ts';
import { queueOf, waitingAmong } from './earned-rewards.queries.ts';
import { serveWaiting } from './serve-waiting.ts';

/**
 * Adds units to a locked product: writes what belongs to them, such as codes, and gives how many. Or frees units that a publication
 * has, by its `stock`, and gives 0.
 */
export type AddUnits = (uow: UnitOfWork, stock: ProductStock) => Promise<number>;

/** What is done at the end of the transaction that added the units. */
export type Afterwards = (uow: UnitOfWork) => Promise<void>;

/**
 * Adds units to a product and delivers to everybody who waits for it and whom the free units suffice for, first come, first
 * served. The units and the first deliveries commit together; a long queue goes on in further transactions, so that none
 * holds its locks for long. While anyone waits whom the units suffice for, nobody else gets any, so that the queue loses nothing
 * in between. A crash leaves the rest of the queue to {@link resumeRestocks}.
 * @param add undefined where units have come free already, as of a restock that did not come to its end
 * @returns how many waiting rewards were delivered
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
  for (const product of products) delivered += await restock(db, clientId, product, undefined, now);
  return delivered;
}

/** Rewards delivered in one transaction at most: some tens of milliseconds under the product's lock. */
const ROUND = 500;

/** As many units as a product holds at most. */
const ANY_UNITS = 2_147_483_647;

type Round = {
  readonly delivered: number;
  /** The free units suffice for others who wait, and nobody else is at it. */
  readonly more: boolean;
};

async function serveQueue(uow: UnitOfWork, product: Product, now: Date, add?: AddUnits): Promise<Round> {
  // Accounts are locked before products, everywhere, so it is asked without a lock whom the units may suffice for.
  const units = add ? ANY_UNITS : await freeUnitsOf(uow, product.id);
  const queue = await queueOf(uow, { productId: product.id, units, limit: ROUND });
  if (queue.length === 0 && add === undefined) return { delivered: 0, more: false };
  const accounts = await lockAccounts(uow, [...new Set(queue.map(({ accountId }) => accountId))]);
  const stock = (await lockStocks(uow, [product])).get(product.id)!;
  stock.added = (await add?.(uow, stock)) ?? 0;
  stock.units += stock.added;
  // Where more came free meanwhile, some may be missing in front of those who were read: they are read again.
  const isWhole = freeUnits(stock) <= units;
  const waiting = isWhole ? await waitingAmong(uow, queue) : [];
  const alive = new Set(accounts.map((account) => account.id));
  const { delivered, dropped } = await serveWaiting(uow, { stock, waiting, alive }, now);
  // Who finds that somebody else has served those whom it read leaves the rest to the other.
  const isGoingOn = add !== undefined || !isWhole || delivered.length + dropped.length > 0;
  return { delivered: delivered.length, more: isGoingOn && (await fitsSomebody(uow, stock)) };
}

/** Whether the free units of a locked product suffice for a reward that waits for it. */
async function fitsSomebody(uow: UnitOfWork, stock: ProductStock): Promise<boolean> {
  const { product, waiting } = stock;
  if (waiting === 0) return false;
  const smallest = (await smallestNeeds(uow, [product.id])).get(product.id);
  return smallest !== undefined && smallest <= freeUnits(stock);
}

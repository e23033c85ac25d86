import { create, type Message } from '@bufbuild/protobuf';
import { RedeemProductResponseSchema } from '../../../../gen/laurel/v1/loyalty_service_pb.ts';
import type { AccountRef } from '../../../accounts/resolving/account-ref.ts';
import { activeAccountsToChange } from '../../../accounts/accounts-of-batch.ts';
import type { Account } from '../../../accounts/account.ts';
import {
  type BatchTimes,
  type CallBatcher,
  type CallBatcherOptions,
  createCallBatcher,
} from '../../../idempotency/call-batcher.ts';
import type { Amount } from '../../../kernel/amount.ts';
import { amongRefusals, DomainError, isGranted } from '../../../kernel/errors/domain-error.ts';
import { newId } from '../../../kernel/ids.ts';
import { sentence } from '../../../kernel/sentence.ts';
import type { Ledger, PointEntry } from '../../../loyalty/ledger.ts';
import { enterSpending, writeMovements } from '../../../loyalty/move-points.ts';
import { openLedger } from '../../../loyalty/open-ledger.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import { toRedemptionMessage } from '../../../redemptions/redemption-message.ts';
import { type Fulfilment, fulfilUnits } from '../stock/fulfilment.ts';
import type { Product } from '../product.ts';
import { productNotFound, productsById } from '../products.queries.ts';
import { takeUnits, hasUnclaimedUnits, type Stocks, unclaimedUnits } from '../stock/stock.ts';
import { lockStocks, saveStocks } from '../stock/stock.queries.ts';

/** An order of an account for units of a product, paid with points. */
export type ProductOrder = {
  /** The id of the product in lower case. */
  readonly productId: string;
  readonly account: AccountRef;
  readonly quantity: number;
  /** The operation id for the points ledger; empty without one. */
  readonly operationId: string;
};

/** Runs product orders by group commit. */
export type ProductOrders = CallBatcher<ProductOrder>;

/** Runs the product orders of this process. */
export function createProductOrders(options: Omit<CallBatcherOptions<ProductOrder>, 'run'>): ProductOrders {
  const run = async (uow: UnitOfWork, orders: readonly ProductOrder[], times: BatchTimes) => ({
    answers: await redeemProducts(uow, orders, times),
  });
  return createCallBatcher({ ...options, run });
}

type Bought = {
  readonly account: Account;
  readonly fulfilment: Fulfilment;
  readonly entry: PointEntry;
};

/** The locked rows of orders, with the units taken so far. */
type Loaded = {
  readonly products: ReadonlyMap<string, Product>;
  readonly stocks: Stocks;
  readonly ledger: Ledger;
};

/**
 * Runs one client's product orders in one transaction, in order: takes the locks of accounts and products, decides in memory, writes. Units
 * of publications and of pending rewards are not for sale. The number of statements does not grow with the orders.
 * @returns one answer or refusal for each order
 */
export async function redeemProducts(
  uow: UnitOfWork,
  orders: readonly ProductOrder[],
  { now, lockWaitMs }: BatchTimes,
): Promise<Array<Message | DomainError>> {
  const [accounts, products] = await Promise.all([
    activeAccountsToChange(
      uow,
      orders.map(({ account }) => account),
      lockWaitMs,
    ),
    productsById(
      uow,
      orders.map(({ productId }) => productId),
    ),
  ]);
  const buyers = accounts.flatMap((account) => (account instanceof DomainError ? [] : account.id));
  const [stocks, ledger] = await Promise.all([lockStocks(uow, products.values()), openLedger(uow, buyers, now)]);
  const decisions = orders.map((order, index) => decide(order, accounts[index]!, { products, stocks, ledger }, now));
  const bought = decisions.filter(isGranted);
  const entries = bought.map(({ entry }) => entry);
  const fulfilments = bought.map(({ fulfilment }) => fulfilment);
  const [redemptions] = await Promise.all([
    fulfilUnits(uow, fulfilments, now),
    // Also without a purchase: the entries may contain expiries.
    writeMovements(uow, ledger, entries),
    saveStocks(uow, new Set(fulfilments.map(({ product }) => stocks.get(product.id)!)), now),
  ]);
  const answers = bought.map(({ account }, index) =>
    create(RedeemProductResponseSchema, { redemption: toRedemptionMessage(redemptions[index]!, account.email) }),
  );
  return amongRefusals(decisions, answers);
}

/** Takes the units of an order, or changes nothing and returns the refusal. */
function decide(
  order: ProductOrder,
  account: Account | DomainError,
  { products, stocks, ledger }: Loaded,
  now: Date,
): Bought | DomainError {
  try {
    if (account instanceof DomainError) throw account;
    const { productId, quantity: units, operationId } = order;
    const product = products.get(productId);
    if (product === undefined) throw productNotFound(productId);
    const pointsSpent = priceOf(product) * BigInt(units);
    const stock = stocks.get(productId)!;
    if (!hasUnclaimedUnits(stock, units)) throw outOfStock(product, unclaimedUnits(stock));
    const [accountId, redemptionId] = [account.id, newId()];
    const source = { sourceType: 'REDEMPTION', sourceId: redemptionId, operationId: operationId || undefined };
    const entry = enterSpending(ledger, { accountId, amount: pointsSpent, at: now, ...source });
    takeUnits(stock, units);
    return { account, entry, fulfilment: { accountId, product, units, redemptionId, source: 'LOYALTY', pointsSpent } };
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function priceOf(product: Product): Amount {
  if (product.pointsCost !== undefined && !product.archived) return product.pointsCost;
  const why = product.archived ? sentence`is archived` : sentence`has no price in points`;
  const message = sentence`The product '${product.name}' ${why}. Choose one that is sold for points.`;
  throw new DomainError('PRODUCT_NOT_REDEEMABLE', message);
}

function outOfStock({ name }: Product, units: number): DomainError {
  const left = units === 0 ? sentence`is sold out` : sentence`has ${units} units left`;
  return new DomainError('OUT_OF_STOCK', sentence`The product '${name}' ${left}. Ask for fewer, or later.`);
}

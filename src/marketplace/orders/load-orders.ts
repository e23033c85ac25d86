import {
  activeAccountsToChange,
  presentAccounts,
  requireAccounts,
  suspension,
} from '../../accounts/accounts-of-batch.ts';
import type { Account } from '../../accounts/account.ts';
import type { BatchTimes } from '../../idempotency/call-batcher.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Ledger } from '../../loyalty/ledger.ts';
import { openLedger } from '../../loyalty/open-ledger.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Product } from '../../rewards/products/product.ts';
import { productsById } from '../../rewards/products/products.queries.ts';
import type { Stocks } from '../../rewards/products/stock/stock.ts';
import { lockStocks } from '../../rewards/products/stock/stock.queries.ts';
import {
  findPublicationKeys,
  publicationNotFound,
  type PublicationKeys,
} from '../publications/publications.queries.ts';
import type { HeldReservation } from '../reservations/reservation.ts';
import { type Holder, openReservations } from '../reservations/reservations.queries.ts';
import type { SellableStock } from '../sellable-stock.ts';
import { lockSellableStocks } from '../sellable-stock.queries.ts';
import type { Order } from './order.ts';

/** The locked rows of a batch of orders, with the changes so far. */
export type Loaded = {
  /** One account for each order, in the same order, or the error. */
  readonly accounts: ReadonlyArray<Account | DomainError>;
  /** Accounts that this transaction has created. */
  readonly created: ReadonlySet<string>;
  readonly publications: ReadonlyMap<string, PublicationKeys>;
  /** The products of the purchases. */
  readonly products: ReadonlyMap<string, Product>;
  readonly stocks: Stocks;
  /** The stocks by publication id. */
  readonly sellables: ReadonlyMap<string, SellableStock>;
  /** Open reservations by {@link holderKey}; the first to expire comes first. */
  readonly reservations: Map<string, HeldReservation[]>;
  /** The balances of the buyers. */
  readonly ledger: Ledger;
};

/** The key of an account and a publication together. */
export function holderKey({ accountId, publicationId }: Holder): string {
  return `${accountId} ${publicationId}`;
}

/**
 * Loads and locks the rows of orders, in the one order of all locks (docs/decisions/0020): accounts, products, agreements, publications,
 * balances. The number of statements does not grow with the orders.
 */
export async function loadOrders(
  uow: UnitOfWork,
  orders: readonly Order[],
  { now, lockWaitMs }: BatchTimes,
): Promise<Loaded> {
  const publications = await findPublicationKeys(
    uow,
    orders.map(({ publicationId }) => publicationId),
  );
  const productIds = orders.flatMap(({ kind, publicationId }) =>
    kind === 'purchase' ? (publications.get(publicationId)?.productId ?? []) : [],
  );
  const [{ accounts, created }, products] = await Promise.all([
    loadAccounts(uow, orders, publications, { now, lockWaitMs }),
    productsById(uow, productIds),
  ]);
  const holders: Holder[] = [];
  const buyers: string[] = [];
  const named = new Map<string, PublicationKeys>();
  for (const [index, { kind, publicationId }] of orders.entries()) {
    const account = accounts[index]!;
    const publication = publications.get(publicationId);
    if (account instanceof DomainError || publication === undefined) continue;
    named.set(publicationId, publication);
    if (kind === 'freeze') continue;
    holders.push({ accountId: account.id, publicationId });
    if (kind === 'purchase') buyers.push(account.id);
  }
  const distinct = new Map(holders.map((holder) => [holderKey(holder), holder]));
  // Sent in this order, which is that of the locks: a connection runs its statements one after the other.
  const [stocks, sellables, open, ledger] = await Promise.all([
    lockStocks(uow, products.values()),
    lockSellableStocks(uow, [...named.values()], now),
    openReservations(uow, [...distinct.values()], now),
    openLedger(uow, buyers, now),
  ]);
  const reservations = Map.groupBy(open, holderKey);
  return { accounts, created, publications, products, stocks, sellables, reservations, ledger };
}

/**
 * Locks buyers for a change, and accounts with freezes against removal; it creates unknown accounts for freezes only. An unfreeze needs no
 * lock of its account.
 */
async function loadAccounts(
  uow: UnitOfWork,
  orders: readonly Order[],
  publications: ReadonlyMap<string, PublicationKeys>,
  { now, lockWaitMs }: BatchTimes,
): Promise<Pick<Loaded, 'accounts' | 'created'>> {
  const of = (kind: Order['kind']) => orders.filter((order) => order.kind === kind);
  // An unknown publication creates no account.
  const freezes = of('freeze').filter(({ publicationId }) => publications.has(publicationId));
  const kinds = { purchase: of('purchase'), freeze: freezes, unfreeze: of('unfreeze') };
  const refs = (kind: Order['kind']) => kinds[kind].map(({ account }) => account);
  // A locked account rolls the transaction back to a savepoint, so no change may come before this.
  const purchase = await activeAccountsToChange(uow, refs('purchase'), lockWaitMs);
  const [freeze, unfreeze] = await Promise.all([
    presentAccounts(uow, refs('freeze'), now),
    requireAccounts(uow, refs('unfreeze')),
  ]);
  const freezing = freeze.accounts.map((account) =>
    account instanceof DomainError ? account : (suspension(account) ?? account),
  );
  const found = { purchase, freeze: freezing, unfreeze };
  const accounts = new Map<Order, Account | DomainError>();
  for (const kind of ['purchase', 'freeze', 'unfreeze'] as const) {
    for (const [index, order] of kinds[kind].entries()) accounts.set(order, found[kind][index]!);
  }
  return {
    accounts: orders.map((order) => accounts.get(order) ?? publicationNotFound(order.publicationId)),
    created: freeze.created,
  };
}

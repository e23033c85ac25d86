import { lockAccounts } from '../../accounts/resolve-accounts.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { requireProduct } from '../products/products.queries.ts';
import type { ProductStock } from '../products/stock.ts';
import { lockStocks } from '../products/stock.queries.ts';
import type { Delivery } from './delivery.ts';
import { findEarnedReward } from './earned-rewards.queries.ts';

/** An earned reward that waits for stock, and the stock of its product, both locked. */
export type LockedPending = {
  readonly reward: Delivery;
  readonly stock: ProductStock;
  /** Whether its account exists, which is locked then. */
  readonly hasAccount: boolean;
};

/**
 * Locks the account of an earned reward that waits, and then its product: from there on nobody else can deliver the reward.
 * @throws DomainError `EARNED_REWARD_NOT_FOUND`, `REWARD_ALREADY_DELIVERED`
 */
export async function lockPending(uow: UnitOfWork, id: string): Promise<LockedPending> {
  const { accountId, productId = '' } = await requirePending(uow, id);
  const accounts = await lockAccounts(uow, [accountId]);
  const product = await requireProduct(uow, productId);
  const stock = (await lockStocks(uow, [product])).get(product.id)!;
  // Read again: until now a restock could deliver it.
  return { reward: await requirePending(uow, id), stock, hasAccount: accounts.length > 0 };
}

async function requirePending(uow: UnitOfWork, id: string): Promise<Delivery> {
  const reward = await findEarnedReward(uow, id);
  if (reward === undefined) throw new DomainError('EARNED_REWARD_NOT_FOUND', `There is no earned reward ${id}.`);
  if (reward.status === 'PENDING_STOCK') return reward;
  const message = 'The account has the reward already: only what waits for stock can be cancelled or delivered.';
  throw new DomainError('REWARD_ALREADY_DELIVERED', message);
}

import type { Account } from '../../accounts/account.ts';
import { accountsById } from '../../accounts/resolving/resolve-accounts.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { accountFormulas } from '../definitions/account-formula.ts';
import type { CalculatedAmount, RewardOrder, Skipped } from './earned-reward.ts';

/**
 * The orders with the amounts of their rewards. An amount by expression that the caller has not calculated from an event is calculated from
 * the account as it is now; one that pays nothing skips its order. No statement runs without such an expression.
 * @param known accounts that the caller has read under its lock; the others are read
 */
export async function withAmounts(
  uow: UnitOfWork,
  orders: readonly RewardOrder[],
  known: readonly Account[],
): Promise<ReadonlyArray<RewardOrder | Skipped>> {
  if (!orders.some(isCalculated)) return orders;
  const amountOf = await amountsOf(uow, orders, known);
  return orders.map((order) => {
    if (!isCalculated(order)) return order;
    const amount = order.calculated ?? amountOf(order);
    if (typeof amount !== 'bigint') return { status: 'SKIPPED', ...amount, order };
    return { ...order, reward: { ...order.reward, amount } };
  });
}

function isCalculated({ reward }: RewardOrder): boolean {
  return reward.amountExpression !== undefined;
}

/** The amounts that depend on accounts only. */
async function amountsOf(
  uow: UnitOfWork,
  orders: readonly RewardOrder[],
  known: readonly Account[],
): Promise<(order: RewardOrder) => CalculatedAmount> {
  const open = orders.filter((order) => isCalculated(order) && order.calculated === undefined);
  if (open.length === 0) return () => ({ reason: 'AMOUNT_MISSING' });
  const accounts = new Map(known.map((account) => [account.id, account]));
  const missing = open.map(({ accountId }) => accountId).filter((id) => !accounts.has(id));
  if (missing.length > 0)
    for (const [id, account] of await accountsById(uow, [...new Set(missing)])) accounts.set(id, account);
  const formulas = await accountFormulas(
    uow,
    open.map(({ reward }) => reward),
    [...accounts.keys()],
    open[0]!.now,
  );
  return ({ accountId, reward }) => {
    const account = accounts.get(accountId);
    return account === undefined ? { reason: 'AMOUNT_MISSING' } : formulas(reward, account);
  };
}

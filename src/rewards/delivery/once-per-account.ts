import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { rewardTypeRules } from '../definitions/reward-types.ts';
import { OWNED_ONCE } from './earned-reward.entity.ts';
import { isSkipped, type RewardOrder, type Skipped } from './earned-reward.ts';

/**
 * Skips the orders of rewards that an account gets only once, if the account has the reward, or gets it by an earlier order. The caller
 * has locked the accounts: deliveries of others are committed, and no further one can start.
 */
export async function withoutRepeats(
  uow: UnitOfWork,
  orders: ReadonlyArray<RewardOrder | Skipped>,
): Promise<ReadonlyArray<RewardOrder | Skipped>> {
  const once = orders.filter(isOnce);
  if (once.length === 0) return orders;
  const earned = await earnedAmong(uow, once);
  return orders.map((order): RewardOrder | Skipped => {
    if (!isOnce(order)) return order;
    const key = keyOf(order.accountId, order.reward.id);
    if (earned.has(key)) return { status: 'SKIPPED', reason: 'ALREADY_EARNED', order };
    earned.add(key);
    return order;
  });
}

function isOnce(order: RewardOrder | Skipped): order is RewardOrder {
  return !isSkipped(order) && rewardTypeRules[order.reward.type].oncePerAccount;
}

/** The given rewards that their accounts have. All are of types that an account gets only once. */
export async function earnedAmong(
  uow: UnitOfWork,
  orders: ReadonlyArray<{ readonly accountId: string; readonly reward: { readonly id: string } }>,
): Promise<Set<string>> {
  const rows = await uow.query<{ account_id: string; reward_id: string }>(
    `select w.account_id, w.reward_id from unnest($2::uuid[], $3::uuid[]) as w(account_id, reward_id)
      cross join ${lookUpByKey({
        select: '1',
        from: 'earned_reward',
        key: { reward_id: 'w.reward_id', account_id: 'w.account_id' },
        and: OWNED_ONCE,
      })} e`,
    [uow.clientId, orders.map(({ accountId }) => accountId), orders.map(({ reward }) => reward.id)],
  );
  return new Set(rows.map((row) => keyOf(row.account_id, row.reward_id)));
}

function keyOf(accountId: string, rewardId: string): string {
  return `${accountId} ${rewardId}`;
}

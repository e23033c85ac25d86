import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { rewardTypeRules } from '../definitions/reward-types.ts';
import type { EarnedReward, OrderOutcome, RewardOrder, Skipped } from './earned-reward.ts';

/** The orders to skip, by their indexes in the list of orders. */
export type SkippedOrders = ReadonlyMap<number, Skipped>;

/**
 * The orders of rewards that an account gets only once, if the account has earned the reward, waits for it, or gets it by an earlier
 * order. The caller has locked the accounts: deliveries of others are committed, and no further one can start.
 */
export async function skippedOrders(uow: UnitOfWork, orders: readonly RewardOrder[]): Promise<SkippedOrders> {
  const once = orders.filter(isOnce);
  if (once.length === 0) return NONE;
  const earned = await earnedAmong(uow, once);
  const skipped = new Map<number, Skipped>();
  for (const [index, order] of orders.entries()) {
    if (!isOnce(order)) continue;
    const key = keyOf(order.accountId, order.reward.id);
    if (earned.has(key)) skipped.set(index, { status: 'SKIPPED', reason: 'ALREADY_EARNED' });
    else earned.add(key);
  }
  return skipped;
}

const NONE: SkippedOrders = new Map();

/** The outcomes of all orders in their order: the skipped ones, and the deliveries of the others. @param count of all orders */
export function mergeSkipped(
  count: number,
  skipped: SkippedOrders,
  deliveries: readonly EarnedReward[],
): OrderOutcome[] {
  let next = 0;
  return Array.from({ length: count }, (_, index) => skipped.get(index) ?? deliveries[next++]!);
}

function isOnce({ reward }: RewardOrder): boolean {
  return rewardTypeRules[reward.type].oncePerAccount;
}

/** The given rewards that their accounts have earned or wait for. Reads an account's earned rewards up to the reward. */
export async function earnedAmong(
  uow: UnitOfWork,
  orders: ReadonlyArray<{ readonly accountId: string; readonly reward: { readonly id: string } }>,
): Promise<Set<string>> {
  const rows = await uow.query<{ account_id: string; reward_id: string }>(
    `select w.account_id, w.reward_id from unnest($2::uuid[], $3::uuid[]) as w(account_id, reward_id)
      cross join ${lookUpByKey({
        select: '1',
        from: 'earned_reward',
        key: { account_id: 'w.account_id' },
        and: 'reward_id = w.reward_id',
      })} e`,
    [uow.clientId, orders.map(({ accountId }) => accountId), orders.map(({ reward }) => reward.id)],
  );
  return new Set(rows.map((row) => keyOf(row.account_id, row.reward_id)));
}

function keyOf(accountId: string, rewardId: string): string {
  return `${accountId} ${rewardId}`;
}

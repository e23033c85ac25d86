import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/by-keys.ts';
import { rewardTypes } from '../definitions/reward-types.ts';
import type { Delivery, OrderOutcome, RewardOrder, Skipped } from './delivery.ts';

/** Orders to skip, by their places in the list that they stand in. */
export type SkippedOrders = ReadonlyMap<number, Skipped>;

/**
 * The orders whose reward the account gets once only and has earned or waits for, or gets by an order in front. The caller holds the
 * locks of the accounts: what others have given them is committed, and nobody gives them more meanwhile.
 */
export async function skippedOrders(uow: UnitOfWork, orders: readonly RewardOrder[]): Promise<SkippedOrders> {
  const once = orders.filter(isOnce);
  if (once.length === 0) return NONE;
  const earned = await earnedAmong(uow, once);
  const skipped = new Map<number, Skipped>();
  for (const [place, order] of orders.entries()) {
    if (!isOnce(order)) continue;
    const key = keyOf(order.accountId, order.reward.id);
    if (earned.has(key)) skipped.set(place, { status: 'SKIPPED', reason: 'ALREADY_EARNED' });
    else earned.add(key);
  }
  return skipped;
}

const NONE: SkippedOrders = new Map();

/** Puts what the others came to, in their order, among those that are skipped. @param count of all orders */
export function amongSkipped(count: number, skipped: SkippedOrders, deliveries: readonly Delivery[]): OrderOutcome[] {
  let next = 0;
  return Array.from({ length: count }, (_, place) => skipped.get(place) ?? deliveries[next++]!);
}

function isOnce({ reward }: RewardOrder): boolean {
  return rewardTypes[reward.type].oncePerAccount;
}

/** Which of these rewards their accounts have earned or wait for. Reads what an account has earned as far as the reward. */
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

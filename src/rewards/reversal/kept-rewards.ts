import { addAmount, type Amount, leastAmount } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { isSkipped, type RewardOrder, type Skipped } from '../delivery/earned-reward.ts';
import { rewardsOf, type RewardSource } from './lost-rewards.queries.ts';

/** An order for a completion that was reversed before. */
type Repeated = RewardOrder & { readonly mayBeKept: true };

/**
 * Reduces orders for completions that were reversed before by what the account kept of the earlier rewards, so that nothing is paid twice.
 * An order of which nothing is left is skipped. The caller has locked the accounts. No statement runs without such an order.
 */
export async function withoutKept(
  uow: UnitOfWork,
  orders: ReadonlyArray<RewardOrder | Skipped>,
): Promise<ReadonlyArray<RewardOrder | Skipped>> {
  const repeated = orders.filter(isRepeated);
  if (repeated.length === 0) return orders;
  const sources = new Map(repeated.map((order) => [sourceKey(order), sourceOf(order)]));
  const keys = [...sources.keys()];
  const kept = new Map<string, Amount>();
  for (const reward of await rewardsOf(uow, [...sources.values()])) {
    const { source, rewardId, amount, amountReversed = 0n } = reward;
    addAmount(kept, `${keys[source]!} ${rewardId} ${causeOf(reward)}`, amount - amountReversed);
  }
  return orders.map((order): RewardOrder | Skipped => {
    if (!isRepeated(order)) return order;
    const { amount, id } = order.reward;
    const key = `${sourceKey(order)} ${id} ${causeOf(order)}`;
    const had = kept.get(key) ?? 0n;
    const paid = leastAmount(had, amount);
    if (paid === 0n) return order;
    // A reward that the completion gives twice may have been kept once.
    addAmount(kept, key, -paid);
    if (paid === amount) return { status: 'SKIPPED', reason: 'ALREADY_EARNED', order };
    return { ...order, reward: { ...order.reward, amount: amount - paid } };
  });
}

function isRepeated(order: RewardOrder | Skipped): order is Repeated {
  return !isSkipped(order) && order.mayBeKept === true;
}

/** The round of a source, or its milestone, that pays a reward. */
function causeOf({ firstRound = 1, milestone }: Pick<RewardOrder, 'firstRound' | 'milestone'>): string {
  return milestone === undefined ? `${firstRound}` : `milestone ${milestone}`;
}

/** Reversals keep every reward, so an account's whole past counts. */
function sourceOf({ accountId, assignmentId, campaignId }: Repeated): RewardSource {
  const since = new Date(0);
  return assignmentId === undefined
    ? { accountId, campaignId: campaignId!, since }
    : { accountId, assignmentId, since };
}

function sourceKey({ accountId, assignmentId, campaignId }: Repeated): string {
  return `${accountId} ${assignmentId ?? campaignId!}`;
}

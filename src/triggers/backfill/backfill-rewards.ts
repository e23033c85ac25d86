import type { Backfill_RewardsSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import type { EnumName } from '../../kernel/enum-names.ts';
import { rewardTypeRules } from '../../rewards/definitions/reward-types.ts';
import type { OrderOutcome, RewardOrder, Skipped } from '../../rewards/delivery/earned-reward.ts';

/** The rewards that backfilled events deliver. */
export type BackfillRewards = EnumName<typeof Backfill_RewardsSchema>;

/** Whether a reward is delivered, for each value. */
const DELIVERS: Readonly<Record<BackfillRewards, (order: RewardOrder) => boolean>> = {
  NONE: () => false,
  POINTS: ({ reward }) => rewardTypeRules[reward.type].isPoints,
  ALL: () => true,
};

/** Delivers the orders that are allowed, and skips the others. @returns the outcomes of each list, in the order of its orders */
export async function deliverAllowed(
  ordersOfEach: readonly (readonly RewardOrder[])[],
  allowed: BackfillRewards,
  deliver: (orders: readonly (readonly RewardOrder[])[]) => Promise<OrderOutcome[][]>,
): Promise<OrderOutcome[][]> {
  if (allowed === 'ALL') return deliver(ordersOfEach);
  const isDelivered = DELIVERS[allowed];
  const outcomes = await deliver(ordersOfEach.map((orders) => orders.filter(isDelivered)));
  return ordersOfEach.map((orders, index) => {
    let next = 0;
    return orders.map((order) => (isDelivered(order) ? outcomes[index]![next++]! : skipped(order)));
  });
}

function skipped(order: RewardOrder): Skipped {
  return { status: 'SKIPPED', reason: 'BACKFILLED', order };
}

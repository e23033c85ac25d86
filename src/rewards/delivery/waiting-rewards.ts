import type { Backlog } from '../../persistence/watches/backlog.ts';

/** Rewards that wait for units of their product. Each product has a queue of its own, so that none tells which is the oldest. */
export const waitingRewards: Backlog = {
  queue: 'waiting_rewards',
  table: 'earned_reward',
  where: `status = 'PENDING_STOCK'`,
  order: 'product_id, queue_position',
};

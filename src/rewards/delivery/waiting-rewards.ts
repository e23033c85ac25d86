import type { Backlog } from '../../persistence/watches/backlog.ts';

/** The backlog of rewards that wait for units of their product. Each product has a separate queue, so the oldest is not known. */
export const waitingRewards: Backlog = {
  queue: 'waiting_rewards',
  table: 'earned_reward',
  where: `status = 'PENDING_STOCK'`,
  order: 'product_id, queue_position',
};

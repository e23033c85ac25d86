import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EarnedRewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import type { Delivery } from './delivery.ts';
import { toEarnedRewardMessage } from './earned-reward-message.ts';

/** What a call has earned, in the order of `deliveries`: what the account has, and apart from it what waits for stock. */
export type AnsweredRewards = {
  readonly rewards: MessageInitShape<typeof EarnedRewardSchema>[];
  readonly pendingRewards: MessageInitShape<typeof EarnedRewardSchema>[];
};

/** The two lists in which every answer tells what its call has earned. */
export function answeredRewards(deliveries: readonly Delivery[]): AnsweredRewards {
  if (deliveries.length === 0) return { rewards: [], pendingRewards: [] };
  const ofStatus = (status: Delivery['status']) =>
    deliveries.filter((delivery) => delivery.status === status).map((delivery) => toEarnedRewardMessage(delivery));
  return { rewards: ofStatus('DELIVERED'), pendingRewards: ofStatus('PENDING_STOCK') };
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EarnedRewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { type EarnedReward, isEarned, type OrderOutcome } from './earned-reward.ts';
import { toEarnedRewardMessage } from './earned-reward-message.ts';

/** The rewards that a call has earned, in the order of `outcomes`: the delivered ones, and separately those that wait for stock. */
export type AnsweredRewards = {
  readonly rewards: MessageInitShape<typeof EarnedRewardSchema>[];
  readonly pendingRewards: MessageInitShape<typeof EarnedRewardSchema>[];
};

/** The two lists of earned rewards in every answer. Skipped rewards are in neither. */
export function answeredRewards(outcomes: readonly OrderOutcome[]): AnsweredRewards {
  const answered: AnsweredRewards = { rewards: [], pendingRewards: [] };
  for (const outcome of outcomes)
    if (isEarned(outcome)) answered[LISTS[outcome.status]].push(toEarnedRewardMessage(outcome));
  return answered;
}

const LISTS = {
  DELIVERED: 'rewards',
  PENDING_STOCK: 'pendingRewards',
} as const satisfies Readonly<Record<EarnedReward['status'], keyof AnsweredRewards>>;

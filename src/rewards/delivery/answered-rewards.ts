import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EarnedRewardSchema, SkippedRewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { type EarnedReward, isEarned, type OrderOutcome } from './earned-reward.ts';
import { toEarnedRewardMessage } from './earned-reward-message.ts';
import { toSkippedRewardMessage } from './skipped-reward-message.ts';

/** The rewards that a call has earned, in the order of `outcomes`: the delivered ones, those that wait for stock, the skipped ones. */
export type AnsweredRewards = {
  readonly rewards: MessageInitShape<typeof EarnedRewardSchema>[];
  readonly pendingRewards: MessageInitShape<typeof EarnedRewardSchema>[];
  readonly skippedRewards: MessageInitShape<typeof SkippedRewardSchema>[];
};

/** The three lists of rewards in every answer. */
export function answeredRewards(outcomes: readonly OrderOutcome[]): AnsweredRewards {
  const answered: AnsweredRewards = { rewards: [], pendingRewards: [], skippedRewards: [] };
  for (const outcome of outcomes) {
    if (isEarned(outcome)) answered[LISTS[outcome.status]].push(toEarnedRewardMessage(outcome));
    else answered.skippedRewards.push(toSkippedRewardMessage(outcome));
  }
  return answered;
}

const LISTS = {
  DELIVERED: 'rewards',
  PENDING_STOCK: 'pendingRewards',
} as const satisfies Readonly<Record<EarnedReward['status'], keyof AnsweredRewards>>;

import { RewardEarnedSchema } from '../../../gen/laurel/v1/change_pb.ts';
import { changeOf, type FedChange } from '../../changes/collect-changes.ts';
import type { EarnedReward } from './earned-reward.ts';
import { toEarnedRewardMessage } from './earned-reward-message.ts';

/** The change that announces an earned reward. */
export function rewardEarned(delivery: EarnedReward): FedChange {
  const { id: earnedRewardId, accountId, rewardId, campaignId, missionId, assignmentId, levelTrackId } = delivery;
  const { leaderboardRunId, milestone, productId } = delivery;
  const { rewardType, amount, amountUnpaid, status, codes, createdAt } = toEarnedRewardMessage(delivery);
  return changeOf('REWARD_EARNED', RewardEarnedSchema, {
    ...{ earnedRewardId, accountId, rewardId, rewardType, amount, amountUnpaid, status, codes, createdAt, productId },
    ...{ campaignId, missionId, assignmentId, levelTrackId, leaderboardRunId, milestone },
  });
}

import { create, toJsonString } from '@bufbuild/protobuf';
import { RewardEarnedSchema } from '../../../gen/laurel/v1/change_pb.ts';
import type { FedChange } from '../../changes/collect-changes.ts';
import type { EarnedReward } from './earned-reward.ts';
import { toEarnedRewardMessage } from './earned-reward-message.ts';

/** The change that announces an earned reward. */
export function rewardEarned(delivery: EarnedReward): FedChange {
  const reward = toEarnedRewardMessage(delivery);
  const message = create(RewardEarnedSchema, { accountId: delivery.accountId, reward });
  return { kind: 'REWARD_EARNED', json: toJsonString(RewardEarnedSchema, message, { alwaysEmitImplicit: true }) };
}

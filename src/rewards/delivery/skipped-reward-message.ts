import type { MessageInitShape } from '@bufbuild/protobuf';
import { SkippedReward_Reason, type SkippedRewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { skippedRewardReasons } from '../../../gen/skipped-reward-reasons.ts';
import type { Sentence } from '../../kernel/sentence.ts';
import type { Skipped, SkipReason } from './earned-reward.ts';

/** A skipped reward as the API shows it. */
export function toSkippedRewardMessage(skipped: Skipped): MessageInitShape<typeof SkippedRewardSchema> {
  const { reward, missionId, campaignId } = skipped.order;
  return {
    rewardId: reward.id,
    name: reward.name,
    missionId,
    campaignId,
    reason: SkippedReward_Reason[skipped.reason],
    explanation: skipExplanation(skipped.reason, skipped.values),
  };
}

/** The reason in words, with the values that led to it: a sentence, or its text as the journal has it. */
export function skipExplanation(reason: SkipReason, values: Sentence | string | undefined): string {
  const words = skippedRewardReasons[reason];
  return values === undefined ? words : `${words} ${values.toString()}.`;
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EarnedReward_Status, type EarnedRewardSchema, Reward_Type } from '../../../gen/laurel/v1/reward_pb.ts';
import { deliveredCodeOf } from '../../redemptions/redemption.ts';
import { amountToNumber, optionalNumber } from '../../kernel/amount.ts';
import type { DeliveredReward, EarnedReward } from './earned-reward.ts';

/** The parts of a delivery that the API shows. */
type Shown = Omit<DeliveredReward, 'status' | 'closing' | 'unitsNeeded' | 'deliveredAt' | 'firstRound' | 'rounds'> &
  Pick<EarnedReward, 'status' | 'deliveredAt'>;

/**
 * A delivery as the API shows it.
 * @param codeIds whether to add the ids of its codes, for callers who get the codes masked
 */
export function toEarnedRewardMessage(delivery: Shown, codeIds = false): MessageInitShape<typeof EarnedRewardSchema> {
  const { redemption, deliveredAt } = delivery;
  return {
    id: delivery.id,
    accountId: delivery.accountId,
    rewardId: delivery.rewardId,
    rewardType: Reward_Type[delivery.rewardType],
    amount: amountToNumber(delivery.amount),
    amountUnpaid: optionalNumber(delivery.amountUnpaid),
    amountReversed: optionalNumber(delivery.amountReversed),
    status: EarnedReward_Status[delivery.status],
    campaignId: delivery.campaignId,
    missionId: delivery.missionId,
    assignmentId: delivery.assignmentId,
    levelTrackId: delivery.levelTrackId,
    leaderboardRunId: delivery.leaderboardRunId,
    milestone: delivery.milestone,
    productId: delivery.productId,
    codes: redemption?.redeemables.map((each) => ({ ...deliveredCodeOf(each), id: codeIds ? each.id : undefined })),
    createdAt: timestampFromDate(delivery.createdAt),
    deliveredAt: deliveredAt && timestampFromDate(deliveredAt),
  };
}

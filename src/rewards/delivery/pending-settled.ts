import {
  PendingRewardSettled_Outcome as Outcome,
  PendingRewardSettledSchema,
} from '../../../gen/laurel/v1/change_pb.ts';
import { Reward_Type } from '../../../gen/laurel/v1/reward_pb.ts';
import { changeOf, type FedChange } from '../../changes/collect-changes.ts';
import { deliveredCodeOf } from '../../redemptions/redemption.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import type { DeliveredReward, EarnedRewardFields } from './earned-reward.ts';

/** A reward that no longer waits. */
export type Settled = Pick<EarnedRewardFields, 'id' | 'accountId' | 'rewardId' | 'rewardType' | 'amount'> & {
  readonly productId: string | undefined;
};

/** The change that announces the end of a wait. @param redemption the units, if the account got them */
export function pendingSettled(
  { id, accountId, rewardId, rewardType, amount, productId }: Settled,
  outcome: keyof typeof Outcome,
  redemption?: DeliveredReward['redemption'],
): FedChange {
  return changeOf('PENDING_REWARD_SETTLED', PendingRewardSettledSchema, {
    earnedRewardId: id,
    accountId,
    rewardId,
    rewardType: Reward_Type[rewardType],
    amount: amountToNumber(amount),
    outcome: Outcome[outcome],
    productId,
    codes: redemption?.redeemables.map(deliveredCodeOf),
  });
}

import { EarnedReward_StatusSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import type { RewardDelivery_DeliveredAssignmentJson } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { Amount } from '../../kernel/amount.ts';
import { enumNames } from '../../kernel/enum-names.ts';
import type { RecordedRedemption } from '../../redemptions/redemption.ts';
import type { RewardDefinition } from '../definitions/reward-definition.ts';
import type { RewardType } from '../definitions/reward-types.ts';

/** The one assignment that a campaign's closing maps to. */
export type ClosingAssignment = {
  readonly id: string;
  readonly missionId: string;
  readonly progress: Amount;
  readonly target: Amount;
};

/** What the webhook of a closed campaign needs beside the delivery; kept as JSON while a reward waits for stock. */
export type ClosingContext = {
  readonly assignment?: RewardDelivery_DeliveredAssignmentJson | undefined;
  /** All rewards of the closing are told by one webhook, once the last of them is settled. */
  readonly together?: true | undefined;
};

/** One reward that one account has earned. */
export type RewardOrder = {
  readonly accountId: string;
  readonly reward: RewardDefinition;
  readonly campaignId?: string | undefined;
  readonly missionId?: string | undefined;
  readonly assignmentId?: string | undefined;
  /** Of the call that earned it, for the points ledger. */
  readonly operationId?: string | undefined;
  /**
   * Present where the reward is a campaign's completion bonus, which the rewards webhook tells; needs `campaignId`. With
   * an assignment only where the campaign has exactly one mission and that is a MISSION or CHALLENGE.
   */
  readonly closing?: { readonly assignment?: ClosingAssignment | undefined } | undefined;
  readonly now: Date;
};

/** A reward that an account has earned, whatever became of it: a row of `earned_reward`. */
export type EarnedReward = {
  readonly id: string;
  readonly accountId: string;
  readonly rewardId: string;
  readonly rewardType: RewardType;
  /** What the account got, or waits for. */
  readonly amount: Amount;
  /** Points of the reward for which the balance had no room; above 0, undefined where it had. */
  readonly amountUnpaid: Amount | undefined;
  readonly campaignId: string | undefined;
  readonly missionId: string | undefined;
  readonly assignmentId: string | undefined;
  /** What the rewards webhook says about the campaign that this closes; undefined where it closes none. */
  readonly closing: ClosingContext | undefined;
  readonly createdAt: Date;
};

/** The account has it. */
export type Delivered = EarnedReward & {
  readonly status: 'DELIVERED';
  readonly productId: string | undefined;
  /** The units that it brought: its own, or those that its pieces made. */
  readonly redemption: RecordedRedemption | undefined;
  readonly deliveredAt: Date;
  readonly unitsNeeded: undefined;
};

/** The account waits for stock of the product. */
export type Pending = EarnedReward & {
  readonly status: 'PENDING_STOCK';
  readonly productId: string;
  readonly redemption: undefined;
  readonly deliveredAt: undefined;
  /** Units of the product without which it cannot be delivered. */
  readonly unitsNeeded: number;
};

/** What became of an earned reward. */
export type Delivery = Delivered | Pending;

/** The words of the proto for what becomes of earned rewards. */
export const DELIVERY_STATUSES: readonly Delivery['status'][] = enumNames(EarnedReward_StatusSchema);

/** Why an account does not get what it would have earned. `ALREADY_EARNED`: it has it or waits for it, and it is had once only. */
export type SkipReason = 'ALREADY_EARNED';

/** Nothing is written of the order. */
export type Skipped = { readonly status: 'SKIPPED'; readonly reason: SkipReason };

/** What became of an order. */
export type OrderOutcome = Delivery | Skipped;

/** Whether an order has earned its account the reward. */
export function isEarned(outcome: OrderOutcome): outcome is Delivery {
  return outcome.status !== 'SKIPPED';
}

import type { RewardDelivery_DeliveredAssignmentJson } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { Amount } from '../../kernel/amount.ts';
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

/** What became of an earned reward: a row of `earned_reward`, with the units that it brought. */
export type Delivery = {
  readonly id: string;
  readonly accountId: string;
  readonly rewardId: string;
  readonly rewardType: RewardType;
  /** What the account got, or waits for. */
  readonly amount: Amount;
  /** Points of the reward for which the balance had no room; above 0, undefined where it had. */
  readonly amountUnpaid: Amount | undefined;
  readonly status: 'DELIVERED' | 'PENDING_STOCK';
  readonly campaignId: string | undefined;
  readonly missionId: string | undefined;
  readonly assignmentId: string | undefined;
  readonly productId: string | undefined;
  /** The units: of PRODUCTS, or of FRAGMENTS that combined. */
  readonly redemption: RecordedRedemption | undefined;
  /** What the rewards webhook says about the campaign that this closes; undefined where it closes none. */
  readonly closing: ClosingContext | undefined;
  readonly createdAt: Date;
  /** Undefined while it waits for stock. */
  readonly deliveredAt: Date | undefined;
  /** Units of the product that it waits for; undefined once it is delivered. */
  readonly unitsNeeded: number | undefined;
};

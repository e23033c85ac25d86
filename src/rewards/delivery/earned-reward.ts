import { EarnedReward_StatusSchema, type SkippedReward_ReasonSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import type { RewardDelivery_DeliveredAssignmentJson } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { Amount } from '../../kernel/amount.ts';
import { type EnumName, enumNames } from '../../kernel/enum-names.ts';
import type { Sentence } from '../../kernel/sentence.ts';
import type { RecordedRedemption } from '../../redemptions/redemption.ts';
import type { RewardDefinition } from '../definitions/reward-definition.ts';
import { type RewardType, rewardTypeRules } from '../definitions/reward-types.ts';
import type { EarnedPoints } from '../../engine/statistics/statistic-plan.ts';

/** The assignment of a campaign with a single mission, for the webhook of its closing. */
export type ClosingAssignment = {
  readonly id: string;
  readonly missionId: string;
  readonly progress: Amount;
  readonly target: Amount;
};

/** Data for the webhook of a closed campaign, in addition to the delivery; stored as JSON while a reward waits for stock. */
export type ClosingContext = {
  readonly assignment?: RewardDelivery_DeliveredAssignmentJson | undefined;
  /** One webhook reports all rewards of the closing, once none of them waits for stock. */
  readonly together?: true | undefined;
};

/** One reward that one account has earned. */
export type RewardOrder = {
  readonly accountId: string;
  readonly reward: RewardDefinition;
  /** The amount of a reward by expression, if the caller has calculated it from an event. Otherwise the account decides. */
  readonly calculated?: CalculatedAmount | undefined;
  readonly campaignId?: string | undefined;
  readonly missionId?: string | undefined;
  readonly assignmentId?: string | undefined;
  /** The milestone of the mission that gives it: the length of a run. */
  readonly milestone?: number | undefined;
  /** The level track that gives it, instead of a campaign or a mission. */
  readonly levelTrackId?: string | undefined;
  /** The run of a leaderboard that gives it as a prize, instead of these. */
  readonly leaderboardRunId?: string | undefined;
  /** The first of `rounds` rounds that the order pays, for a mission that repeats. */
  readonly firstRound?: number | undefined;
  readonly rounds?: number | undefined;
  /** Whether a reversal took this completion back before: then the account may have kept the reward. */
  readonly mayBeKept?: boolean | undefined;
  /** The operation id of the call that earned it, for the points ledger. */
  readonly operationId?: string | undefined;
  /**
   * Present if the reward is a campaign's completion bonus, which the rewards webhook reports; needs `campaignId`. It has an
   * assignment only if the campaign has exactly one mission, of type MISSION or CHALLENGE.
   */
  readonly closing?: { readonly assignment?: ClosingAssignment | undefined } | undefined;
  readonly now: Date;
};

/** A reward that an account has earned, delivered or not: a row of `earned_reward`. */
export type EarnedRewardFields = {
  readonly id: string;
  readonly accountId: string;
  readonly rewardId: string;
  readonly rewardType: RewardType;
  /** The amount that the account got, or waits for. */
  readonly amount: Amount;
  /** The points of the reward beyond the maximum of the balance; above 0, undefined if all were paid. */
  readonly amountUnpaid: Amount | undefined;
  /** The part of `amount` that reversals took back; undefined for none. */
  readonly amountReversed: Amount | undefined;
  /** The first round that it is for; undefined unless the mission repeats. */
  readonly firstRound: number | undefined;
  /** The number of rounds from `firstRound` on; above 1 if they are paid together. */
  readonly rounds: number | undefined;
  readonly campaignId: string | undefined;
  readonly missionId: string | undefined;
  readonly assignmentId: string | undefined;
  /** The milestone of a STREAK that gave it; undefined for the completion, and other missions. */
  readonly milestone: number | undefined;
  readonly levelTrackId: string | undefined;
  readonly leaderboardRunId: string | undefined;
  /** Data for the rewards webhook about the campaign that this closes; undefined if it closes none. */
  readonly closing: ClosingContext | undefined;
  readonly createdAt: Date;
};

/** A reward that the account has. */
export type DeliveredReward = EarnedRewardFields & {
  readonly status: 'DELIVERED';
  readonly productId: string | undefined;
  /** The units handed out: those of the reward, or those that its pieces made. */
  readonly redemption: RecordedRedemption | undefined;
  readonly deliveredAt: Date;
  readonly unitsNeeded: undefined;
};

/** A reward that waits for stock of its product. */
export type WaitingReward = EarnedRewardFields & {
  readonly status: 'PENDING_STOCK';
  readonly productId: string;
  readonly redemption: undefined;
  readonly deliveredAt: undefined;
  /** The units of the product that its delivery needs. */
  readonly unitsNeeded: number;
};

/** An earned reward in either status. */
export type EarnedReward = DeliveredReward | WaitingReward;

/** The statuses of earned rewards, by their names in the proto. */
export const EARNED_REWARD_STATUSES: readonly EarnedReward['status'][] = enumNames(EarnedReward_StatusSchema);

/** The reason for which an account does not get a reward. */
export type SkipReason = EnumName<typeof SkippedReward_ReasonSchema>;

/** Why an account does not get a reward: the reason, and the values that led to it, without personal ones. */
export type Skip = { readonly reason: SkipReason; readonly values?: Sentence | undefined };

/** The amount of a reward by expression, or why it pays nothing. */
export type CalculatedAmount = Amount | Skip;

/** An order of which nothing is stored. */
export type Skipped = Skip & { readonly status: 'SKIPPED'; readonly order: RewardOrder };

/** The outcome of an order. */
export type OrderOutcome = EarnedReward | Skipped;

/** Whether an account has earned the reward of an order. */
export function isEarned(outcome: OrderOutcome): outcome is EarnedReward {
  return outcome.status !== 'SKIPPED';
}

/** Whether an order is skipped, before or after the delivery of the others. */
export function isSkipped(each: RewardOrder | OrderOutcome): each is Skipped {
  return 'status' in each && each.status === 'SKIPPED';
}

/** The points that outcomes have paid, each with its earned reward. */
export function pointsOf(outcomes: readonly OrderOutcome[]): EarnedPoints[] {
  return outcomes.flatMap((outcome) =>
    isEarned(outcome) && rewardTypeRules[outcome.rewardType].isPoints && outcome.amount > 0n
      ? [{ earnedId: outcome.id, amount: outcome.amount }]
      : [],
  );
}

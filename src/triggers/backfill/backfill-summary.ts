import type { MessageInitShape } from '@bufbuild/protobuf';
import { Reward_Type } from '../../../gen/laurel/v1/reward_pb.ts';
import type { Backfill_SummarySchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import { sumToNumber } from '../../kernel/amount.ts';
import type { RewardType } from '../../rewards/definitions/reward-types.ts';
import { isEarned, type OrderOutcome } from '../../rewards/delivery/earned-reward.ts';
import type { TriggerOutcome } from '../run-triggers.ts';

/** The sums of backfilled events, as plain data that can be stored as JSON. */
export type BackfillSummary = {
  readonly applied: number;
  readonly counted: number;
  readonly replayed: number;
  readonly refused: number;
  readonly tooLate: number;
  readonly missionsCompleted: number;
  readonly campaignsCompleted: number;
  readonly campaignsClaimable: number;
  /** By the id of the reward. */
  readonly rewards: Readonly<Record<string, EarnedSum>>;
  readonly skipped: Readonly<Record<string, SkippedSum>>;
};

/** The sums of one reward; the amount is in ten-thousandths. */
type EarnedSum = {
  readonly name: string;
  readonly type: RewardType;
  readonly earned: number;
  readonly pending: number;
  readonly amount: number;
};

type SkippedSum = { readonly name: string; readonly skipped: number };

/** The summary of no events. */
export const NO_EVENTS: BackfillSummary = {
  applied: 0,
  counted: 0,
  replayed: 0,
  refused: 0,
  tooLate: 0,
  missionsCompleted: 0,
  campaignsCompleted: 0,
  campaignsClaimable: 0,
  rewards: {},
  skipped: {},
};

/** A summary with the outcomes of further events. @param nameOf the name of a reward by its id */
export function withOutcomes(
  summary: BackfillSummary,
  outcomes: readonly (TriggerOutcome | Error)[],
  nameOf: (rewardId: string) => string,
): BackfillSummary {
  const sum = { ...summary };
  const rewards = new Map(Object.entries(summary.rewards));
  const skipped = new Map(Object.entries(summary.skipped));
  for (const outcome of outcomes) {
    if (outcome instanceof Error) sum.refused += 1;
    else if (outcome.backfilled === undefined) sum.replayed += 1;
    else {
      const { backfilled: effect } = outcome;
      sum.applied += 1;
      sum.counted += Number(effect.uncountedReason === undefined);
      sum.tooLate += Number(effect.tooLateMissionIds.length > 0);
      sum.missionsCompleted += effect.missionsCompleted;
      sum.campaignsCompleted += effect.campaignsCompleted;
      sum.campaignsClaimable += effect.campaignsClaimable;
      for (const reward of effect.rewards) addReward(reward);
    }
  }
  return { ...sum, rewards: Object.fromEntries(rewards), skipped: Object.fromEntries(skipped) };

  function addReward(reward: OrderOutcome): void {
    if (!isEarned(reward)) {
      const { id, name } = reward.order.reward;
      skipped.set(id, { name, skipped: (skipped.get(id)?.skipped ?? 0) + (reward.order.rounds ?? 1) });
      return;
    }
    const { rewardId, rewardType: type, amount, rounds = 1, status } = reward;
    const known = rewards.get(rewardId) ?? { name: nameOf(rewardId), type, earned: 0, pending: 0, amount: 0 };
    rewards.set(rewardId, {
      ...known,
      earned: known.earned + rounds,
      pending: known.pending + (status === 'PENDING_STOCK' ? rounds : 0),
      amount: known.amount + Number(amount),
    });
  }
}

/** A summary as the API shows it. */
export function toSummaryMessage(summary: BackfillSummary): MessageInitShape<typeof Backfill_SummarySchema> {
  const { rewards, skipped, ...counts } = summary;
  const earned = Object.entries(rewards).toSorted(([, a], [, b]) => b.earned - a.earned);
  const skips = Object.entries(skipped).toSorted(([, a], [, b]) => b.skipped - a.skipped);
  return {
    ...counts,
    rewards: earned.map(([rewardId, { type, amount, ...each }]) => {
      return { rewardId, ...each, rewardType: Reward_Type[type], amount: sumToNumber(BigInt(amount)) };
    }),
    skippedRewards: skips.map(([rewardId, each]) => ({ rewardId, ...each })),
  };
}

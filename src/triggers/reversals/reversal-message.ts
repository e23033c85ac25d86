import type { MessageInitShape } from '@bufbuild/protobuf';
import { Reward_Type, type ReversedRewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { ReversedTrigger_State as State, type ReversedTriggerSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import type { ClientCatalog } from '../../campaigns/catalog/catalog.ts';
import { shownTarget } from '../../engine/missions/milestones.ts';
import { amountToNumber, optionalNumber, sumToNumber } from '../../kernel/amount.ts';
import type { ReversedReward } from '../../rewards/reversal/reverse-rewards.ts';
import { toMovedStatisticMessage } from '../../statistics/values/statistic-message.ts';
import { sumsOf } from '../statistics-of-event.ts';
import type { KnownTrigger } from '../inbox/inbox.queries.ts';
import type { DoneReversal } from './batch-reversal.ts';

/** The answer to the reversal of an applied event. */
export function reversedTriggerMessage(
  catalog: ClientCatalog,
  { account, amount, left, missions, statistics, reopened, rewards }: DoneReversal,
): MessageInitShape<typeof ReversedTriggerSchema> {
  return {
    state: State.REVERSED,
    accountId: account.id,
    amount: amountToNumber(amount),
    amountLeft: amountToNumber(left),
    missions: missions.map(({ previousProgress, roundsLost, assignment }) => ({
      missionId: assignment.missionId,
      previousProgress: amountToNumber(previousProgress),
      progress: amountToNumber(assignment.progress),
      target: shownTarget(assignment.target),
      completionLost: roundsLost > 0,
    })),
    reopenedCampaignIds: reopened.map(({ campaignId }) => campaignId),
    rewards: rewards.map((reward) => reversedRewardMessage(reward, catalog.rewards)),
    statistics: sumsOf(statistics).map((effect) => toMovedStatisticMessage(catalog.statistics, effect)),
  };
}

/** The answer to the reversal of an event that waited or was dead. */
export function withdrawnTriggerMessage(trigger: KnownTrigger): MessageInitShape<typeof ReversedTriggerSchema> {
  const { idType, accountId } = trigger;
  return {
    state: State.WITHDRAWN,
    accountId: idType === 'INTERNAL' ? accountId : undefined,
    amount: amountOfWaiting(trigger),
    amountLeft: 0,
  };
}

/** The amount of an event that was not applied: 1 for a SINGLE event. */
export function amountOfWaiting({ metadata }: KnownTrigger): number {
  const amount = metadata?.['amount'];
  return typeof amount === 'number' ? amount : 1;
}

/** A reversed reward as answers and webhooks show it. */
export function reversedRewardMessage(
  { id, rewardId, rewardType, reversed, kept, debt, campaignId, missionId }: ReversedReward,
  definitions: ClientCatalog['rewards'],
): MessageInitShape<typeof ReversedRewardSchema> {
  return {
    earnedRewardId: id,
    rewardId,
    name: definitions.get(rewardId)?.name ?? '',
    rewardType: Reward_Type[rewardType],
    amountReversed: sumToNumber(reversed),
    amountKept: sumToNumber(kept),
    debt: debt === 0n ? undefined : optionalNumber(debt),
    campaignId,
    missionId,
  };
}

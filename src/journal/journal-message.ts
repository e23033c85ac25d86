import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { JournalEntrySchema } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { SkippedReward_ReasonSchema } from '../../gen/laurel/v1/reward_pb.ts';
import { enumName } from '../kernel/enum-names.ts';
import { maskedAttributes } from '../attributes/attribute-values.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { skipExplanation } from '../rewards/delivery/skipped-reward-message.ts';
import { toMovedStatisticMessage } from '../statistics/values/statistic-message.ts';
import type { JournalEntryRow, StoredReversal } from './journal-row.ts';

/** The sources of names. */
export type Named = Pick<ClientCatalog, 'missions' | 'campaigns' | 'rewards' | 'events' | 'statistics' | 'levelTracks'>;

/** An entry as the API shows it, with the present names of missions, campaigns and rewards. */
export function toJournalMessage(row: JournalEntryRow, catalog: Named): MessageInitShape<typeof JournalEntrySchema> {
  const { missions = [], campaigns = [], rewards = [], skippedRewards = [], ...details } = row.details ?? {};
  const { deadTrigger, attributes, explanation, amount, reversal, backfilled, statistics = [], levels = [] } = details;
  const campaignName = (id: string) => catalog.campaigns.get(id)?.name;
  return {
    id: row.id,
    recordedAt: timestampFromDate(row.recordedAt),
    occurredAt: timestampFromDate(row.occurredAt),
    programmaticCode: row.programmaticCode,
    accountId: row.accountId ?? undefined,
    operationId: row.operationId ?? undefined,
    effect: row.effect,
    uncountedReason: row.reason ?? undefined,
    ...refusingMission(row.missionId, catalog),
    missions: missions.map(
      ([missionId, previousProgress, progress, target, rounds = 0, lost = 0, milestones = []]) => ({
        missionId,
        name: catalog.missions.get(missionId)?.name ?? '',
        campaignId: catalog.missions.get(missionId)?.campaignId ?? undefined,
        previousProgress,
        progress,
        target,
        completed: rounds > 0,
        rounds: rounds > 1 ? rounds : undefined,
        milestones: [...milestones],
        lostRun: lost === 0 ? undefined : { periods: lost[0], lastKept: lost[1], period: lost[2], timeZone: lost[3] },
      }),
    ),
    campaigns: campaigns.map((campaignId) => ({ campaignId, name: campaignName(campaignId) ?? '' })),
    rewards: rewards.map(([earnedRewardId, rewardId, amount, pending]) => ({
      earnedRewardId,
      rewardId,
      amount,
      pending: pending === 1,
      name: catalog.rewards.get(rewardId)?.name ?? '',
    })),
    skippedRewards: skippedRewards.map(([rewardId, reason, missionId, campaignId, values]) => ({
      rewardId,
      name: catalog.rewards.get(rewardId)?.name ?? '',
      missionId: missionId || undefined,
      campaignId: campaignId || undefined,
      reason,
      explanation: skipExplanation(enumName(SkippedReward_ReasonSchema, reason)!, values),
    })),
    deadTriggerId: deadTrigger?.[0],
    errorCode: deadTrigger?.[1],
    explanation,
    amount,
    reversal: reversal && reversalMessage(reversal, catalog),
    backfilled,
    statistics: statistics.map(([statisticId, period, moved]) =>
      toMovedStatisticMessage(catalog.statistics, { statisticId, period, amount: BigInt(moved) }),
    ),
    levels: levels.map(([trackId, previousCode, code]) => ({
      trackId,
      trackCode: catalog.levelTracks.get(trackId)?.code ?? '',
      previousCode: previousCode || undefined,
      code: code || undefined,
    })),
    attributes: attributes && maskedAttributes(attributes, catalog.events.get(row.programmaticCode)?.attributes ?? []),
  };
}

function reversalMessage(reversal: StoredReversal, { rewards: definitions }: Named) {
  const [journalEntryId, triggerOperationId, amount, reason, rewards] = reversal;
  return {
    journalEntryId: journalEntryId || undefined,
    triggerOperationId: triggerOperationId || undefined,
    amount,
    reason: reason || undefined,
    rewards: rewards.map(([earnedRewardId, rewardId, rewardType, amountReversed, amountKept, debt]) => ({
      earnedRewardId,
      rewardId,
      name: definitions.get(rewardId)?.name ?? '',
      rewardType,
      amountReversed,
      amountKept,
      debt: debt || undefined,
    })),
  };
}

function refusingMission(missionId: string | null, { missions, campaigns }: Named) {
  if (missionId === null) return {};
  const mission = missions.get(missionId);
  const campaignId = mission?.campaignId ?? undefined;
  const campaignName = campaignId === undefined ? undefined : campaigns.get(campaignId)?.name;
  return { missionId, missionName: mission?.name, campaignId, campaignName };
}

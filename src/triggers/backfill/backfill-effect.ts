import { Uncounted_Reason as Reason } from '../../../gen/laurel/v1/uncounted_pb.ts';
import type { ClientCatalog } from '../../campaigns/catalog/catalog.ts';
import type { OrderOutcome } from '../../rewards/delivery/earned-reward.ts';
import type { RewardedTrigger } from '../batch-trigger.ts';
import { causeOf } from '../journal-rows.ts';

/** The effect of a backfilled event, for the answer and the summary. */
export type BackfillEffect = {
  /** Undefined if the event counted for a mission. */
  readonly uncountedReason: Reason | undefined;
  /** The missions for which the period of the event is settled. */
  readonly tooLateMissionIds: readonly string[];
  /** Completions of missions, of each round and period. */
  readonly missionsCompleted: number;
  readonly campaignsCompleted: number;
  readonly campaignsClaimable: number;
  readonly rewards: readonly OrderOutcome[];
  /** The id of its journal entry, for a reversal; undefined without a journal. */
  readonly entryId: string | undefined;
};

/** The effect of an applied event. */
export function effectOfBackfill(
  catalog: ClientCatalog,
  item: RewardedTrigger,
  entryId: string | undefined,
): BackfillEffect {
  const { decisions, outcomes, completedCampaignIds } = item;
  const first = new Set(completedCampaignIds);
  const campaigns = decisions.filter((each) => 'campaignId' in each && first.has(each.campaignId));
  const counts = decisions.some(({ kind }) => kind === 'progressed' || kind === 'completed');
  return {
    uncountedReason: counts ? undefined : Reason[causeOf(catalog, item)?.reason ?? 'NO_MISSION'],
    tooLateMissionIds: decisions.flatMap((each) =>
      each.kind === 'uncounted' && each.reason === 'TOO_LATE' ? [each.missionId] : [],
    ),
    missionsCompleted: decisions.reduce((sum, each) => sum + (each.kind === 'completed' ? each.rounds : 0), 0),
    campaignsCompleted: campaigns.filter(({ kind }) => kind === 'campaignClosed').length,
    campaignsClaimable: campaigns.filter(({ kind }) => kind === 'campaignClaimable').length,
    rewards: outcomes,
    entryId,
  };
}

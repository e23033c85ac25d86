import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  Campaign_ClaimPolicy,
  CampaignPhase_Value,
  type OfferedCampaignSchema,
} from '../../../gen/laurel/v1/campaign_pb.ts';
import {
  type AudienceSummary,
  audienceSummaries,
  toAudienceSummaryMessage,
} from '../../audiences/audience-summaries.queries.ts';
import { inTimeSlices, type Steps } from '../../kernel/concurrency/time-slices.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { rewardMessages } from '../assignments/assignment-message.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';
import { moment, toMissionMessage } from '../campaigns/campaign-message.ts';
import { campaignPhase } from '../campaigns/campaign-phase.ts';
import type { OfferedCampaignRow } from './offered-campaigns.queries.ts';

/**
 * Campaigns as an app shows them at `now`. Missions and rewards come from the catalogue, as in the feed. Versions, editors and stock are
 * left out, because apps do not need them.
 */
export async function showOfferedCampaigns(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  campaigns: readonly OfferedCampaignRow[],
  now: Date,
): Promise<MessageInitShape<typeof OfferedCampaignSchema>[]> {
  const audiences = await audienceSummaries(
    uow,
    campaigns.flatMap(({ audienceIds }) => audienceIds),
  );
  return inTimeSlices(messageSteps(catalog, audiences, campaigns, now));
}

type Message = MessageInitShape<typeof OfferedCampaignSchema>;

/** One campaign in each step: a page may have thousands of missions. */
function* messageSteps(
  catalog: ClientCatalog,
  audiences: ReadonlyMap<string, AudienceSummary>,
  campaigns: readonly OfferedCampaignRow[],
  now: Date,
): Steps<Message[]> {
  const messages: Message[] = [];
  for (const campaign of campaigns) {
    const missions = missionsOf(catalog, campaign.id);
    const named = new Set(missions.flatMap(({ rewardIds }) => rewardIds));
    messages.push({
      id: campaign.id,
      name: campaign.name,
      description: campaign.description,
      phase: CampaignPhase_Value[campaignPhase(campaign, now)],
      claimPolicy: Campaign_ClaimPolicy[campaign.claimPolicy],
      audiences: campaign.audienceIds.flatMap((id) => {
        const audience = audiences.get(id);
        return audience ? [toAudienceSummaryMessage(audience)] : [];
      }),
      rewards: rewardMessages(catalog, campaign.rewardIds),
      missions: missions.map(toMissionMessage),
      missionRewards: rewardMessages(catalog, [...named]),
      startsAt: moment(campaign.startsAt),
      endsAt: moment(campaign.endsAt),
      endedAt: moment(campaign.endedAt),
    });
    yield;
  }
  return messages;
}

function missionsOf({ rules, missions }: ClientCatalog, campaignId: string) {
  const ids = rules.campaigns.get(campaignId)?.missionIds ?? [];
  return ids.flatMap((id) => missions.get(id) ?? []).toSorted((one, other) => one.position - other.position);
}

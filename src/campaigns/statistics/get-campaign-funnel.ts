import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  CampaignFunnelSchema,
  GetCampaignFunnelRequest,
  GetCampaignFunnelResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { Mission_Type } from '../../../gen/laurel/v1/mission_pb.ts';
import { countMembers } from '../../audiences/members/members.queries.ts';
import type { Call } from '../../clients/call.ts';
import { createTtlCache } from '../../clients/credentials/ttl-cache.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadRewards } from '../../rewards/definitions/rewards.queries.ts';
import { countWaitingAccounts } from '../../rewards/delivery/earned-rewards.queries.ts';
import { type CampaignWithMissions, requireCampaign } from '../campaigns/campaigns.queries.ts';
import { countCompletions, countSteps } from './funnel.queries.ts';

type Funnel = MessageInitShape<typeof CampaignFunnelSchema>;

/** The read of campaign funnels; the counts are cached for ten seconds, for all operators. */
export function campaignFunnels() {
  const counted = createTtlCache<Funnel>({ lifetimeMs: 10_000, capacity: 1_000 });

  /** Counts the accounts of a campaign by progress: proto CampaignAdminService.GetCampaignFunnel. */
  return async function getCampaignFunnel(
    { db, now, principal: { clientId } }: Call,
    { id }: GetCampaignFunnelRequest,
  ): Promise<MessageInitShape<typeof GetCampaignFunnelResponseSchema>> {
    return db.unitOfWork(clientId, async (uow) => {
      const stored = await requireCampaign(uow, id);
      // The version in the key shows a change of the campaign without a delay.
      const key = `${clientId} ${stored.campaign.id} ${stored.campaign.version}`;
      return { funnel: await counted.get(key, () => countFunnel(uow, stored, now)) };
    });
  };
}

async function countFunnel(uow: UnitOfWork, { campaign, missions }: CampaignWithMissions, now: Date): Promise<Funnel> {
  const members = await countMembers(uow, campaign.audienceIds, now);
  const steps = await countSteps(uow, missions);
  const { completed, claimed } = await countCompletions(uow, campaign.id);
  const rewards = await loadRewards(uow, campaign.rewardIds);
  const productIds = [...new Set([...rewards.values()].flatMap(({ product }) => product?.id ?? []))];
  return {
    members,
    missions: missions.map(({ id, name, type }) => ({
      missionId: id,
      name,
      type: Mission_Type[type],
      started: 0,
      completed: 0,
      ...steps.get(id),
    })),
    completed,
    claimed,
    waiting: await countWaitingAccounts(uow, { campaignId: campaign.id, productIds }),
  };
}

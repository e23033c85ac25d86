import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetCampaignSeriesRequest,
  GetCampaignSeriesResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { clientZones } from '../../clients/client-zones.ts';
import { createTtlCache } from '../../clients/credentials/ttl-cache.ts';
import { requireCampaign } from '../campaigns/campaigns.queries.ts';
import { type CampaignDay, countDays } from './campaign-series.queries.ts';

/** The default number of days. */
const DAYS = 30;

/** The read of campaign series; the counts are cached for a minute, for all operators. */
export function campaignSeries() {
  const counted = createTtlCache<CampaignDay[]>({ lifetimeMs: 60_000, capacity: 1_000 });

  /** Counts the accounts that began, completed and closed a campaign, day by day: proto CampaignAdminService.GetCampaignSeries. */
  return async function getCampaignSeries(
    { db, principal: { clientId }, now }: Call,
    { id, days = DAYS }: GetCampaignSeriesRequest,
  ): Promise<MessageInitShape<typeof GetCampaignSeriesResponseSchema>> {
    return db.unitOfWork(clientId, async (uow) => {
      const { campaign, missions } = await requireCampaign(uow, id);
      const { timeZone } = await clientZones(uow);
      const missionIds = missions.map((mission) => mission.id);
      const asked = { campaignId: campaign.id, missionIds, timeZone, days, now };
      const key = `${clientId} ${campaign.id} ${campaign.version} ${days} ${timeZone}`;
      return { rows: await counted.get(key, () => countDays(uow, asked)) };
    });
  };
}

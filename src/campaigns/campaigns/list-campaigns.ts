import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListCampaignsRequest,
  ListCampaignsResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { toCampaignMessage } from './campaign-message.ts';
import { CAMPAIGN_PHASES, phaseSql, withPhase } from './campaign-phase.ts';
import { campaignTable } from './campaign.entity.ts';
import { missionsOf } from './campaigns.queries.ts';

const campaignPage = pagedList<{ id: string }>({
  from: 'campaign',
  columns: 'id',
  // UUIDv7 ids sort by creation time.
  orderBy: ['id'],
  descending: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    status: { kind: 'enum', values: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'], column: 'status' },
    phase: { kind: 'enum', values: CAMPAIGN_PHASES, column: phaseSql },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: {
    createdAt: { column: 'id' },
    name: { column: 'name' },
    updatedAt: { column: 'updated_at' },
    startsAt: { column: 'starts_at', nullable: true },
    endsAt: { column: 'ends_at', nullable: true },
  },
  searched: { ids: ['id'], parts: ['name'] },
});

/** Lists campaigns by page, latest first, with their missions: proto CampaignAdminService.ListCampaigns. */
export function listCampaigns(
  { db, principal, now }: Call,
  request: ListCampaignsRequest,
): Promise<MessageInitShape<typeof ListCampaignsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await campaignPage(uow, request);
    const ids = page.rows.map(({ id }) => id);
    const campaigns = await uow.em.find(campaignTable, { clientId: uow.clientId, id: { $in: ids } });
    const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
    const missions = Map.groupBy(await missionsOf(uow, ids), (mission) => mission.campaignId);
    const rows = ids.map((id) => {
      const campaign = byId.get(id)!;
      return withPhase(toCampaignMessage(campaign, missions.get(id) ?? []), campaign, now);
    });
    return { ...page, rows };
  });
}

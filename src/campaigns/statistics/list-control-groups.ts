import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListControlGroupsRequest,
  ListControlGroupsResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { CampaignPhase_Value } from '../../../gen/laurel/v1/campaign_pb.ts';
import { requireAccount } from '../../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../../clients/call.ts';
import { isHeldBack } from '../../engine/control-group.ts';
import { accountsWithoutAssignments } from '../assignments/account-contexts.ts';
import { campaignPhase } from '../campaigns/campaign-phase.ts';
import { campaignTable } from '../campaigns/campaign.entity.ts';
import type { Catalogs } from '../catalog/catalog.ts';

/** The most campaigns of an answer. */
const ROWS_MAX = 100;

/** Lists the campaigns that hold an account back: proto CampaignAdminService.ListControlGroups. */
export function listControlGroups(
  { db, principal, clock }: Call,
  { accountId, idType }: ListControlGroupsRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof ListControlGroupsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const now = clock();
    const account = await requireAccount(uow, { accountId, idType });
    const catalog = await catalogs(uow);
    const { audiences } = (await accountsWithoutAssignments(uow, catalog, [account], { now })).get(account.id)!;
    const ids = [...catalog.rules.campaigns.values()]
      .filter(
        (campaign) =>
          campaign.status !== 'DRAFT' &&
          campaign.audienceIds.some((id) => audiences.has(id)) &&
          isHeldBack(campaign, account.id),
      )
      .map(({ campaignId }) => campaignId)
      .toSorted()
      .slice(-ROWS_MAX);
    const campaigns = await uow.em.find(
      campaignTable,
      { clientId: uow.clientId, id: { $in: ids } },
      // UUIDv7 ids sort by creation time.
      { orderBy: { id: 'desc' }, disableIdentityMap: true },
    );
    return {
      rows: campaigns.map((campaign) => ({
        campaignId: campaign.id,
        campaignName: campaign.name,
        percent: campaign.controlGroupPercent ?? 0,
        phase: CampaignPhase_Value[campaignPhase(campaign, now)],
      })),
    };
  });
}

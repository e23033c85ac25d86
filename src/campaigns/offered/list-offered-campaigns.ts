import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListOfferedCampaignsRequest,
  ListOfferedCampaignsResponseSchema,
} from '../../../gen/laurel/v1/campaign_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { showOfferedCampaigns } from './offered-campaign-message.ts';
import { offeredCampaignPage } from './offered-campaigns.queries.ts';

/**
 * Lists activated campaigns by page, latest first: proto CampaignService.ListOfferedCampaigns. Without a condition on the phase only ACTIVE
 * campaigns are listed, like the items of a feed.
 */
export function listOfferedCampaigns(
  { db, principal, now }: Call,
  request: ListOfferedCampaignsRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof ListOfferedCampaignsResponseSchema>> {
  const namesPhase = request.filters?.filters.some(({ field }) => field === 'phase') ?? false;
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await offeredCampaignPage(uow, { ...request, only: namesPhase ? {} : { phase: 'ACTIVE' } });
    // The catalogue is read after the page, so that it has every campaign of the page.
    return { ...page, rows: await showOfferedCampaigns(uow, await catalogs(uow), page.rows, now) };
  });
}

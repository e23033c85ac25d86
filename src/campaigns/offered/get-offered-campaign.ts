import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetOfferedCampaignRequest,
  GetOfferedCampaignResponseSchema,
} from '../../../gen/laurel/v1/campaign_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { showOfferedCampaigns } from './offered-campaign-message.ts';
import { requireOfferedCampaign } from './offered-campaigns.queries.ts';

/** Returns one campaign that was activated: proto CampaignService.GetOfferedCampaign. */
export function getOfferedCampaign(
  { db, principal, now }: Call,
  { id }: GetOfferedCampaignRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof GetOfferedCampaignResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const found = await requireOfferedCampaign(uow, id);
    const [campaign] = await showOfferedCampaigns(uow, await catalogs(uow), [found], now);
    return { campaign };
  });
}

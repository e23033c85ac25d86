import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetAudienceSummaryRequest,
  GetAudienceSummaryResponseSchema,
} from '../../gen/laurel/v1/audience_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { requireAudienceSummary, toAudienceSummaryMessage } from './audience-summaries.queries.ts';

/** Returns one audience: proto AudienceService.GetAudienceSummary. */
export function getAudienceSummary(
  { db, principal }: Call,
  { id }: GetAudienceSummaryRequest,
): Promise<MessageInitShape<typeof GetAudienceSummaryResponseSchema>> {
  return db.read(principal.clientId, async (uow) => ({
    audience: toAudienceSummaryMessage(await requireAudienceSummary(uow, id)),
  }));
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAudienceSummariesRequest,
  ListAudienceSummariesResponseSchema,
} from '../../gen/laurel/v1/audience_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { audienceSummaryPage, toAudienceSummaryMessage } from './audience-summaries.queries.ts';

/** Lists audiences by page, by name: proto AudienceService.ListAudienceSummaries. */
export function listAudienceSummaries(
  { db, principal }: Call,
  request: ListAudienceSummariesRequest,
): Promise<MessageInitShape<typeof ListAudienceSummariesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await audienceSummaryPage(uow, request);
    return { ...page, rows: page.rows.map(toAudienceSummaryMessage) };
  });
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListPublishedPublicationsRequest,
  ListPublishedPublicationsResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { publishedPage, withPublications } from './publication-pages.ts';

/** Lists what is offered, by page: proto MarketplaceService.ListPublishedPublications. */
export function listPublishedPublications(
  { db, principal, now }: Call,
  request: ListPublishedPublicationsRequest,
): Promise<MessageInitShape<typeof ListPublishedPublicationsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await publishedPage(uow, request);
    // One that was paused since the page was read is left out rather than shown as a draft.
    return withPublications(uow, page, now, ({ status }) => status === 'PUBLISHED_ON_MARKETPLACE');
  });
}

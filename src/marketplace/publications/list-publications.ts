import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListPublicationsRequest,
  ListPublicationsResponseSchema,
} from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { isPerson } from '../../clients/principal.ts';
import { publicationPage, withPublications } from './publication-pages.ts';

/** Lists publications in every state, by page: proto PublicationAdminService.ListPublications. */
export function listPublications(
  { db, principal, now }: Call,
  request: ListPublicationsRequest,
): Promise<MessageInitShape<typeof ListPublicationsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) =>
    withPublications(uow, await publicationPage(uow, request), now, { withStockFigures: isPerson(principal) }),
  );
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AddPublicationStockRequest,
  AddPublicationStockResponseSchema,
} from '../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import type { Principal } from '../clients/principal.ts';
import type { Database } from '../persistence/database.ts';
import { publicationInit } from './publication.ts';
import { addPublicationUnits, readPublication } from './publications.queries.ts';
import { stockTooLarge } from './stock-limit.ts';

/** Adds units to a publication: proto PublicationAdminService.AddPublicationStock. */
export function addPublicationStock(
  db: Database,
  principal: Principal,
  { id, quantity }: AddPublicationStockRequest,
  now: Date,
): Promise<MessageInitShape<typeof AddPublicationStockResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const added = await addPublicationUnits(uow, id, quantity, now);
    const publication = await readPublication(uow, id, now);
    if (!added) throw stockTooLarge('A publication');
    return { publication: publicationInit(publication) };
  });
}

import type { ServiceImpl } from '@connectrpc/connect';
import type { PublicationAdminService } from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { addPublicationStock } from './add-publication-stock.ts';
import { createPublication } from './create-publication.ts';
import { deletePublication } from './delete-publication.ts';
import { getPublication } from './get-publication.ts';
import { listAllReservations } from '../reservations/list-all-reservations.ts';
import { listPublications } from './list-publications.ts';
import { listPurchases } from '../purchases/list-purchases.ts';
import { updatePublication } from './update-publication.ts';

/** Publications as operators prepare them. */
export function publicationAdminService(db: Database, clock: Clock) {
  return {
    createPublication: (request, context) => createPublication(db, principalOf(context), request, clock()),
    updatePublication: (request, context) => updatePublication(db, principalOf(context), request, clock()),
    getPublication: (request, context) => getPublication(db, principalOf(context), request, clock()),
    listPublications: (request, context) => listPublications(db, principalOf(context), request, clock()),
    addPublicationStock: (request, context) => addPublicationStock(db, principalOf(context), request, clock()),
    deletePublication: (request, context) => deletePublication(db, principalOf(context), request, clock()),
    listAllReservations: (request, context) => listAllReservations(db, principalOf(context), request),
    listPurchases: (request, context) => listPurchases(db, principalOf(context), request),
  } satisfies ServiceImpl<typeof PublicationAdminService>;
}

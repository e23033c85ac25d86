import type { PublicationAdminService } from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { addPublicationStock } from './add-publication-stock.ts';
import { createPublication } from './create-publication.ts';
import { deletePublication } from './delete-publication.ts';
import { getPublication } from './get-publication.ts';
import { listAllReservations } from '../reservations/list-all-reservations.ts';
import { listPublications } from './list-publications.ts';
import { listPurchases } from '../purchases/list-purchases.ts';
import { updatePublication } from './update-publication.ts';

/** Publications as operators prepare them. */
export const publicationAdminService = {
  createPublication,
  updatePublication,
  getPublication,
  listPublications,
  addPublicationStock,
  deletePublication,
  listAllReservations,
  listPurchases,
} satisfies Handlers<typeof PublicationAdminService>;

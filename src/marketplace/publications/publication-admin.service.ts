import type { PublicationAdminService } from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { addPublicationStock } from './add-publication-stock.ts';
import { createPublication } from './create-publication.ts';
import { deletePublication } from './delete-publication.ts';
import { getPublication } from './get-publication.ts';
import { listAllReservations } from '../reservations/list-all-reservations.ts';
import { listPublications } from './list-publications.ts';
import { listPurchases } from '../purchases/list-purchases.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { updatePublication } from './update-publication.ts';
import { withdrawPublicationStock } from './withdraw-publication-stock.ts';

/** The operations of operators on publications. Freed units may close campaigns, whose webhooks `dispatcher` sends. */
export function publicationAdminService(dispatcher: Pick<Dispatcher, 'wake'>) {
  return {
    createPublication,
    updatePublication,
    getPublication,
    listPublications,
    addPublicationStock,
    withdrawPublicationStock: (call, request) => withdrawPublicationStock(call, request, dispatcher),
    deletePublication: (call, request) => deletePublication(call, request, dispatcher),
    listAllReservations,
    listPurchases,
  } satisfies Handlers<typeof PublicationAdminService>;
}

import type { MarketplaceService } from '../../gen/laurel/v1/marketplace_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { freezePublication } from './reservations/freeze-publication.ts';
import { getPublication } from './publications/get-publication.ts';
import { listPublishedPublications } from './publications/list-published-publications.ts';
import { listReservations } from './reservations/list-reservations.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import { publishPublication } from './publications/publish-publication.ts';
import { redeemPublication } from './purchases/redeem-publication.ts';
import { unfreezePublication } from './reservations/unfreeze-publication.ts';
import { unpublishPublication } from './publications/unpublish-publication.ts';

/** What is offered, held back and bought. `dispatcher` is told of webhooks once the call that caused them is answered. */
export function marketplaceService(dispatcher: Pick<Dispatcher, 'wake'>) {
  return {
    listReservations,
    freezePublication,
    unfreezePublication,
    redeemPublication: (call, request) => redeemPublication(call, request, dispatcher),
    getPublication,
    listPublishedPublications,
    publishPublication: (call, request) => publishPublication(call, request, dispatcher),
    unpublishPublication: (call, request) => unpublishPublication(call, request, dispatcher),
  } satisfies Handlers<typeof MarketplaceService>;
}

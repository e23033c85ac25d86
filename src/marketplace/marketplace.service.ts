import type { ServiceImpl } from '@connectrpc/connect';
import type { MarketplaceService } from '../../gen/laurel/v1/marketplace_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import { freezePublication } from './reservations/freeze-publication.ts';
import { getPublication } from './publications/get-publication.ts';
import { listPublishedPublications } from './publications/list-published-publications.ts';
import { listReservations } from './reservations/list-reservations.ts';
import type { MarketplaceOptions } from './marketplace-options.ts';
import { publishPublication } from './publications/publish-publication.ts';
import { redeemPublication } from './purchases/redeem-publication.ts';
import { unfreezePublication } from './reservations/unfreeze-publication.ts';
import { unpublishPublication } from './publications/unpublish-publication.ts';

/** What is offered, held back and bought. */
export function marketplaceService(options: MarketplaceOptions) {
  const { db, clock } = options;
  return {
    listReservations: (request, context) => listReservations(db, principalOf(context), request, clock()),
    freezePublication: (request, context) => freezePublication(db, context, request, clock()),
    unfreezePublication: (request, context) => unfreezePublication(db, principalOf(context), request, clock()),
    redeemPublication: (request, context) => redeemPublication(options, context, request, clock()),
    getPublication: (request, context) => getPublication(db, principalOf(context), request, clock()),
    listPublishedPublications: (request, context) =>
      listPublishedPublications(db, principalOf(context), request, clock()),
    publishPublication: (request, context) => publishPublication(options, context, request),
    unpublishPublication: (request, context) => unpublishPublication(options, context, request),
  } satisfies ServiceImpl<typeof MarketplaceService>;
}

import type { MarketplaceService } from '../../gen/laurel/v1/marketplace_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { freezePublication } from './reservations/freeze-publication.ts';
import { getPublication } from './publications/get-publication.ts';
import { listPublishedPublications } from './publications/list-published-publications.ts';
import { listReservations } from './reservations/list-reservations.ts';
import type { OrderBatcher } from './orders/run-orders.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import { publishPublication } from './publications/publish-publication.ts';
import { redeemPublication } from './purchases/redeem-publication.ts';
import { unfreezePublication } from './reservations/unfreeze-publication.ts';
import { unpublishPublication } from './publications/unpublish-publication.ts';

/** The dependencies of the marketplace. */
export type MarketplaceOptions = {
  readonly orders: OrderBatcher;
  /** Called with the webhooks of a call, after its answer. */
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
};

/** The operations on publications, freezes and purchases. */
export function marketplaceService({ orders, dispatcher }: MarketplaceOptions) {
  return {
    listReservations,
    freezePublication: (call, request) => freezePublication(call, request, orders),
    unfreezePublication: (call, request) => unfreezePublication(call, request, orders),
    redeemPublication: (call, request) => redeemPublication(call, request, orders),
    getPublication,
    listPublishedPublications,
    publishPublication: (call, request) => publishPublication(call, request, dispatcher),
    unpublishPublication: (call, request) => unpublishPublication(call, request, dispatcher),
  } satisfies Handlers<typeof MarketplaceService>;
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import {
  MarketplaceService,
  type PublishPublicationRequest,
  type PublishPublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import type { MarketplaceOptions } from '../marketplace-options.ts';
import { movePublication } from './move-publication.ts';
import { forSale, outOfStock, type SellableStock } from '../sellable-stock.ts';

/** Offers a publication: proto MarketplaceService.PublishPublication. */
export function publishPublication(
  options: MarketplaceOptions,
  context: HandlerContext,
  { id }: PublishPublicationRequest,
): Promise<MessageInitShape<typeof PublishPublicationResponseSchema>> {
  const move = { status: 'PUBLISHED_ON_MARKETPLACE', pauseReason: 'NONE' } as const;
  const operation = MarketplaceService.method.publishPublication;
  return movePublication(options, context, { id, move, operation }, requireStock);
}

/** What has nothing to sell is not offered: the next purchase could not pause it again. */
function requireStock(sellable: SellableStock): void {
  if (forSale(sellable) > 0) return;
  const of = sellable.shared === undefined ? 'it' : 'it or its agreement';
  throw outOfStock(sellable, `Add stock to ${of} before you publish it.`);
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  MarketplaceService,
  type PublishPublicationRequest,
  type PublishPublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { movePublication } from './move-publication.ts';
import { forSale, outOfStock, type SellableStock } from '../sellable-stock.ts';
import type { Call } from '../../clients/call.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { sentence } from '../../kernel/sentence.ts';

/** Offers a publication: proto MarketplaceService.PublishPublication. */
export function publishPublication(
  call: Call,
  { id }: PublishPublicationRequest,
  dispatcher: Pick<Dispatcher, 'wake'>,
): Promise<MessageInitShape<typeof PublishPublicationResponseSchema>> {
  const move = { status: 'PUBLISHED_ON_MARKETPLACE', pauseReason: 'NONE' } as const;
  const operation = MarketplaceService.method.publishPublication;
  return movePublication(call, { id, move, operation }, dispatcher, requireStock);
}

/** A publication without units must not be published: no purchase could pause it again. */
function requireStock(sellable: SellableStock): void {
  if (forSale(sellable) > 0) return;
  const of = sellable.shared === undefined ? sentence`it` : sentence`it or its agreement`;
  throw outOfStock(sellable, sentence`Add stock to ${of} before you publish it.`);
}

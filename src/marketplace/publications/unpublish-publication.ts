import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import {
  MarketplaceService,
  type UnpublishPublicationRequest,
  type UnpublishPublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import type { MarketplaceOptions } from '../marketplace-options.ts';
import { movePublication } from './move-publication.ts';

/** Withdraws a publication: proto MarketplaceService.UnpublishPublication. */
export function unpublishPublication(
  options: MarketplaceOptions,
  context: HandlerContext,
  { id }: UnpublishPublicationRequest,
): Promise<MessageInitShape<typeof UnpublishPublicationResponseSchema>> {
  const move = { status: 'DRAFT', pauseReason: 'MANUAL' } as const;
  const operation = MarketplaceService.method.unpublishPublication;
  return movePublication(options, context, { id, move, operation });
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  MarketplaceService,
  type UnpublishPublicationRequest,
  type UnpublishPublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { movePublication } from './move-publication.ts';
import type { Call } from '../../clients/call.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';

/** Withdraws a publication: proto MarketplaceService.UnpublishPublication. */
export function unpublishPublication(
  call: Call,
  { id }: UnpublishPublicationRequest,
  dispatcher: Pick<Dispatcher, 'wake'>,
): Promise<MessageInitShape<typeof UnpublishPublicationResponseSchema>> {
  const move = { status: 'DRAFT', pauseReason: 'MANUAL' } as const;
  const operation = MarketplaceService.method.unpublishPublication;
  return movePublication(call, { id, move, operation }, dispatcher);
}

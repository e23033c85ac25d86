import {
  type OpenChestRequest,
  type OpenChestResponse,
  OpenChestResponseSchema,
} from '../../../gen/laurel/v1/chest_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { namedAccount, uuid } from '../../idempotency/content.ts';
import type { ChestBatcher } from './open-chests.ts';

/** Draws a chest's content, stores the draw and delivers: proto ChestService.OpenChest. */
export function openChest(call: Call, request: OpenChestRequest, openings: ChestBatcher): Promise<OpenChestResponse> {
  const { id, accountId, idType, operationId } = request;
  const content = ['OpenChest', uuid(id), ...namedAccount(idType, accountId)] as const;
  const opening = { chestId: id.toLowerCase(), account: { accountId, idType }, operationId };
  return openings.submit(call, { operationId, content }, OpenChestResponseSchema, opening);
}

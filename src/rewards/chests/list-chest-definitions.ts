import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListChestDefinitionsRequest,
  ListChestDefinitionsResponseSchema,
} from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { showChestDefinitions } from './chest-definition-message.ts';
import { chestDefinitionPage } from './chest-definitions.queries.ts';

/** Lists chest definitions by page, by name: proto ChestAdminService.ListChestDefinitions. */
export function listChestDefinitions(
  { db, principal }: Call,
  request: ListChestDefinitionsRequest,
): Promise<MessageInitShape<typeof ListChestDefinitionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await chestDefinitionPage(uow, request);
    return { ...page, rows: await showChestDefinitions(uow, page.rows) };
  });
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetChestDefinitionRequest,
  GetChestDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { showChestDefinitions } from './chest-definition-message.ts';
import { requireChestDefinition } from './chest-definitions.queries.ts';

/** Gives one chest definition: proto ChestAdminService.GetChestDefinition. */
export function getChestDefinition(
  { db, principal }: Call,
  { id }: GetChestDefinitionRequest,
): Promise<MessageInitShape<typeof GetChestDefinitionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const definition = await requireChestDefinition(uow, id);
    const [chestDefinition] = await showChestDefinitions(uow, [definition]);
    return { chestDefinition };
  });
}

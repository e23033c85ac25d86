import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetChestDefinitionRequest,
  GetChestDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { NAMED_MAX } from '../../kernel/errors/in-use.ts';
import { rewardsOfChest } from '../definitions/uses.queries.ts';
import { showChestDefinitions } from './chest-definition-message.ts';
import { requireChestDefinition } from './chest-definitions.queries.ts';

/** Returns one chest definition: proto ChestAdminService.GetChestDefinition. */
export function getChestDefinition(
  { db, principal }: Call,
  { id }: GetChestDefinitionRequest,
): Promise<MessageInitShape<typeof GetChestDefinitionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const definition = await requireChestDefinition(uow, id);
    const [chestDefinition] = await showChestDefinitions(uow, [definition]);
    return { chestDefinition, uses: (await rewardsOfChest(uow, definition.id)).slice(0, NAMED_MAX).map(String) };
  });
}

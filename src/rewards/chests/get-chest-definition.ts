import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetChestDefinitionRequest,
  GetChestDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toChestDefinitionMessage } from './chest-definition-message.ts';
import { requireChestDefinition } from './chest-definitions.queries.ts';

/** Gives one chest definition: proto ChestAdminService.GetChestDefinition. */
export function getChestDefinition(
  { db, principal }: Call,
  { id }: GetChestDefinitionRequest,
): Promise<MessageInitShape<typeof GetChestDefinitionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    chestDefinition: toChestDefinitionMessage(await requireChestDefinition(uow, id)),
  }));
}

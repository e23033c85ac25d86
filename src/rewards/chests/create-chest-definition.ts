import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ChestAdminService,
  type CreateChestDefinitionRequest,
  type CreateChestDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { ChestDefinitionSchema } from '../../../gen/laurel/admin/v1/chest_definition_pb.ts';
import { checkedText } from '../../kernel/text.ts';
import { lockCatalog } from '../../clients/catalog-version.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { newId } from '../../kernel/ids.ts';
import { toChestDefinitionMessage } from './chest-definition-message.ts';
import { ChestDefinitionEntity } from './chest-definition.entity.ts';
import { oddsOf, requireRewards } from './chest-odds.ts';

/**
 * Creates a chest definition: proto ChestAdminService.CreateChestDefinition. It is read when a chest is opened, so no catalogue
 * changes.
 */
export function createChestDefinition(
  { db, principal }: Call,
  request: CreateChestDefinitionRequest,
): Promise<MessageInitShape<typeof CreateChestDefinitionResponseSchema>> {
  const name = checkedText(request.name, '`name`');
  const { entries, totalWeight } = oddsOf(request);
  return db.unitOfWork(principal.clientId, async (uow) => {
    await lockCatalog(uow);
    await requireRewards(uow, entries);
    const definition = { clientId: uow.clientId, id: newId(), name, entries: [...entries], totalWeight };
    const chestDefinition = uow.em.create(ChestDefinitionEntity, definition);
    await uow.em.flush();
    const after = toChestDefinitionMessage(chestDefinition);
    const operation = ChestAdminService.method.createChestDefinition;
    await recordChange(uow, principal, { operation, schema: ChestDefinitionSchema, id: chestDefinition.id, after });
    return { chestDefinition: after };
  });
}

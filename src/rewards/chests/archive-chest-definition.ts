import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ArchiveChestDefinitionRequest,
  type ArchiveChestDefinitionResponseSchema,
  ChestAdminService,
} from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { ChestDefinitionSchema } from '../../../gen/laurel/admin/v1/chest_definition_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { bumpCatalogVersion, holdCatalog } from '../../clients/catalog-version.ts';
import type { Principal } from '../../clients/principal.ts';
import { requireUnused } from '../../kernel/in-use.ts';
import type { Database } from '../../persistence/database.ts';
import { toChestDefinitionMessage } from './chest-definition-message.ts';
import { chestDefinitionToChange } from './chest-definitions.queries.ts';
import { rewardsOfChest } from '../definitions/uses.queries.ts';

/** Archives a chest definition that no reward brings any more: proto ChestAdminService.ArchiveChestDefinition. */
export function archiveChestDefinition(
  db: Database,
  principal: Principal,
  { id }: ArchiveChestDefinitionRequest,
  now: Date,
): Promise<MessageInitShape<typeof ArchiveChestDefinitionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    await holdCatalog(uow);
    const definition = await chestDefinitionToChange(uow, id);
    const before = toChestDefinitionMessage(definition);
    if (definition.deletedAt) return { chestDefinition: before };
    requireUnused('CHEST_DEFINITION', await rewardsOfChest(uow, definition.id), 'Archive these rewards first.');
    Object.assign(definition, { deletedAt: now, version: definition.version + 1 });
    await uow.em.flush();
    await bumpCatalogVersion(uow);
    const after = toChestDefinitionMessage(definition);
    const operation = ChestAdminService.method.archiveChestDefinition;
    await recordChange(uow, principal, { operation, schema: ChestDefinitionSchema, id: definition.id, before, after });
    return { chestDefinition: after };
  });
}

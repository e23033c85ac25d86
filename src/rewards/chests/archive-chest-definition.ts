import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ArchiveChestDefinitionRequest,
  type ArchiveChestDefinitionResponseSchema,
  ChestAdminService,
} from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { ChestDefinitionSchema } from '../../../gen/laurel/admin/v1/chest_definition_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { requireUnused } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import { showChestDefinitions } from './chest-definition-message.ts';
import { chestDefinitionToChange } from './chest-definitions.queries.ts';
import { rewardsOfChest } from '../definitions/uses.queries.ts';

/** Archives a chest definition without rewards in use: proto ChestAdminService.ArchiveChestDefinition. */
export async function archiveChestDefinition(
  { db, principal, now }: Call,
  { id, version }: ArchiveChestDefinitionRequest,
): Promise<MessageInitShape<typeof ArchiveChestDefinitionResponseSchema>> {
  const change = { operation: ChestAdminService.method.archiveChestDefinition, schema: ChestDefinitionSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const definition = await chestDefinitionToChange(uow, id);
    const [before] = await showChestDefinitions(uow, [definition]);
    if (definition.deletedAt) return { after: before, unchanged: true };
    await requireVersion(uow, ChestDefinitionSchema, definition, version);
    requireUnused(
      'CHEST_DEFINITION_IN_USE',
      await rewardsOfChest(uow, definition.id),
      sentence`Archive these rewards first.`,
    );
    Object.assign(definition, { deletedAt: now, version: definition.version + 1 });
    await uow.em.flush();
    const [after] = await showChestDefinitions(uow, [definition]);
    return { id: definition.id, before, after };
  });
  return { chestDefinition: after };
}

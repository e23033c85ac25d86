import type { ServiceImpl } from '@connectrpc/connect';
import type { ChestAdminService } from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { archiveChestDefinition } from './archive-chest-definition.ts';
import { createChestDefinition } from './create-chest-definition.ts';
import { getChestDefinition } from './get-chest-definition.ts';
import { listChestDefinitions } from './list-chest-definitions.ts';
import { updateChestDefinition } from './update-chest-definition.ts';

/** Chest definitions. */
export function chestAdminService(db: Database, clock: Clock) {
  return {
    createChestDefinition: (request, context) => createChestDefinition(db, principalOf(context), request),
    getChestDefinition: (request, context) => getChestDefinition(db, principalOf(context), request),
    listChestDefinitions: (request, context) => listChestDefinitions(db, principalOf(context), request),
    updateChestDefinition: (request, context) => updateChestDefinition(db, principalOf(context), request),
    archiveChestDefinition: (request, context) => archiveChestDefinition(db, principalOf(context), request, clock()),
  } satisfies ServiceImpl<typeof ChestAdminService>;
}

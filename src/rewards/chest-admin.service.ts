import type { ServiceImpl } from '@connectrpc/connect';
import type { ChestAdminService } from '../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import type { Database } from '../persistence/database.ts';
import { createChestDefinition } from './create-chest-definition.ts';
import { getChestDefinition } from './get-chest-definition.ts';
import { listChestDefinitions } from './list-chest-definitions.ts';

/** Chest definitions. */
export function chestAdminService(db: Database) {
  return {
    createChestDefinition: (request, context) => createChestDefinition(db, principalOf(context), request),
    getChestDefinition: (request, context) => getChestDefinition(db, principalOf(context), request),
    listChestDefinitions: (request, context) => listChestDefinitions(db, principalOf(context), request),
  } satisfies Partial<ServiceImpl<typeof ChestAdminService>>;
}

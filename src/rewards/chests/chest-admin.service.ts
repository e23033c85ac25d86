import type { ChestAdminService } from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { archiveChestDefinition } from './archive-chest-definition.ts';
import { createChestDefinition } from './create-chest-definition.ts';
import { getChestDefinition } from './get-chest-definition.ts';
import { listChestDefinitions } from './list-chest-definitions.ts';
import { updateChestDefinition } from './update-chest-definition.ts';

/** The operations of operators on chest definitions. */
export const chestAdminService = {
  createChestDefinition,
  getChestDefinition,
  listChestDefinitions,
  updateChestDefinition,
  archiveChestDefinition,
} satisfies Handlers<typeof ChestAdminService>;

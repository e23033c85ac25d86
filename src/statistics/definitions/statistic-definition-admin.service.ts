import type { StatisticDefinitionAdminService } from '../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { createStatisticDefinition, type ReadersOfEvents } from './create-statistic-definition.ts';
import { deleteStatisticDefinition, type UsesOfNames } from './delete-statistic-definition.ts';
import { getStatisticDefinition } from './get-statistic-definition.ts';
import { listStatisticDefinitions } from './list-statistic-definitions.ts';
import { updateStatisticDefinition } from './update-statistic-definition.ts';

/** The reads of modules above. */
type Readers = ReadersOfEvents & { readonly usesOfNames: UsesOfNames };

/** The operations on one client's statistics. */
export function statisticDefinitionAdminService({ usesOfNames, ...readers }: Readers) {
  return {
    createStatisticDefinition: (call, request) => createStatisticDefinition(call, request, readers),
    listStatisticDefinitions,
    getStatisticDefinition,
    updateStatisticDefinition,
    deleteStatisticDefinition: (call, request) => deleteStatisticDefinition(call, request, usesOfNames),
  } satisfies Handlers<typeof StatisticDefinitionAdminService>;
}

import type { StatisticDefinitionAdminService } from '../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { createStatisticDefinition } from './create-statistic-definition.ts';
import { deleteStatisticDefinition, type UsesOfNames } from './delete-statistic-definition.ts';
import { getStatisticDefinition } from './get-statistic-definition.ts';
import { listStatisticDefinitions } from './list-statistic-definitions.ts';
import type { EventDeclarations } from './statistic-draft.ts';
import { updateStatisticDefinition } from './update-statistic-definition.ts';

/** The reads of modules above. */
type Readers = { readonly declarations: EventDeclarations; readonly usesOfNames: UsesOfNames };

/** The operations on one client's statistics. */
export function statisticDefinitionAdminService({ declarations, usesOfNames }: Readers) {
  return {
    createStatisticDefinition: (call, request) => createStatisticDefinition(call, request, declarations),
    listStatisticDefinitions,
    getStatisticDefinition,
    updateStatisticDefinition,
    deleteStatisticDefinition: (call, request) => deleteStatisticDefinition(call, request, usesOfNames),
  } satisfies Handlers<typeof StatisticDefinitionAdminService>;
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListEventDefinitionsRequest,
  ListEventDefinitionsResponseSchema,
} from '../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { EventDefinition_Type } from '../../gen/laurel/v1/event_definition_pb.ts';
import type { Principal } from '../clients/principal.ts';
import type { EventType } from '../engine/validate-mission.ts';
import type { Database } from '../persistence/database.ts';
import { pagedList } from '../persistence/list-page.ts';

const eventDefinitionPage = pagedList<{ programmatic_code: string; type: EventType }>({
  from: 'event_definition',
  columns: 'programmatic_code, type',
  orderBy: ['programmatic_code'],
  fields: {
    programmaticCode: { kind: 'text', column: 'programmatic_code' },
    type: { kind: 'enum', values: ['SINGLE', 'AMOUNT'], column: 'type' },
  },
});

/** Lists the catalogue by page, by code: proto EventDefinitionAdminService.ListEventDefinitions. */
export function listEventDefinitionPage(
  db: Database,
  principal: Principal,
  request: ListEventDefinitionsRequest,
): Promise<MessageInitShape<typeof ListEventDefinitionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await eventDefinitionPage(uow, request);
    const rows = page.rows.map((row) => ({
      programmaticCode: row.programmatic_code,
      type: EventDefinition_Type[row.type],
    }));
    return { ...page, rows };
  });
}

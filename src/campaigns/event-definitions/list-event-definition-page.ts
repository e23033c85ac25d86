import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListEventDefinitionsRequest,
  ListEventDefinitionsResponseSchema,
} from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { toEventDefinitionMessage } from './event-definition-message.ts';
import { eventDefinitionTable } from './event-definition.entity.ts';

/** Lists the catalogue by page, by code: proto EventDefinitionAdminService.ListEventDefinitions. */
export function listEventDefinitionPage(
  { db, principal }: Call,
  request: ListEventDefinitionsRequest,
): Promise<MessageInitShape<typeof ListEventDefinitionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await eventDefinitionPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toEventDefinitionMessage(uow.em.map(eventDefinitionTable, row))) };
  });
}

const eventDefinitionPage = pagedList({
  from: 'event_definition',
  columns: 'client_id, id, programmatic_code, type, name, description, version, created_at, updated_at',
  orderBy: ['programmatic_code'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    programmaticCode: { kind: 'text', column: 'programmatic_code' },
    name: { kind: 'text', column: 'name' },
    type: { kind: 'enum', values: ['SINGLE', 'AMOUNT'], column: 'type' },
  },
});

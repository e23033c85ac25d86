import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListEventDefinitionsRequest,
  ListEventDefinitionsResponseSchema,
} from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { RowOf } from '../../persistence/columns-of.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { EVENT_DEFINITION, toEventDefinitionMessage } from './event-definition-message.ts';

/** Lists the event definitions by page, in the order of codes: proto EventDefinitionAdminService.ListEventDefinitions. */
export function listEventDefinitionPage(
  { db, principal }: Call,
  request: ListEventDefinitionsRequest,
): Promise<MessageInitShape<typeof ListEventDefinitionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await eventDefinitionPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toEventDefinitionMessage(row)) };
  });
}

const eventDefinitionPage = pagedList<RowOf<typeof EVENT_DEFINITION>>({
  from: 'event_definition',
  // The position after a row is read by the column's own name.
  columns: `${EVENT_DEFINITION}, programmatic_code`,
  orderBy: ['programmatic_code'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    programmaticCode: { kind: 'text', column: 'programmatic_code' },
    name: { kind: 'text', column: 'name' },
    type: { kind: 'enum', values: ['SINGLE', 'AMOUNT'], column: 'type' },
  },
  orderable: {
    programmaticCode: { column: 'programmatic_code', unique: true },
    name: { column: 'name' },
    type: { column: 'type' },
    createdAt: { column: 'created_at' },
    updatedAt: { column: 'updated_at' },
  },
  searched: { ids: ['id'], words: ['programmatic_code'], parts: ['name', 'programmatic_code'] },
});

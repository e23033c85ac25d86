import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type {
  ListAuditEntriesRequest,
  ListAuditEntriesResponseSchema,
} from '../../gen/laurel/admin/v1/audit_admin_service_pb.ts';
import { renamedMoment } from '../kernel/time/renamed-moment.ts';
import { pagedList } from '../persistence/lists/list-page.ts';
import type { AuditCall } from './audit-call.ts';
import { AUDIT_ENTRY, type AuditRow, toAuditEntryMessage } from './audit-entry-message.ts';

/** Lists changes by page, latest first: proto AuditAdminService.ListAuditEntries. */
export function listAuditEntries(
  { db, principal }: AuditCall,
  request: ListAuditEntriesRequest,
): Promise<MessageInitShape<typeof ListAuditEntriesResponseSchema>> {
  const { since, from, until } = request;
  const within = { from: renamedMoment({ since }, { from }), until: until && timestampDate(until) };
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await auditPage(uow, { ...request, within });
    return { ...page, rows: page.rows.map(toAuditEntryMessage) };
  });
}

const auditPage = pagedList<AuditRow>({
  from: 'audit_entry',
  columns: AUDIT_ENTRY,
  orderBy: ['id'],
  descending: true,
  moment: 'created_at',
  fields: {
    id: { kind: 'uuid', column: 'id' },
    operation: { kind: 'text', column: 'operation' },
    resourceType: { kind: 'text', column: 'resource_type' },
    resourceId: { kind: 'text', column: 'resource_id' },
    actorType: { kind: 'enum', column: 'actor_type', values: ['USER', 'CREDENTIAL', 'COMMAND_LINE', 'UNKNOWN'] },
    actorId: { kind: 'uuid', column: 'actor_id' },
    actorName: { kind: 'text', column: 'actor_name' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: { createdAt: { column: 'id' } },
  searched: { ids: ['id'], words: ['resource_id'] },
});

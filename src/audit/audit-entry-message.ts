import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AuditEntry_ActorType, type AuditEntrySchema } from '../../gen/laurel/admin/v1/audit_entry_pb.ts';
import { propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import { auditEntryTable } from './audit-entry.entity.ts';

/** The columns of an {@link AuditRow}. */
export const AUDIT_ENTRY = propertiesOf(auditEntryTable, [
  'id',
  'createdAt',
  'actorType',
  'actorId',
  'actorName',
  'operation',
  'resourceType',
  'resourceId',
  'note',
  'before',
  'after',
]);

/** A stored entry. */
export type AuditRow = RowOf<typeof AUDIT_ENTRY>;

/** The API message of an entry. */
export function toAuditEntryMessage(entry: AuditRow): MessageInitShape<typeof AuditEntrySchema> {
  return {
    id: entry.id,
    createdAt: timestampFromDate(entry.createdAt),
    actorType: AuditEntry_ActorType[entry.actorType],
    actorId: entry.actorId ?? undefined,
    actorName: entry.actorName,
    operation: entry.operation,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId ?? undefined,
    note: entry.note ?? undefined,
    before: entry.before ?? undefined,
    after: entry.after ?? undefined,
  };
}

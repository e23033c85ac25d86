import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AuditAdminService } from '../../gen/laurel/admin/v1/audit_admin_service_pb.ts';
import type { Database } from '../persistence/database.ts';
import { listAuditEntries } from './list-audit-entries.ts';

/** What administrators changed. @param principalOf handed in, because principals are of a module that records changes itself */
export function auditAdminService(db: Database, principalOf: (context: HandlerContext) => { clientId: string }) {
  return {
    listAuditEntries: (request, context) => listAuditEntries(db, principalOf(context).clientId, request),
  } satisfies ServiceImpl<typeof AuditAdminService>;
}

import { exportAuditLog } from './chain/export-audit-log.ts';
import { listAuditEntries } from './list-audit-entries.ts';

/**
 * The operations on the audit log. The registration of the service checks the types against the proto, because this module is below
 * `Handlers`.
 */
export const auditAdminService = { listAuditEntries, exportAuditLog };

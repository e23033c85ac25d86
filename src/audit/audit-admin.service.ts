import { exportAuditLog } from './chain/export-audit-log.ts';
import { listAuditEntries } from './list-audit-entries.ts';

/**
 * The operations on the audit log. The types are checked against the proto where the service is registered, because
 * this module is below `Handlers`.
 */
export const auditAdminService = { listAuditEntries, exportAuditLog };

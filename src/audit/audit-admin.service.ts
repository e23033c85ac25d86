import { exportAuditLog } from './chain/export-audit-log.ts';
import { listAuditEntries } from './list-audit-entries.ts';

/** What administrators changed. Where it is served its types are held against the proto: this module is below `Handlers`. */
export const auditAdminService = { listAuditEntries, exportAuditLog };

import type { ExportAuditLogRequest } from '../../../gen/laurel/admin/v1/audit_admin_service_pb.ts';
import type { AuditCall } from '../audit-call.ts';
import { exportChain } from './chain.queries.ts';

/** The default number of entries. */
const LIMIT = 1_000;

/** Lines per piece of an answer. */
const PIECE = 100;

/** Returns the audit log with its chain, as lines of JSON: proto AuditAdminService.ExportAuditLog. */
export async function* exportAuditLog(
  { db, principal: { clientId } }: AuditCall,
  { after = 0n, limit = LIMIT }: ExportAuditLogRequest,
): AsyncIterable<{ data: Uint8Array }> {
  let lines: string[] = [];
  for await (const line of exportChain(db, clientId, { after: Number(after), limit })) {
    lines.push(`${JSON.stringify(line)}\n`);
    if (lines.length < PIECE) continue;
    yield { data: Buffer.from(lines.join('')) };
    lines = [];
  }
  yield { data: Buffer.from(lines.join('')) };
}

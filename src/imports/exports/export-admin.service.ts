import type { ServiceImpl } from '@connectrpc/connect';
import type { ExportAdminService } from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import type { Database } from '../../persistence/database.ts';
import { exportAccounts } from './export-accounts.ts';
import { exportProductCodes } from './export-product-codes.ts';
import { exportRedemptions } from './export-redemptions.ts';

/** What one client owns, as CSV. */
export function exportAdminService(db: Database) {
  return {
    exportAccounts: (request, context) => exportAccounts(db, principalOf(context), request),
    exportProductCodes: (request, context) => exportProductCodes(db, principalOf(context), request),
    exportRedemptions: (_request, context) => exportRedemptions(db, principalOf(context)),
  } satisfies ServiceImpl<typeof ExportAdminService>;
}

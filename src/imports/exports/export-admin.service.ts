import type { ExportAdminService } from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { exportAccounts } from './export-accounts.ts';
import { exportProductCodes } from './export-product-codes.ts';
import { exportRedemptions } from './export-redemptions.ts';

/** What one client owns, as CSV. */
export const exportAdminService = {
  exportAccounts,
  exportProductCodes,
  exportRedemptions,
} satisfies Handlers<typeof ExportAdminService>;

import type { ExportAdminService } from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import type { AccountPart } from '../../persistence/subjects/account-part.ts';
import { exportAccount } from './export-account.ts';
import { exportAccounts } from './export-accounts.ts';
import { exportJournal } from './export-journal.ts';
import { exportProductCodes } from './export-product-codes.ts';
import { exportRedemptions } from './export-redemptions.ts';

/** Exports of a client's data as CSV, and of one account's data as JSON, from the `parts` of all modules. */
export function exportAdminService(parts: readonly AccountPart[], catalogs: Catalogs) {
  return {
    exportAccounts,
    exportProductCodes,
    exportRedemptions,
    exportAccount: (call, request) => exportAccount(call, request, parts),
    exportJournal: (call, request) => exportJournal(call, request, catalogs),
  } satisfies Handlers<typeof ExportAdminService>;
}

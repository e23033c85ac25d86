import { ExportAdminService } from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { RedemptionSchema } from '../../../gen/laurel/v1/redemption_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import type { RecordedRedemption } from '../../redemptions/redemption.ts';
import { redemptionsAfter } from '../../redemptions/redemptions.queries.ts';
import type { CellValue } from '../files/csv/csv-text.ts';
import { exportedPages, PAGE } from './exported-pages.ts';

/** Gives the redemptions as CSV, and enters into the audit log who asked for them and their codes: proto ExportAdminService.ExportRedemptions. */
export function exportRedemptions({ db, principal }: Call): AsyncIterable<{ data: Uint8Array }> {
  return exportedPages<RecordedRedemption>(db, principal.clientId, {
    columns: [
      ...['id', 'accountId', 'productId', 'productName', 'source', 'quantity', 'pointsSpent', 'status', 'codes'],
      'createdAt',
    ],
    async pageAfter(uow, last) {
      if (last === undefined) {
        const operation = ExportAdminService.method.exportRedemptions;
        // Nothing changes; the entry says that the codes of all redemptions left, whole.
        await recordChange(uow, principal, { operation, schema: RedemptionSchema });
      }
      const rows = await redemptionsAfter(uow, last?.id ?? NIL_UUID, PAGE);
      return { rows, cells: rows.map(cellsOf) };
    },
  });
}

function cellsOf(each: RecordedRedemption): CellValue[] {
  return [
    ...[each.id, each.accountId, each.product.id, each.product.name, each.source, each.quantity],
    ...[amountToNumber(each.pointsSpent), each.status, each.redeemables.map(({ code }) => code).join(' ')],
    each.createdAt,
  ];
}

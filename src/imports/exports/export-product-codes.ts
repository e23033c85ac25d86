import type { ExportProductCodesRequest } from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { requireProduct } from '../../rewards/products/products.queries.ts';
import { codesAfter, type ListedCode } from '../../rewards/products/stock.queries.ts';
import { exportedPages, PAGE } from './exported-pages.ts';

/** Gives the codes of a product as CSV: proto ExportAdminService.ExportProductCodes. */
export function exportProductCodes(
  { db, principal: { clientId } }: Call,
  { productId }: ExportProductCodesRequest,
): AsyncIterable<{ data: Uint8Array }> {
  return exportedPages<ListedCode>(db, clientId, {
    columns: ['code', 'item', 'redemptionId', 'redeemedAt', 'createdAt'],
    async pageAfter(uow, last) {
      if (last === undefined) await requireProduct(uow, productId);
      const rows = await codesAfter(uow, productId, last?.code ?? '', PAGE);
      const cells = rows.map((row) => [row.code, row.itemName, row.redemptionId, row.redeemedAt, row.createdAt]);
      return { rows, cells };
    },
  });
}

import {
  ExportAdminService,
  type ExportProductCodesRequest,
} from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { ProductSchema } from '../../../gen/laurel/admin/v1/product_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { requireProduct } from '../../rewards/products/products.queries.ts';
import { codesAfter, type ListedCode } from '../../rewards/products/stock.queries.ts';
import { exportedPages, PAGE } from './exported-pages.ts';

/** Gives the codes of a product as CSV, and enters into the audit log who asked for them: proto ExportAdminService.ExportProductCodes. */
export function exportProductCodes(
  { db, principal }: Call,
  { productId }: ExportProductCodesRequest,
): AsyncIterable<{ data: Uint8Array }> {
  return exportedPages<ListedCode>(db, principal.clientId, {
    columns: ['code', 'item', 'redemptionId', 'redeemedAt', 'createdAt'],
    async pageAfter(uow, last) {
      if (last === undefined) {
        const { id } = await requireProduct(uow, productId);
        const operation = ExportAdminService.method.exportProductCodes;
        // Nothing changes; the entry says of which product all codes left, whole.
        await recordChange(uow, principal, { operation, schema: ProductSchema, id });
      }
      const rows = await codesAfter(uow, productId, last?.code ?? '', PAGE);
      const cells = rows.map((row) => [row.code, row.itemName, row.redemptionId, row.redeemedAt, row.createdAt]);
      return { rows, cells };
    },
  });
}

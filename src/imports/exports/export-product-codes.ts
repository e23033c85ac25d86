import {
  ExportAdminService,
  type ExportProductCodesRequest,
} from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { ProductSchema } from '../../../gen/laurel/admin/v1/product_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { itemsOf, requireProduct } from '../../rewards/products/products.queries.ts';
import { codesOfList } from '../../rewards/products/codes/list-product-codes.ts';
import type { CodeRow } from '../../rewards/products/codes/product-code-message.ts';
import type { WholeListPosition } from '../../persistence/lists/list-page.ts';
import type { CellValue } from '../files/csv/csv-text.ts';
import { exportedPages, PAGE } from './exported-pages.ts';

/** Returns the codes of a product as CSV, and records the export in the audit log: proto ExportAdminService.ExportProductCodes. */
export function exportProductCodes(
  { db, principal }: Call,
  { productId, ...asked }: ExportProductCodesRequest,
): AsyncIterable<{ data: Uint8Array }> {
  return exportedPages<Listed>(db, principal.clientId, {
    columns: ['code', 'item', 'redemptionId', 'redeemedAt', 'createdAt'],
    async pageAfter(uow, last) {
      if (last === undefined) {
        const { id } = await requireProduct(uow, productId);
        const operation = ExportAdminService.method.exportProductCodes;
        // The data does not change; the entry names the product whose codes were exported whole.
        await recordChange(uow, principal, { operation, schema: ProductSchema, id });
      }
      const { rows, next } = await codesOfList(uow, { ...asked, productId, limit: PAGE, after: last?.next });
      const items = (await itemsOf(uow, [productId])).get(productId) ?? [];
      const names = new Map(items.map(({ id, name }) => [id, name]));
      return { rows: rows.map((row) => ({ row, next })), cells: rows.map((row) => cellsOf(row, names)) };
    },
  });
}

/** A code, with the cursor after its page. */
type Listed = { readonly row: CodeRow; readonly next: WholeListPosition | undefined };

function cellsOf(row: CodeRow, names: ReadonlyMap<string, string>): CellValue[] {
  return [row.code, names.get(row.item_id) ?? null, row.redemption_id, row.redeemed_at, row.created_at];
}

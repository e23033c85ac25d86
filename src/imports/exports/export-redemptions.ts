import {
  ExportAdminService,
  type ExportRedemptionsRequest,
} from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { ProductSchema } from '../../../gen/laurel/admin/v1/product_pb.ts';
import { RedemptionSchema } from '../../../gen/laurel/v1/redemption_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import type { WholeListPosition } from '../../persistence/lists/list-page.ts';
import type { RecordedRedemption } from '../../redemptions/redemption.ts';
import { redemptionsOfList } from '../../redemptions/redemptions.queries.ts';
import type { CellValue } from '../files/csv/csv-text.ts';
import { requireProduct } from '../../rewards/products/products.queries.ts';
import { exportedPages, PAGE } from './exported-pages.ts';

/** Returns the redemptions with their codes as CSV, and records the export in the audit log: proto ExportAdminService.ExportRedemptions. */
export function exportRedemptions(
  { db, principal }: Call,
  { productId, ...asked }: ExportRedemptionsRequest,
): AsyncIterable<{ data: Uint8Array }> {
  return exportedPages<Listed>(db, principal.clientId, {
    columns: [
      'id',
      'accountId',
      'productId',
      'productName',
      'source',
      'quantity',
      'pointsSpent',
      'status',
      'codes',
      'createdAt',
    ],
    async pageAfter(uow, last) {
      if (last === undefined) {
        if (productId !== undefined) await requireProduct(uow, productId);
        const operation = ExportAdminService.method.exportRedemptions;
        // The data does not change; the entry records that the codes of these redemptions were exported whole.
        await (productId === undefined
          ? recordChange(uow, principal, { operation, schema: RedemptionSchema })
          : recordChange(uow, principal, { operation, schema: ProductSchema, id: productId }));
      }
      const only = productId === undefined ? undefined : { product_id: productId };
      const { redemptions, next } = await redemptionsOfList(uow, { ...asked, only, limit: PAGE, after: last?.next });
      return { rows: redemptions.map((redemption) => ({ redemption, next })), cells: redemptions.map(cellsOf) };
    },
  });
}

/** A redemption, with the cursor after its page. */
type Listed = { readonly redemption: RecordedRedemption; readonly next: WholeListPosition | undefined };

function cellsOf(each: RecordedRedemption): CellValue[] {
  return [
    each.id,
    each.accountId,
    each.product.id,
    each.product.name,
    each.source,
    each.quantity,
    amountToNumber(each.pointsSpent),
    each.status,
    each.redeemables.map(({ code }) => code).join(' '),
    each.createdAt,
  ];
}

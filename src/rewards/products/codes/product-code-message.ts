import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ProductCode_Status, type ProductCodeSchema } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { maskedCode } from '../../../kernel/secrets/masked-code.ts';
import { columnsOf, type RowOf } from '../../../persistence/columns-of.ts';
import { productCodeTable } from './product-code.entity.ts';

/** The columns of a code to show. */
export const CODE_COLUMNS = columnsOf(productCodeTable, [
  'id',
  'code',
  'itemId',
  'redemptionId',
  'redeemedAt',
  'createdAt',
]);

/** A stored code. */
export type CodeRow = RowOf<typeof CODE_COLUMNS>;

/** A code as the API shows it: masked. `accountId` is the account that has the code, if any. */
export function toCodeMessage(row: CodeRow, accountId: string | undefined): MessageInitShape<typeof ProductCodeSchema> {
  const { redemption_id: redemptionId, redeemed_at: redeemedAt } = row;
  return {
    id: row.id,
    maskedCode: maskedCode(row.code, row.id),
    itemId: row.item_id,
    status: ProductCode_Status[redemptionId === null ? 'UNUSED' : 'REDEEMED'],
    accountId,
    redemptionId: redemptionId ?? undefined,
    redeemedAt: redeemedAt === null ? undefined : timestampFromDate(redeemedAt),
    createdAt: timestampFromDate(row.created_at),
  };
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  ListProductCodesRequest,
  ListProductCodesResponseSchema,
} from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { ProductCode_Status, type ProductCodeSchema } from '../../../gen/laurel/admin/v1/product_pb.ts';
import type { Call } from '../../clients/call.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { redemptionsById } from '../../redemptions/redemptions.queries.ts';
import { maskedCode } from './masked-code.ts';
import { productCodeTable } from './product-code.entity.ts';
import { requireProduct } from './products.queries.ts';

/** Lists the codes of one product by page, masked: proto ProductAdminService.ListProductCodes. */
export function listProductCodes(
  { db, principal }: Call,
  { productId, code, ...request }: ListProductCodesRequest,
): Promise<MessageInitShape<typeof ListProductCodesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { id } = await requireProduct(uow, productId);
    const page = await codePage(uow, { ...request, only: { product_id: id, ...(code !== undefined && { code }) } });
    const redemptions = await redemptionsById(
      uow,
      page.rows.flatMap(({ redemption_id: taken }) => taken ?? []),
    );
    return {
      ...page,
      rows: page.rows.map((row) => toCodeMessage(row, redemptions.get(row.redemption_id ?? '')?.accountId)),
    };
  });
}

const COLUMNS = columnsOf(productCodeTable, ['id', 'code', 'itemId', 'redemptionId', 'redeemedAt', 'createdAt']);

type CodeRow = RowOf<typeof COLUMNS>;

const codePage = pagedList<CodeRow>({
  from: 'product_code',
  columns: COLUMNS,
  // The order in which free ones are taken.
  orderBy: ['id'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    itemId: { kind: 'uuid', column: 'item_id' },
    status: {
      kind: 'enum',
      values: ['UNUSED', 'REDEEMED'],
      column: `(case when redemption_id is null then 'UNUSED' else 'REDEEMED' end)`,
    },
    redemptionId: { kind: 'uuid', column: 'redemption_id' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
});

function toCodeMessage(row: CodeRow, accountId: string | undefined): MessageInitShape<typeof ProductCodeSchema> {
  const { redemption_id: redemptionId, redeemed_at: redeemedAt } = row;
  return {
    id: row.id,
    maskedCode: maskedCode(row.code),
    itemId: row.item_id,
    status: ProductCode_Status[redemptionId === null ? 'UNUSED' : 'REDEEMED'],
    accountId,
    redemptionId: redemptionId ?? undefined,
    redeemedAt: redeemedAt === null ? undefined : timestampFromDate(redeemedAt),
    createdAt: timestampFromDate(row.created_at),
  };
}

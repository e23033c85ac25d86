import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListProductCodesRequest,
  ListProductCodesResponseSchema,
} from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import type { Call } from '../../../clients/call.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import { type PagedList, pagedList, wholeList } from '../../../persistence/lists/list-page.ts';
import { redemptionsById } from '../../../redemptions/redemptions.queries.ts';
import { CODE_COLUMNS, type CodeRow, toCodeMessage } from './product-code-message.ts';
import { requireProduct } from '../products.queries.ts';

/** Lists the codes of one product by page, masked: proto ProductAdminService.ListProductCodes. */
export function listProductCodes(
  { db, principal }: Call,
  { productId, code, ...request }: ListProductCodesRequest,
): Promise<MessageInitShape<typeof ListProductCodesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { id } = await requireProduct(uow, productId);
    const page = await codePage(uow, { ...request, only: onlyOf({ productId: id, code }) });
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

const CODES: PagedList = {
  from: 'product_code',
  columns: CODE_COLUMNS,
  // The order in which free codes are taken.
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
  orderable: { createdAt: { column: 'id' } },
  searched: { ids: ['id', 'redemption_id'] },
};

const codePage = pagedList<CodeRow>(CODES);
const allCodes = wholeList<CodeRow>({ ...CODES, orderBy: ['code'] });

/**
 * The codes of {@link listProductCodes} unmasked, ordered by code by default: a bounded number for each call, continuing after the last
 * one.
 * @throws DomainError `BAD_REQUEST`, `InvalidFilter`, like that list
 */
export function codesOfList(
  uow: UnitOfWork,
  { productId, code, ...asked }: Omit<Parameters<typeof allCodes>[1], 'only'> & CodesOf,
): ReturnType<typeof allCodes> {
  return allCodes(uow, { ...asked, only: onlyOf({ productId, code }) });
}

/** The selection of codes: those of a product, or the one that equals `code`. */
type CodesOf = { readonly productId: string; readonly code?: string | undefined };

function onlyOf({ productId, code }: CodesOf): Record<string, string> {
  return { product_id: productId, ...(code !== undefined && { code }) };
}

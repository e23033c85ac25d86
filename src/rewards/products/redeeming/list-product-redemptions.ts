import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListProductRedemptionsRequest,
  ListProductRedemptionsResponseSchema,
} from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { selectAccounts } from '../../../accounts/accounts.queries.ts';
import type { Call } from '../../../clients/call.ts';
import { maskedCode } from '../../../kernel/secrets/masked-code.ts';
import { toRedemptionMessage } from '../../../redemptions/redemption-message.ts';
import { productRedemptionPage, redemptionsById } from '../../../redemptions/redemptions.queries.ts';
import { requireProduct } from '../products.queries.ts';

/** Lists the redemptions of a product by page, latest first: proto ProductAdminService.ListProductRedemptions. */
export function listProductRedemptions(
  { db, principal }: Call,
  { productId, ...request }: ListProductRedemptionsRequest,
): Promise<MessageInitShape<typeof ListProductRedemptionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const product = await requireProduct(uow, productId);
    const page = await productRedemptionPage(uow, { ...request, only: { product_id: product.id } });
    const ids = page.rows.map(({ id }) => id);
    const redemptions = await redemptionsById(uow, ids);
    const accountIds = [...new Set([...redemptions.values()].map(({ accountId }) => accountId))];
    const accounts = await selectAccounts(uow, { ids: accountIds, externalIds: [] });
    const emails = new Map(accounts.map((account) => [account.id, account.email]));
    return {
      ...page,
      rows: ids.map((id) => {
        const redemption = redemptions.get(id)!;
        const redeemables = redemption.redeemables.map((unit) => ({ ...unit, code: maskedCode(unit.code, unit.id) }));
        return toRedemptionMessage({ ...redemption, redeemables }, emails.get(redemption.accountId));
      }),
    };
  });
}

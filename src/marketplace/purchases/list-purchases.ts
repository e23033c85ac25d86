import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListPurchasesRequest,
  ListPurchasesResponseSchema,
} from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import type { Call } from '../../clients/call.ts';
import { maskedCode } from '../../kernel/secrets/masked-code.ts';
import { toRedemptionMessage } from '../../redemptions/redemption-message.ts';
import { purchasePage, redemptionsById } from '../../redemptions/redemptions.queries.ts';

/** Lists purchases of publications by page, latest first: proto PublicationAdminService.ListPurchases. */
export function listPurchases(
  { db, principal }: Call,
  request: ListPurchasesRequest,
): Promise<MessageInitShape<typeof ListPurchasesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await purchasePage(uow, request);
    const redemptions = await redemptionsById(
      uow,
      page.rows.map(({ id }) => id),
    );
    const accountIds = [...new Set([...redemptions.values()].map(({ accountId }) => accountId))];
    const accounts = await selectAccounts(uow, { ids: accountIds, externalIds: [] });
    const emails = new Map(accounts.map((account) => [account.id, account.email]));
    return {
      ...page,
      rows: page.rows.map(({ id }) => {
        const purchase = redemptions.get(id)!;
        const redeemables = purchase.redeemables.map((unit) => ({ ...unit, code: maskedCode(unit.code, unit.id) }));
        const redemption = toRedemptionMessage({ ...purchase, redeemables }, emails.get(purchase.accountId));
        return { publicationId: purchase.sourceId, redemption };
      }),
    };
  });
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRedemptionsRequest,
  ListRedemptionsResponseSchema,
} from '../../gen/laurel/v1/redemption_service_pb.ts';
import { findAccountToRead } from '../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../clients/call.ts';
import { toRedemptionMessage } from './redemption-message.ts';
import { redemptionsOfAccount } from './redemptions.queries.ts';

/** Lists an account's redemptions, latest first: proto RedemptionService.ListRedemptions. */
export function listRedemptions(
  { db, principal }: Call,
  { accountId, idType }: ListRedemptionsRequest,
): Promise<MessageInitShape<typeof ListRedemptionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, { accountId, idType });
    if (account === undefined) return { redemptions: [] };
    const redemptions = await redemptionsOfAccount(uow, account.id);
    return { redemptions: redemptions.map((redemption) => toRedemptionMessage(redemption, account.email)) };
  });
}

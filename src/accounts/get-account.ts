import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetAccountRequest, GetAccountResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { toAccountMessage } from './account.ts';
import { requireAccount } from './resolving/resolve-accounts.ts';

/** Returns one account: proto AccountService.GetAccount. */
export function getAccount(
  { db, principal }: Call,
  request: GetAccountRequest,
): Promise<MessageInitShape<typeof GetAccountResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    account: toAccountMessage(await requireAccount(uow, request)),
  }));
}

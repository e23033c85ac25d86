import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetAccountRequest, GetAccountResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Principal } from '../clients/principal.ts';
import type { Database } from '../persistence/database.ts';
import { toAccountMessage } from './account.ts';
import { requireAccount } from './resolve-accounts.ts';

/** Gives one account: proto AccountService.GetAccount. */
export function getAccount(
  db: Database,
  principal: Principal,
  request: GetAccountRequest,
): Promise<MessageInitShape<typeof GetAccountResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    account: toAccountMessage(await requireAccount(uow, request)),
  }));
}

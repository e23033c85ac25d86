import type { MessageInitShape } from '@bufbuild/protobuf';
import type { DeleteAccountRequest, DeleteAccountResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Principal } from '../clients/principal.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import { markDeleted } from './accounts.queries.ts';
import { requireAccount } from './resolve-accounts.ts';

/** Removes an account, logically: proto AccountService.DeleteAccount. */
export function deleteAccount(
  db: Database,
  principal: Principal,
  request: DeleteAccountRequest,
  clock: Clock,
): Promise<MessageInitShape<typeof DeleteAccountResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await requireAccount(uow, request, 'removal');
    await markDeleted(uow, account.id, clock());
    return {};
  });
}

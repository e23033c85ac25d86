import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EraseAccountRequest, EraseAccountResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../clients/call.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { accountNotFound, parseAccountRef } from './account-ref.ts';
import { eraseRow } from './accounts.queries.ts';
import type { AccountReleaser } from './delete-account.ts';
import { requireAccount } from './resolve-accounts.ts';

/** Removes, in the same transaction, what another module keeps about the person behind an account. A repeat must be safe. */
export type PersonalDataEraser = (uow: UnitOfWork, accountId: string) => Promise<void>;

type EraseOptions = {
  readonly erasers: readonly PersonalDataEraser[];
  readonly releasers: readonly AccountReleaser[];
};

/** Removes an account and what tells whose it was: proto AccountService.EraseAccount. */
export function eraseAccount(
  { db, principal, clock }: Call,
  request: EraseAccountRequest,
  { erasers, releasers }: EraseOptions,
): Promise<MessageInitShape<typeof EraseAccountResponseSchema>> {
  const key = parseAccountRef(request);
  return db.unitOfWork(principal.clientId, async (uow) => {
    // An internal id also reaches an account that was deleted: its data is still there, and may have to go.
    const id = 'id' in key ? key.id : (await requireAccount(uow, request, 'removal')).id;
    const now = clock();
    if (!(await eraseRow(uow, id, now))) throw accountNotFound(key);
    for (const erase of erasers) await erase(uow, id);
    for (const release of releasers) await release(uow, id, now);
    return {};
  });
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type { DeleteAccountRequest, DeleteAccountResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../clients/call.ts';
import type { Clock } from '../kernel/time/clock.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { AccountRef } from './resolving/account-ref.ts';
import { deleteAliases } from './resolving/aliases.queries.ts';
import { lockAccount } from './lock-account.ts';

/**
 * Releases, in the same transaction, the things that another module holds for an account that is being removed at `now`. The account is
 * locked for removal, so the module can hold no more for it meanwhile. A repeat must be safe.
 */
export type AccountReleaser = (uow: UnitOfWork, accountId: string, now: Date) => Promise<unknown>;

/** Removes an account, logically: proto AccountService.DeleteAccount. */
export function deleteAccount(
  { db, principal, clock }: Call,
  request: DeleteAccountRequest,
  releasers: readonly AccountReleaser[],
): Promise<MessageInitShape<typeof DeleteAccountResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    await deleteLockedAccount(uow, request, releasers, clock);
    return {};
  });
}

/**
 * Removes an account logically, in the caller's transaction. Returns its internal id.
 * @throws DomainError `BAD_REQUEST`, `ACCOUNT_NOT_FOUND`
 */
export async function deleteLockedAccount(
  uow: UnitOfWork,
  ref: AccountRef,
  releasers: readonly AccountReleaser[],
  clock: Clock,
): Promise<string> {
  const account = await lockAccount(uow, ref, 'removal');
  const now = clock();
  uow.em.assign(account, { deletedAt: now, tokensValidFrom: now, updatedAt: now });
  // The flush comes before the releasers, because their SQL sees only flushed changes.
  await uow.em.flush();
  await deleteAliases(uow, account.id, now);
  for (const release of releasers) await release(uow, account.id, now);
  return account.id;
}

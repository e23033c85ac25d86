import type { UnitOfWork } from '../../persistence/database.ts';
import type { Subject } from '../../persistence/subjects/account-part.ts';
import { accountNotFound, type AccountRef, parseAccountRef } from './account-ref.ts';
import { storedIdsOf } from '../accounts.queries.ts';
import { requireAccount } from './resolve-accounts.ts';

/**
 * The account of an export or an erasure, without a lock. An internal id also finds a deleted account, because its data still exists.
 * @throws DomainError 400 for a malformed ref, 404 `ACCOUNT_NOT_FOUND`
 */
export async function subjectOf(uow: UnitOfWork, ref: AccountRef): Promise<Subject> {
  const key = parseAccountRef(ref);
  if ('externalId' in key) {
    const { id, externalId } = await requireAccount(uow, ref);
    return { accountId: id, externalId };
  }
  const stored = await storedIdsOf(uow, key.id);
  const accountId = stored?.mergedInto ?? key.id;
  const row = accountId === key.id ? stored : await storedIdsOf(uow, accountId);
  if (row === undefined) throw accountNotFound(key);
  // Another account may have the external id of a deleted account now.
  return { accountId, externalId: row.isDeleted ? undefined : (row.externalId ?? undefined) };
}

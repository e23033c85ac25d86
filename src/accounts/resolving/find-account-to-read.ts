import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { AccountRef } from './account-ref.ts';
import type { Account } from '../account.ts';
import { findAccount, requireAccount } from './resolve-accounts.ts';

/**
 * The account of a read, which creates no accounts. Undefined for an unknown external id: it has no records, so the read answers with an
 * empty result.
 * @throws DomainError 400 for a malformed ref, 404 `ACCOUNT_NOT_FOUND` for an unknown internal id
 */
export function findAccountToRead(uow: UnitOfWork, ref: AccountRef): Promise<Account | undefined> {
  return ref.idType === Account_IdType.EXTERNAL ? findAccount(uow, ref) : requireAccount(uow, ref);
}

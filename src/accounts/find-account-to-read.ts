import { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { AccountRef } from './account-ref.ts';
import type { Account } from './account.ts';
import { findAccount, requireAccount } from './resolve-accounts.ts';

/**
 * The account of a read that never creates one. Undefined for an unknown external id: nothing has been recorded for it,
 * so the read answers with nothing.
 * @throws DomainError 400 for a malformed ref, 404 `ACCOUNT_NOT_FOUND` for an unknown internal id
 */
export function findAccountToRead(uow: UnitOfWork, ref: AccountRef): Promise<Account | undefined> {
  return ref.idType === Account_IdType.EXTERNAL ? findAccount(uow, ref) : requireAccount(uow, ref);
}

import type { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import { findAccountToRead } from '../accounts/resolving/find-account-to-read.ts';
import type { Amount } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { settledBalance } from './settled-balance.ts';

/** The account of a list request; optional. */
export type Buyer = { readonly accountId?: string | undefined; readonly idType: Account_IdType };

/**
 * The points that an account can spend at `now`; 0 for an unknown external id, undefined without an account.
 * @throws DomainError 400 for a malformed id, 404 `ACCOUNT_NOT_FOUND` for an unknown internal one
 */
export async function availablePoints(
  uow: UnitOfWork,
  { accountId, idType }: Buyer,
  now: Date,
): Promise<Amount | undefined> {
  if (accountId === undefined) return undefined;
  const account = await findAccountToRead(uow, { accountId, idType });
  return account === undefined ? 0n : (await settledBalance(uow, account.id, now)).available;
}

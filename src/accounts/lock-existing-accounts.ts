import { DomainError } from '../kernel/errors/domain-error.ts';
import { isLockTimeout } from '../persistence/connections/failures.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { AccountKeys } from './resolving/account-ref.ts';
import type { Account } from './account.ts';
import { selectAccounts } from './accounts.queries.ts';

/** Existing accounts: `free` ones are locked by this transaction, `held` ones by another. */
export type LockedAccounts = { readonly free: readonly Account[]; readonly held: readonly Account[] };

/**
 * Locks the existing accounts, after a savepoint `before_accounts`.
 * @param lockWaitMs milliseconds of waiting for accounts that another transaction has locked; undefined means the timeout of a statement
 */
export async function lockExistingAccounts(
  uow: UnitOfWork,
  keys: AccountKeys,
  lockWaitMs: number | undefined,
): Promise<LockedAccounts> {
  const lock = lockWaitMs === undefined ? 'change' : 'free';
  if (uow.isShared) return { free: await selectAccounts(uow, keys, 'change'), held: [] };
  const [, free] = await Promise.all([uow.query('savepoint before_accounts'), selectAccounts(uow, keys, lock)]);
  const isComplete = free.length === keys.ids.length + keys.externalIds.length;
  if (lockWaitMs === undefined || isComplete) return { free, held: [] };
  // Locks are taken in one order, so that two transactions never deadlock. So locking begins again from the start.
  await uow.query('rollback to savepoint before_accounts');
  return lockInTime(uow, keys, lockWaitMs);
}

/** Locks the accounts that no other transaction holds for longer than `lockWaitMs`. */
async function lockInTime(uow: UnitOfWork, keys: AccountKeys, lockWaitMs: number): Promise<LockedAccounts> {
  const limited = setLockTimeout(uow, lockWaitMs);
  const selected = selectAccounts(uow, keys, 'change');
  // The results are in the order of the statements. After a failed statement the later ones fail with a less useful error.
  const outcomes = await Promise.allSettled([limited, selected, setLockTimeout(uow, 0)]);
  try {
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    return { free: await selected, held: [] };
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    // The rollback also undoes the setting.
    await uow.query('rollback to savepoint before_accounts');
    const [free, all] = await Promise.all([selectAccounts(uow, keys, 'free'), selectAccounts(uow, keys)]);
    const ids = new Set(free.map(({ id }) => id));
    return { free, held: all.filter(({ id }) => !ids.has(id)) };
  }
}

/** Milliseconds for one lock, for the rest of the transaction; 0 for no limit. */
function setLockTimeout(uow: UnitOfWork, ms: number): Promise<unknown> {
  return uow.set({ lock_timeout: ms });
}

/** The 409 of a caller whose account another transaction has locked for too long. */
export function accountLocked(): DomainError {
  return new DomainError('DATABASE_BUSY', 'Something else is changing the account. Repeat the call later.', {
    kind: 'IN_PROGRESS',
  });
}

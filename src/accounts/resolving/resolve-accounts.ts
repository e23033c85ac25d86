import { DomainError } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { NeedsOwnTransaction } from '../../persistence/connections/failures.ts';
import { type AccountIndex, indexAccounts, parseRefs } from '../account-index.ts';
import {
  type AccountKey,
  type AccountKeys,
  accountNotFound,
  type AccountRef,
  keysOf,
  parseAccountRef,
} from './account-ref.ts';
import type { Account } from '../account.ts';
import { accountLocked, lockExistingAccounts } from '../lock-existing-accounts.ts';
import {
  type AccountLock,
  insertAccounts,
  insertUnknownAccounts,
  selectAccount,
  selectAccounts,
  type WantedAccount,
} from '../accounts.queries.ts';

/**
 * The accounts of a batch of events, locked until the transaction ends; unknown external accounts are created. It runs one statement if all
 * accounts exist, otherwise two, for any number of refs. It returns one result per ref, in order. A faulty ref gets its own error (400
 * malformed, 404 unknown internal id) and does not fail the others.
 * @param options.lockWaitMs milliseconds of waiting for an account that another transaction has locked; then its refs get an error of the
 * kind `IN_PROGRESS`. By default the timeout of a statement
 */
export async function resolveAccounts(
  uow: UnitOfWork,
  refs: readonly AccountRef[],
  { now, lockWaitMs }: { readonly now: Date; readonly lockWaitMs?: number | undefined },
): Promise<Array<Account | DomainError>> {
  const { keys, wanted } = parseRefs(refs);
  const { free, held } = await lockOrCreate(uow, wanted, now, lockWaitMs);
  return keys.map((key) => {
    if (key instanceof DomainError) return key;
    return free.find(key) ?? (held.find(key) ? accountLocked() : accountNotFound(key));
  });
}

/** Accounts: `free` ones are locked by this transaction, `held` ones by another. */
type Locked = { readonly free: AccountIndex; readonly held: AccountIndex };

/**
 * Existing rows are locked first, by id; then unknown accounts are created, by external id. If another transaction has created one of them
 * meanwhile, a lock on it would break that order, and two batches could deadlock. So all locks are released and taken again from the start.
 */
async function lockOrCreate(
  uow: UnitOfWork,
  keys: AccountKeys,
  now: Date,
  lockWaitMs: number | undefined,
): Promise<Locked> {
  for (;;) {
    const locked = await lockExistingAccounts(uow, keys, lockWaitMs);
    const [free, held] = [indexAccounts(locked.free), indexAccounts(locked.held)];
    const isKnown = (externalId: string) => free.byExternalId.has(externalId) || held.byExternalId.has(externalId);
    const missing = keys.externalIds.filter((externalId) => !isKnown(externalId)).toSorted();
    if (missing.length === 0) return { free, held };
    const wanted = missing.map((externalId) => ({ id: newId(), externalId }));
    const created = await insertAccounts(uow, wanted, now);
    if (created.length === missing.length) return { free: indexAccounts([...locked.free, ...created]), held };
    if (uow.isShared) throw new NeedsOwnTransaction();
    await uow.query('rollback to savepoint before_accounts');
  }
}

/**
 * Creates the accounts of external ids without one, in one statement. Locks no existing accounts. Like everything that locks accounts, it
 * must run after the claim or storage of operation ids.
 * @param wanted may have an external id several times; the first moment counts
 */
export async function createUnknownAccounts(uow: UnitOfWork, wanted: readonly WantedAccount[]): Promise<void> {
  const first = new Map(wanted.toReversed().map((account) => [account.externalId, account]));
  if (first.size === 0) return;
  const sorted = [...first.keys()].toSorted();
  await insertUnknownAccounts(
    uow,
    sorted.map((externalId) => ({ ...first.get(externalId)!, id: newId() })),
  );
}

/**
 * One account, created if the ref is external and unknown. An existing account is locked only as `lock` says:
 * `presence` if the caller stores data that must not outlive the account.
 * @throws DomainError 400 malformed, 404 `ACCOUNT_NOT_FOUND` for an unknown internal id
 */
export async function findOrCreateAccount(
  uow: UnitOfWork,
  ref: AccountRef,
  { now, lock }: { readonly now: Date; readonly lock?: AccountLock },
): Promise<Account> {
  const key = parseAccountRef(ref);
  for (;;) {
    const found = await accountOfKey(uow, key, lock);
    if (found) return found;
    if ('id' in key) throw accountNotFound(key);
    const [created] = await insertAccounts(uow, [{ id: newId(), externalId: key.externalId }], now);
    if (created) return created;
    // Another transaction has created the account. It can be found now, unless it was deleted again.
  }
}

/**
 * One account, or undefined. Creates no account.
 * @throws DomainError 400 for a malformed ref
 */
export async function findAccount(uow: UnitOfWork, ref: AccountRef, lock?: AccountLock): Promise<Account | undefined> {
  return accountOfKey(uow, parseAccountRef(ref), lock);
}

/**
 * One account. Creates no account.
 * @throws DomainError 400 for a malformed ref, 404 `ACCOUNT_NOT_FOUND`
 */
export async function requireAccount(uow: UnitOfWork, ref: AccountRef, lock?: AccountLock): Promise<Account> {
  const key = parseAccountRef(ref);
  const account = await accountOfKey(uow, key, lock);
  if (account === undefined) throw accountNotFound(key);
  return account;
}

async function accountOfKey(uow: UnitOfWork, key: AccountKey, lock?: AccountLock): Promise<Account | undefined> {
  if (lock === undefined) return selectAccount(uow, key);
  const [account] = await selectAccounts(uow, keysOf(key), lock);
  return account;
}

/**
 * Locks accounts, by internal id, until the transaction ends. Returns the existing ones in the order of their ids. The default `change`
 * excludes every other change and removal.
 */
export function lockAccounts(
  uow: UnitOfWork,
  ids: readonly string[],
  lock: AccountLock = 'change',
): Promise<Account[]> {
  return selectAccounts(uow, { ids, externalIds: [] }, lock);
}

/**
 * A row of an account, read under the lock of the account; no account if it was deleted. The row may have become one of another account
 * during the wait for the lock, by a merge or its undo: then that account is locked.
 * @param read reads the row
 */
export async function lockOwner<Row extends { readonly accountId: string }>(
  uow: UnitOfWork,
  read: () => Promise<Row>,
): Promise<{ readonly row: Row; readonly account: Account | undefined }> {
  for (let { accountId } = await read(); ;) {
    const [account] = await lockAccounts(uow, [accountId]);
    const row = await read();
    if (row.accountId === accountId || row.accountId === account?.id) return { row, account };
    ({ accountId } = row);
  }
}

/** The accounts with these ids that are not deleted, by id, without locks. */
export async function accountsById(uow: UnitOfWork, ids: readonly string[]): Promise<Map<string, Account>> {
  const accounts = await selectAccounts(uow, { ids, externalIds: [] });
  return new Map(accounts.map((account) => [account.id, account]));
}

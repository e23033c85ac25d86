import { DomainError } from '../kernel/errors/domain-error.ts';
import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { NeedsOwnTransaction } from '../persistence/connections/failures.ts';
import { type AccountIndex, indexAccounts, parseRefs } from './account-index.ts';
import {
  type AccountKey,
  type AccountKeys,
  accountNotFound,
  type AccountRef,
  keysOf,
  parseAccountRef,
} from './account-ref.ts';
import type { Account } from './account.ts';
import { accountLocked, lockExistingAccounts } from './lock-existing-accounts.ts';
import {
  type AccountLock,
  insertAccounts,
  insertUnknownAccounts,
  selectAccount,
  selectAccounts,
  type WantedAccount,
} from './accounts.queries.ts';

/**
 * The accounts of a batch of events: finds all of them, creates the unknown external ones, and holds every row until the
 * transaction ends, so that nothing else changes these accounts meanwhile. One statement when all are known, two else,
 * however many refs there are. One result per ref, in order; a ref at fault gets its own error (400 malformed, 404 unknown
 * internal id) and does not fail its neighbours.
 * @param options.lockWaitMs milliseconds to wait for an account that another transaction holds; afterwards its refs get an error
 * of the kind `IN_PROGRESS`. By default as long as a statement may take
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

/** Accounts that this transaction holds, and those that another one does. */
type Locked = { readonly free: AccountIndex; readonly held: AccountIndex };

/**
 * Existing rows are locked first, in the order of their ids; then the unknown ones are created, in the order of their
 * external ids. Where another transaction has created some of those meanwhile, locking them now would break that order,
 * and two batches could wait for each other. So everything is let go, and all is locked again from the start.
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
 * Creates the accounts of external ids that have none: one statement, however many there are. Holds none that exists. To be
 * called after operation ids have been claimed or stored, as everything that locks accounts.
 * @param wanted may name an external id several times; the first moment counts
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
    // Another transaction was faster, and its account is there to be found, unless it was deleted again.
  }
}

/**
 * One account, or undefined. Never creates.
 * @throws DomainError 400 for a malformed ref
 */
export async function findAccount(uow: UnitOfWork, ref: AccountRef, lock?: AccountLock): Promise<Account | undefined> {
  return accountOfKey(uow, parseAccountRef(ref), lock);
}

/**
 * One account. Never creates.
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
 * Holds accounts, by internal id, until the transaction ends, and gives those that exist, in the order of their ids.
 * `change` by default: nothing else may change or remove them meanwhile.
 */
export function lockAccounts(
  uow: UnitOfWork,
  ids: readonly string[],
  lock: AccountLock = 'change',
): Promise<Account[]> {
  return selectAccounts(uow, { ids, externalIds: [] }, lock);
}

/** The accounts with these ids that are not deleted, by id; not held. */
export async function accountsById(uow: UnitOfWork, ids: readonly string[]): Promise<Map<string, Account>> {
  const accounts = await selectAccounts(uow, { ids, externalIds: [] });
  return new Map(accounts.map((account) => [account.id, account]));
}

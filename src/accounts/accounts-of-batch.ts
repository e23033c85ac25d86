import { DomainError, isGranted } from '../kernel/errors/domain-error.ts';
import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { indexAccounts, parseRefs } from './account-index.ts';
import { accountNotFound, type AccountRef } from './resolving/account-ref.ts';
import type { Account } from './account.ts';
import { accountLocked, lockExistingAccounts } from './lock-existing-accounts.ts';
import { type AccountLock, deleteAccounts, insertAccounts, selectAccounts } from './accounts.queries.ts';

/**
 * The accounts of a batch: one result per ref, in order. The result of a faulty ref is its error: 400 malformed, 404 unknown. Creates no
 * accounts. Runs one statement for any number of refs, and none without refs.
 */
export async function requireAccounts(
  uow: UnitOfWork,
  refs: readonly AccountRef[],
  lock?: AccountLock,
): Promise<Array<Account | DomainError>> {
  const { keys, wanted } = parseRefs(refs);
  const isNothing = wanted.ids.length + wanted.externalIds.length === 0;
  const { find } = indexAccounts(isNothing ? [] : await selectAccounts(uow, wanted, lock));
  return keys.map((key) => (key instanceof DomainError ? key : (find(key) ?? accountNotFound(key))));
}

/**
 * The accounts of a batch, locked for a change. If another transaction holds an account for longer than `lockWaitMs`, only the refs of that
 * account get an error, of the kind `IN_PROGRESS`.
 */
export async function accountsToChange(
  uow: UnitOfWork,
  refs: readonly AccountRef[],
  lockWaitMs: number | undefined,
): Promise<Array<Account | DomainError>> {
  const { keys, wanted } = parseRefs(refs);
  const isNothing = wanted.ids.length + wanted.externalIds.length === 0;
  const { free, held } = isNothing ? { free: [], held: [] } : await lockExistingAccounts(uow, wanted, lockWaitMs);
  const [ours, others] = [indexAccounts(free), indexAccounts(held)];
  return keys.map((key) => {
    if (key instanceof DomainError) return key;
    return ours.find(key) ?? (others.find(key) ? accountLocked() : accountNotFound(key));
  });
}

/** The accounts of {@link accountsToChange}; a suspended one is refused: 409 `ACCOUNT_SUSPENDED`. For calls by which an account gets or spends. */
export async function activeAccountsToChange(
  ...args: Parameters<typeof accountsToChange>
): Promise<Array<Account | DomainError>> {
  const accounts = await accountsToChange(...args);
  return accounts.map((account) => (account instanceof DomainError ? account : (suspension(account) ?? account)));
}

/** The refusal of a suspended account, 409 `ACCOUNT_SUSPENDED`; undefined for any other. */
export function suspension({ suspendedAt }: Account): DomainError | undefined {
  if (suspendedAt === undefined) return undefined;
  return new DomainError(
    'ACCOUNT_SUSPENDED',
    'The account is suspended: it gets and spends nothing until support resumes it.',
  );
}

/** The accounts of a batch, and the ids of the accounts that this transaction has created. */
export type PresentAccounts = {
  readonly accounts: ReadonlyArray<Account | DomainError>;
  readonly created: ReadonlySet<string>;
};

/**
 * The accounts of a batch, locked for presence; unknown external accounts are created. This lock waits only for a removal, so it may follow
 * locks for a change of other accounts.
 */
export async function presentAccounts(
  uow: UnitOfWork,
  refs: readonly AccountRef[],
  now: Date,
): Promise<PresentAccounts> {
  const { wanted } = parseRefs(refs);
  const created = new Set<string>();
  for (;;) {
    const accounts = await requireAccounts(uow, refs, 'presence');
    const known = indexAccounts(accounts.filter(isGranted)).byExternalId;
    const missing = wanted.externalIds.filter((externalId) => !known.has(externalId)).toSorted();
    if (missing.length === 0) return { accounts, created };
    // An account that another transaction is creating is waited for. It is found afterwards, unless it was deleted again.
    const ids = missing.map((externalId) => ({ id: newId(), externalId }));
    for (const { id } of await insertAccounts(uow, ids, now)) created.add(id);
  }
}

/** Removes accounts that this transaction has created, after their events were refused. */
export async function removeCreatedAccounts(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await deleteAccounts(uow, ids);
}

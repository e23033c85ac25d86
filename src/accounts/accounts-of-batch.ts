import { DomainError } from '../kernel/errors/domain-error.ts';
import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { indexAccounts, parseRefs } from './account-index.ts';
import { accountNotFound, type AccountRef } from './account-ref.ts';
import type { Account } from './account.ts';
import { accountLocked, lockExistingAccounts } from './lock-existing-accounts.ts';
import { type AccountLock, deleteAccounts, insertAccounts, selectAccounts } from './accounts.queries.ts';

/**
 * The accounts of a batch, one for each ref, in order; or what is wrong with it: 400 malformed, 404 unknown. Never creates.
 * One statement, however many there are; none without refs.
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
 * The same, held to be changed. Where somebody else holds one for longer than `lockWaitMs`, its refs get an error of the kind
 * `IN_PROGRESS`: only they have to wait for it.
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

/** Accounts of a batch, and which of them this transaction has created, by id. */
export type PresentAccounts = {
  readonly accounts: ReadonlyArray<Account | DomainError>;
  readonly created: ReadonlySet<string>;
};

/**
 * The same, held for presence, with unknown external accounts created. Holding an account for presence waits only for its
 * removal, so this may come after other accounts were held to be changed.
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
    const known = new Set(accounts.flatMap((account) => (account instanceof DomainError ? [] : account.externalId)));
    const missing = wanted.externalIds.filter((externalId) => !known.has(externalId)).toSorted();
    if (missing.length === 0) return { accounts, created };
    // One that another transaction is creating is waited for, and found afterwards, unless it was deleted again.
    const ids = missing.map((externalId) => ({ id: newId(), externalId }));
    for (const { id } of await insertAccounts(uow, ids, now)) created.add(id);
  }
}

/** Takes accounts back that this transaction has created: what they were created for was refused. */
export async function removeCreatedAccounts(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await deleteAccounts(uow, ids);
}

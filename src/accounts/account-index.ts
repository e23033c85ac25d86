import { DomainError } from '../kernel/errors/domain-error.ts';
import { type AccountKey, type AccountKeys, type AccountRef, parseAccountRef } from './resolving/account-ref.ts';
import type { Account } from './account.ts';

/** Accounts by internal and external id, also by those of accounts that were merged into them. */
export type AccountIndex = {
  readonly byExternalId: ReadonlyMap<string | undefined, Account>;
  readonly find: (key: AccountKey) => Account | undefined;
};

/** Creates an index of accounts. */
export function indexAccounts(accounts: readonly Account[]): AccountIndex {
  const byId = new Map<string, Account>();
  const byExternalId = new Map<string | undefined, Account>();
  for (const account of accounts) {
    byId.set(account.id, account);
    byExternalId.set(account.externalId, account);
    for (const alias of account.aliases ?? []) {
      if ('id' in alias) byId.set(alias.id, account);
      else byExternalId.set(alias.externalId, account);
    }
  }
  const find = (key: AccountKey) => ('id' in key ? byId.get(key.id) : byExternalId.get(key.externalId));
  return { byExternalId, find };
}

/** The keys of a batch, one per ref in order; a faulty ref has its error (400) instead. `wanted` has the keys without repetitions. */
export type ParsedRefs = { readonly keys: ReadonlyArray<AccountKey | DomainError>; readonly wanted: AccountKeys };

/** Parses the refs of a batch. */
export function parseRefs(refs: readonly AccountRef[]): ParsedRefs {
  const keys = refs.map(parsedOrError);
  const ids = new Set<string>();
  const externalIds = new Set<string>();
  for (const key of keys) {
    if (key instanceof DomainError) continue;
    if ('id' in key) ids.add(key.id);
    else externalIds.add(key.externalId);
  }
  return { keys, wanted: { ids: [...ids], externalIds: [...externalIds] } };
}

function parsedOrError(ref: AccountRef): AccountKey | DomainError {
  try {
    return parseAccountRef(ref);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

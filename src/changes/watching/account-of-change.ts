import type { FedChange } from '../collect-changes.ts';

/**
 * The account of a change, in its JSON. A quote within a text is escaped there, so no text can look like it. The first one in a
 * message is its account's; ids of other accounts follow only in ACCOUNTS_MERGED and LEADERBOARD_CLOSED.
 */
const ACCOUNT = /"accountId":"([0-9a-f-]{36})"/;
const SURVIVOR = /"intoAccountId":"([0-9a-f-]{36})"/;

/** Changes that name many accounts and belong to none: they are in no stream. */
const OF_NOBODY = new Set<FedChange['kind']>(['LEADERBOARD_CLOSED']);

/** The accounts whose streams have a change; none if it belongs to no account. */
export function accountsOf({ kind, json }: FedChange): readonly string[] {
  if (OF_NOBODY.has(kind)) return [];
  const own = ACCOUNT.exec(json)?.[1];
  if (own === undefined) return [];
  const survivor = kind === MERGED ? SURVIVOR.exec(json)?.[1] : undefined;
  return survivor === undefined ? [own] : [own, survivor];
}

/** The kind of a merge: its first account is an alias from now on, and its changes are those of the survivor. */
export const MERGED = 'ACCOUNTS_MERGED';

import type { Revocation } from '../../clients/account-tokens/token-watch.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows } from '../../persistence/key-lookup.ts';
import { idsWithAliases } from '../resolving/aliases.queries.ts';

/**
 * Revokes the tokens of an account, and of the accounts that were merged into it, that were issued until `now`. The account is locked for a
 * change.
 */
export async function revokeTokens(uow: UnitOfWork, accountId: string, now: Date): Promise<void> {
  const ids = await idsWithAliases(uow, accountId);
  await uow.query(
    `update account a set tokens_valid_from = greatest(a.tokens_valid_from, $3::timestamptz)
       from ${lockedRows({ source: 'unnest($2::uuid[]) as c(id)', alias: 'c', table: 'account', key: { id: 'c.id' } })}
      where a.client_id = $1 and a.ctid = c.row_ctid`,
    [uow.clientId, ids.toSorted(), now],
  );
}

/** The accounts of all clients whose tokens were revoked since a time, the latest first, in a system unit of work. */
export async function revokedAccounts(uow: UnitOfWork, since: Date, limit: number): Promise<Revocation[]> {
  return uow.query<{ accountId: string; validFrom: Date }>(
    `select id as "accountId", tokens_valid_from as "validFrom" from account
      where tokens_valid_from >= $1 order by tokens_valid_from desc limit $2`,
    [since, limit],
  );
}

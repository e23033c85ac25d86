import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import type { Subject } from '../../persistence/subjects/account-part.ts';

/** The aliases of the accounts `wanted.id`: the accounts that were merged into them. */
const ALIASES = lookUpByKey({
  select: 'id, external_id, deleted_at',
  from: 'account',
  key: { merged_into: 'wanted.id' },
  many: true,
});

/** The accounts that were merged into an account, by id, also after its deletion. Then they have no external id any more. */
export async function aliasesOf(uow: UnitOfWork, accountId: string): Promise<Subject[]> {
  const rows = await uow.query<{ id: string; external_id: string | null; deleted_at: Date | null }>(
    `select a.* from unnest($2::uuid[]) as wanted(id) cross join ${ALIASES} a order by a.id`,
    [uow.clientId, [accountId]],
  );
  return rows.map((row) => ({
    accountId: row.id,
    externalId: row.deleted_at === null ? (row.external_id ?? undefined) : undefined,
  }));
}

/** The ids under which an account has rows in tables whose rows stay on a merge: its own, and those of its aliases. */
export async function idsWithAliases(uow: UnitOfWork, accountId: string): Promise<string[]> {
  return [accountId, ...(await aliasesOf(uow, accountId)).map((alias) => alias.accountId)];
}

/**
 * SQL for joins of other modules: the rows `(id)` with the id of an account of client `$1` and those of its aliases.
 * @param accountId SQL of the id
 */
export function withAliasesSql(accountId: string): string {
  const aliases = lookUpByKey({ select: 'id', from: 'account', key: { merged_into: accountId }, many: true });
  return `lateral (select ${accountId} as id union all select a.id from ${aliases} a)`;
}

/** SQL for joins of other modules: `id` and `merged_into` of the merged accounts of client `$1`. */
export const MERGED_ACCOUNTS = '(select id, merged_into from account where client_id = $1 and merged_into is not null)';

/** SQL for conditions of other modules: whether other accounts of client `$1` were merged into one. @param accountId SQL of its id */
export function hasAliasesSql(accountId: string): string {
  return `exists (select from ${lookUpByKey({ select: '1', from: 'account', key: { merged_into: accountId } })} a)`;
}

/** Makes an account, and its aliases, aliases of another. Both are locked for removal. @returns the ids of the aliases that it had */
export async function becomeAlias(uow: UnitOfWork, accountId: string, into: string, now: Date): Promise<string[]> {
  const own = (await aliasesOf(uow, accountId)).map((alias) => alias.accountId);
  await pointAliases(uow, [accountId, ...own], into, now);
  return own;
}

/** Makes an alias an account again, and `own` its aliases. The account to which they lead is locked for removal. */
export async function becomeAccount(
  uow: UnitOfWork,
  accountId: string,
  own: readonly string[],
  now: Date,
): Promise<void> {
  await pointAliases(uow, [accountId], null, now);
  await pointAliases(uow, own, accountId, now);
}

async function pointAliases(uow: UnitOfWork, ids: readonly string[], into: string | null, now: Date): Promise<void> {
  if (ids.length === 0) return;
  await lockAliases(uow, ids);
  await uow.query(
    `update account a set merged_into = $3, updated_at = $4
       from ${lockedRows({ source: 'unnest($2::uuid[]) as c(id)', alias: 'c', table: 'account', key: { id: 'c.id' } })}
      where a.client_id = $1 and a.ctid = c.row_ctid`,
    [uow.clientId, ids, into, now],
  );
}

/** Locks rows of aliases, whose accounts are locked for removal: nobody else changes them, but their old versions may be read. */
async function lockAliases(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  const row = lookUpByKey({ select: '1', from: 'account', key: { id: 'wanted.id' }, lock: 'for update' });
  await uow.query(`select from unnest($2::uuid[]) as wanted(id) cross join ${row} held`, [
    uow.clientId,
    ids.toSorted(),
  ]);
}

/** Deletes the aliases of an account that is being deleted and locked for removal: their external ids are free again. */
export async function deleteAliases(uow: UnitOfWork, accountId: string, now: Date): Promise<void> {
  const ids = (await aliasesOf(uow, accountId)).map((alias) => alias.accountId);
  if (ids.length === 0) return;
  await lockAliases(uow, ids);
  await uow.query(
    `update account a set deleted_at = coalesce(a.deleted_at, $3), tokens_valid_from = $3, updated_at = $3
       from ${lockedRows({ source: 'unnest($2::uuid[]) as c(id)', alias: 'c', table: 'account', key: { id: 'c.id' } })}
      where a.client_id = $1 and a.ctid = c.row_ctid`,
    [uow.clientId, ids, now],
  );
}

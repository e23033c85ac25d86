import type { UnitOfWork } from '../persistence/database.ts';
import { insertInto } from '../persistence/insert-into.ts';
import { batchedLookUp } from '../persistence/batching/batched-look-up.ts';
import { lockedRows, lookUpByKey } from '../persistence/key-lookup.ts';
import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import type { Subject } from '../persistence/subjects/account-part.ts';
import { CLIENT_ROW } from '../persistence/client-row.ts';
import type { PastZone } from '../kernel/time/zone-history.ts';
import { accountTable } from './account.entity.ts';
import type { AccountKey, AccountKeys } from './account-ref.ts';
import type { Account, ListedAccount } from './account.ts';

/** The columns of an {@link Account}. */
export const ACCOUNT_COLUMNS = columnsOf(accountTable, [
  'id',
  'externalId',
  'email',
  'name',
  'timeZone',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'pastZones',
  'attributes',
  'suspendedAt',
]);

/** A row of {@link ACCOUNT_COLUMNS}. */
export type AccountRow = RowOf<typeof ACCOUNT_COLUMNS>;

/** The columns of a {@link ListedAccount}. The view that lists search has all of them. */
export const LISTED_COLUMNS = listedColumns();

/** A row of {@link LISTED_COLUMNS}. */
export type ListedAccountRow = RowOf<typeof LISTED_COLUMNS>;

/** The {@link LISTED_COLUMNS} of a table or view with the name `alias` in the statement. */
export function listedColumns(alias?: string) {
  const names = [
    'id',
    'externalId',
    'email',
    'name',
    'timeZone',
    'createdAt',
    'updatedAt',
    'deletedAt',
    'attributes',
    'suspendedAt',
  ] as const;
  return columnsOf(accountTable, names, alias);
}

const NO_ZONES: readonly PastZone[] = [];

/** An account from its row. */
export function accountOf(row: AccountRow): Account {
  return { ...listedAccountOf(row), pastZones: row.past_zones ?? NO_ZONES };
}

/** An account of a list from its row. */
export function listedAccountOf(row: ListedAccountRow): ListedAccount {
  return {
    id: row.id,
    externalId: row.external_id ?? undefined,
    email: row.email ?? undefined,
    name: row.name ?? undefined,
    timeZone: row.time_zone ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at ?? undefined,
    attributes: row.attributes ?? undefined,
    suspendedAt: row.suspended_at ?? undefined,
  };
}

/**
 * The strength of a row lock until the end of the transaction. `change` excludes every other change and removal of the accounts. `presence`
 * excludes only a removal, so it neither waits for other work nor delays it. `removal` excludes both. `free` is `change` without accounts
 * that another transaction has locked, so it never waits.
 */
export type AccountLock = 'change' | 'free' | 'presence' | 'removal';

const LOCK_CLAUSES: Record<AccountLock, string> = {
  change: 'for no key update',
  free: 'for no key update skip locked',
  presence: 'for key share',
  removal: 'for update',
};

/**
 * The accounts that are not deleted, locked by `lock` if given. Locks are always taken in the order of the ids, so that two transactions
 * never deadlock.
 */
export async function selectAccounts(uow: UnitOfWork, keys: AccountKeys, lock?: AccountLock): Promise<Account[]> {
  return (await selectRows(uow, keys, lock)).map(accountOf);
}

/** The rows of {@link selectAccounts}, in the order of the ids. */
export async function selectRows(uow: UnitOfWork, keys: AccountKeys, lock?: AccountLock): Promise<AccountRow[]> {
  const clause = lock && LOCK_CLAUSES[lock];
  const { ids, externalIds } = keys;
  if (externalIds.length === 0) {
    return uow.query<AccountRow>(`select a.* from ${IDS} cross join ${byId('wanted.id', { lock: clause })} a`, [
      uow.clientId,
      [...new Set(ids)].toSorted(),
    ]);
  }
  // An external id may move to another account during the wait for the lock, so the statement compares it again.
  const and = '(named.external_id is null or external_id = named.external_id)';
  const named = ids.length === 0 ? NAMED : `${NAMED} union all select id, null from unnest($3::uuid[]) as wanted(id)`;
  const rows = await uow.query<AccountRow>(
    `select a.* from (select id, external_id from (${named}) found order by id) named
      cross join ${byId('named.id', { and, lock: clause })} a`,
    [uow.clientId, [...new Set(externalIds)], ...(ids.length === 0 ? [] : [[...new Set(ids)]])],
  );
  // One account may have both an id and an external id among the keys.
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

const IDS = 'unnest($2::uuid[]) as wanted(id)';

const EXTERNAL_IDS = 'unnest($2::text[]) as wanted(external_id)';

const NAMED = `select a.id, wanted.external_id from ${EXTERNAL_IDS} cross join ${byExternalId('id')} a`;

/** SQL for the account of an id. The condition on `deleted_at` is inside, so that PostgreSQL checks it again after a wait. */
function byId(id: string, { and, lock }: { readonly and?: string; readonly lock?: string | undefined } = {}): string {
  const conditions = ['deleted_at is null', ...(and === undefined ? [] : [and])];
  return lookUpByKey({ select: ACCOUNT_COLUMNS, from: 'account', key: { id }, and: conditions.join(' and '), lock });
}

/** SQL for the account of `wanted.external_id`. */
function byExternalId(select: string): string {
  const key = { external_id: 'wanted.external_id' };
  return lookUpByKey({ select, from: 'account', key, and: 'deleted_at is null' });
}

/** The account of one key if it is not deleted, without a lock. Almost every read begins here. */
export function selectAccount(uow: UnitOfWork, key: AccountKey): Promise<Account | undefined> {
  return 'id' in key ? accountById(uow, key.id) : accountByExternalId(uow, key.externalId);
}

const accountById = batchedLookUp(async (uow, ids: readonly string[]) => {
  const rows = await selectRows(uow, { ids, externalIds: [] });
  return new Map(rows.map((row) => [row.id, accountOf(row)]));
});

const accountByExternalId = batchedLookUp(async (uow, externalIds: readonly string[]) => {
  const accounts = await accountsByExternalIds(uow, externalIds);
  return new Map(accounts.map((account) => [account.externalId!, account]));
});

/**
 * Creates accounts and returns the created ones. It skips an external id that another transaction has taken meanwhile: PostgreSQL waits for
 * that transaction, then finds the key taken. Callers sort by external id, so that two batches never deadlock.
 */
export async function insertAccounts(
  uow: UnitOfWork,
  accounts: readonly { readonly id: string; readonly externalId: string }[],
  now: Date,
): Promise<Account[]> {
  const rows = await insertRows(
    uow,
    accounts.map(({ id, externalId }) => ({ id, externalId, createdAt: now, updatedAt: now })),
  );
  return rows.map(accountOf);
}

const insertRows = insertInto(accountTable, {
  default: ['email', 'name', 'timeZone', 'pastZones', 'attributes', 'deletedAt', 'suspendedAt'],
  shared: ['createdAt', 'updatedAt'],
  conflict: { key: ['externalId'], where: 'deleted_at is null', do: 'nothing' },
  returning: ACCOUNT_COLUMNS,
});

/** Removes unreferenced rows of accounts that this transaction has inserted. */
export async function deleteAccounts(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  await uow.query(
    `delete from account a using ${lockedRows({
      source: 'unnest($2::uuid[]) as c(id)',
      alias: 'c',
      table: 'account',
      key: { id: 'c.id' },
    })} where a.client_id = $1 and a.ctid = c.row_ctid`,
    [uow.clientId, ids],
  );
}

/** An external id that needs an account, and the time of its creation. */
export type WantedAccount = { readonly externalId: string; readonly createdAt: Date };

/**
 * Creates the accounts of external ids without one, in one statement. It locks no existing accounts and waits for none of their locks. It
 * waits only for another transaction that creates one of them; callers sort, as for {@link insertAccounts}.
 */
export async function insertUnknownAccounts(
  uow: UnitOfWork,
  accounts: ReadonlyArray<WantedAccount & { readonly id: string }>,
): Promise<void> {
  // ON CONFLICT alone would wait for transactions that change an existing account.
  await uow.query(
    `insert into account (client_id, id, external_id, created_at, updated_at)
     select client_row.client_id, wanted.id, wanted.external_id, wanted.created_at, wanted.created_at
       from ${CLIENT_ROW} cross join unnest($2::uuid[], $3::text[], $4::timestamptz[]) as wanted(id, external_id, created_at)
       left join ${byExternalId('true as exists')} known on true
      where known.exists is null
     on conflict (client_id, external_id) where deleted_at is null do nothing`,
    [
      uow.clientId,
      accounts.map(({ id }) => id),
      accounts.map(({ externalId }) => externalId),
      accounts.map(({ createdAt }) => createdAt),
    ],
  );
}

/**
 * Overwrites the identifying data of an account and deletes the account. The caller must hold the lock for removal, because an update alone
 * does not exclude a lock for presence.
 */
export async function eraseRow(uow: UnitOfWork, id: string, now: Date): Promise<void> {
  await uow.query(
    `update account set external_id = null, email = null, name = null, time_zone = null, past_zones = null,
            attributes = null, suspended_at = null,
            deleted_at = coalesce(deleted_at, $3), updated_at = $3
      where client_id = $1 and id = $2`,
    [uow.clientId, id, now],
  );
}

/** Locks an existing account, deleted or not, for removal. Returns its ids. */
export async function lockForErasure(uow: UnitOfWork, accountId: string): Promise<Subject> {
  const [row] = await uow.query<{ externalId: string | null }>(
    `select case when deleted_at is null then external_id end as "externalId" from account
      where client_id = $1 and id = $2 for update`,
    [uow.clientId, accountId],
  );
  return { accountId, externalId: row?.externalId ?? undefined };
}

/** The accounts with one of the external ids that are not deleted, without locks. */
export async function accountsByExternalIds(uow: UnitOfWork, externalIds: readonly string[]): Promise<Account[]> {
  const rows = await uow.query<AccountRow>(
    `select a.* from ${EXTERNAL_IDS} cross join ${byExternalId(ACCOUNT_COLUMNS)} a`,
    [uow.clientId, externalIds],
  );
  return rows.map(accountOf);
}

/** The external id of an account, deleted or not; undefined without one. */
export async function externalIdOf(
  uow: UnitOfWork,
  id: string,
): Promise<{ readonly externalId: string | null; readonly isDeleted: boolean } | undefined> {
  const [row] = await uow.query<{ externalId: string | null; isDeleted: boolean }>(
    `select external_id as "externalId", deleted_at is not null as "isDeleted" from account where client_id = $1 and id = $2`,
    [uow.clientId, id],
  );
  return row;
}

/**
 * The former external ids of deleted accounts, by internal id. Leaves out erased accounts, and external ids that another account has now.
 */
export async function lastExternalIds(uow: UnitOfWork, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await uow.query<{ id: string; externalId: string }>(
    `select gone.id, gone.external_id as "externalId"
       from ${IDS} cross join ${lookUpByKey({
         select: 'id, external_id',
         from: 'account',
         key: { id: 'wanted.id' },
         and: 'deleted_at is not null and external_id is not null',
       })} gone
       left join ${lookUpByKey({
         select: 'true as exists',
         from: 'account',
         key: { external_id: 'gone.external_id' },
         and: 'deleted_at is null',
       })} heir on true
      where heir.exists is null`,
    [uow.clientId, ids],
  );
  return new Map(rows.map(({ id, externalId }) => [id, externalId]));
}

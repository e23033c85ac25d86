import { MovedMeanwhile } from '../persistence/connections/failures.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { insertInto } from '../persistence/insert-into.ts';
import { batchedLookUp } from '../persistence/batching/batched-look-up.ts';
import { lockedRows, lookUpByKey } from '../persistence/key-lookup.ts';
import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import type { Subject } from '../persistence/subjects/account-part.ts';
import { CLIENT_ROW } from '../persistence/client-row.ts';
import type { PastZone } from '../kernel/time/zone-history.ts';
import { accountTable } from './account.entity.ts';
import { indexAccounts } from './account-index.ts';
import type { AccountKey, AccountKeys } from './resolving/account-ref.ts';
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
 * never deadlock. A key of a merged account finds the account into which it was merged.
 */
export async function selectAccounts(uow: UnitOfWork, keys: AccountKeys, lock?: AccountLock): Promise<Account[]> {
  return (await selectRows(uow, keys, lock)).map(({ aliases, ...row }) => withAliases(accountOf(row), aliases));
}

/** The row of an account, and the keys of merged accounts that led to it. */
export type FoundRow = AccountRow & { readonly aliases: readonly AccountKey[] };

/** The rows of {@link selectAccounts}, in the order of the ids. */
export function selectRows(uow: UnitOfWork, keys: AccountKeys, lock?: AccountLock): Promise<FoundRow[]> {
  return lock === undefined ? readRows(uow, keys) : lockRows(uow, keys, lock);
}

/** Reads rows by their keys. Merged accounts take a second statement, other accounts pay nothing for them. */
async function readRows(uow: UnitOfWork, { ids, externalIds }: AccountKeys): Promise<FoundRow[]> {
  const [byIds, byExternalIds] = await Promise.all([
    ids.length === 0 ? [] : readByIds(uow, [...new Set(ids)].toSorted()),
    externalIds.length === 0 ? [] : readByExternalIds(uow, [...new Set(externalIds)]),
  ]);
  const rows = new Map<string, AccountRow>();
  const aliases = new Map<string, AccountKey[]>();
  const isMerged = ({ merged_into: into }: ReadRow) => into !== null;
  for (const row of [...byIds, ...byExternalIds]) if (!isMerged(row)) rows.set(row.id, withoutMerge(row));
  for (const { id, merged_into: into } of byIds.filter(isMerged)) pushTo(aliases, into!, { id });
  for (const row of byExternalIds.filter(isMerged)) pushTo(aliases, row.merged_into!, { externalId: row.external_id! });
  const survivors = [...aliases.keys()].filter((id) => !rows.has(id)).toSorted();
  if (survivors.length > 0)
    for (const row of await readByIds(uow, survivors)) if (!isMerged(row)) rows.set(row.id, withoutMerge(row));
  return [...rows.values()].map((row) => ({ ...row, aliases: aliases.get(row.id) ?? NO_ALIASES }));
}

const NO_ALIASES: readonly AccountKey[] = [];

type ReadRow = AccountRow & { readonly merged_into: string | null };

const READ = `${ACCOUNT_COLUMNS}, merged_into`;

function readByIds(uow: UnitOfWork, ids: readonly string[]): Promise<ReadRow[]> {
  return uow.query<ReadRow>(`select a.* from ${IDS} cross join ${byId('wanted.id', { select: READ })} a`, [
    uow.clientId,
    ids,
  ]);
}

function readByExternalIds(uow: UnitOfWork, externalIds: readonly string[]): Promise<ReadRow[]> {
  return uow.query<ReadRow>(`select a.* from ${EXTERNAL_IDS} cross join ${byExternalId(READ)} a`, [
    uow.clientId,
    externalIds,
  ]);
}

function withoutMerge(row: ReadRow): AccountRow {
  const { merged_into: _, ...account } = row;
  return account;
}

/** A row of a key: nulls in place of the account if another transaction has locked or changed it meanwhile. */
type LockedRow = { readonly [Column in keyof AccountRow]: AccountRow[Column] | null } & {
  readonly alias_id: string | null;
  readonly alias_external_id: string | null;
};

/**
 * Locks rows by their keys, in the order of the ids of the accounts to which the keys lead. During the wait for a lock, the account may be
 * merged into another, or its external id may move: then the transaction is repeated. A merge that is undone meanwhile changes the account
 * of an alias, so aliases are compared under the lock, which excludes an undo.
 */
async function lockRows(uow: UnitOfWork, keys: AccountKeys, lock: AccountLock): Promise<FoundRow[]> {
  const found = await lockKeys(uow, keys, lock);
  const held = found.filter((row): row is LockedRow & AccountRow => row.id !== null);
  if (lock !== 'free' && held.length < found.length) throw accountMoved();
  const rows = new Map<string, AccountRow>();
  const aliases = new Map<string, AccountKey[]>();
  for (const { alias_id: id, alias_external_id: externalId, ...row } of held) {
    rows.set(row.id, row);
    if (id !== null) pushTo(aliases, row.id, { id });
    if (externalId !== null) pushTo(aliases, row.id, { externalId });
  }
  if (aliases.size > 0 && !(await areStillAliases(uow, aliases))) throw accountMoved();
  return [...rows.values()].map((row) => ({ ...row, aliases: aliases.get(row.id) ?? NO_ALIASES }));
}

function accountMoved(): MovedMeanwhile {
  return new MovedMeanwhile('An account was merged, or its merge was undone, while a lock was waited for.');
}

function lockKeys(uow: UnitOfWork, { ids, externalIds }: AccountKeys, lock: AccountLock): Promise<LockedRow[]> {
  // The keys may have changed during the wait for the lock, so the statement compares them again.
  const and = 'merged_into is null and (named.external_id is null or external_id = named.external_id)';
  const account = byId('named.id', { and, lock: LOCK_CLAUSES[lock] });
  const values: unknown[] = [uow.clientId];
  const sources = [
    ...(externalIds.length === 0 ? [] : [namedBy('external_id', `$${values.push([...new Set(externalIds)])}::text[]`)]),
    ...(ids.length === 0 ? [] : [namedBy('id', `$${values.push([...new Set(ids)])}::uuid[]`)]),
  ];
  if (sources.length === 0) return Promise.resolve([]);
  return uow.query<LockedRow>(
    `select a.*, named.alias_id, named.alias_external_id
       from (select * from (${sources.join(' union all ')}) found order by id) named
       left join ${account} a on true`,
    values,
  );
}

/** SQL for the ids of the accounts to which keys lead, with the key of an alias, and otherwise with the external id to compare. */
function namedBy(column: 'id' | 'external_id', keys: string): string {
  const alias = 'case when a.merged_into is not null then wanted.key end';
  const columns =
    column === 'id'
      ? `null::text as external_id, ${alias} as alias_id, null::text as alias_external_id`
      : `case when a.merged_into is null then wanted.key end as external_id, null::uuid as alias_id, ${alias} as alias_external_id`;
  const key = { [column]: 'wanted.key' };
  return `select coalesce(a.merged_into, a.id) as id, ${columns} from unnest(${keys}) as wanted(key)
    cross join ${lookUpByKey({ select: 'id, merged_into', from: 'account', key, and: 'deleted_at is null' })} a`;
}

async function areStillAliases(uow: UnitOfWork, aliases: ReadonlyMap<string, readonly AccountKey[]>): Promise<boolean> {
  const keys = [...aliases].flatMap(([into, own]) => own.map((key) => ({ into, ...key })));
  const ids = new Map(keys.flatMap((key) => ('id' in key ? [[key.id, key.into] as const] : [])));
  const externalIds = new Map(
    keys.flatMap((key) => ('externalId' in key ? [[key.externalId, key.into] as const] : [])),
  );
  const rows = [
    ...(ids.size === 0 ? [] : await readByIds(uow, [...ids.keys()].toSorted())),
    ...(externalIds.size === 0 ? [] : await readByExternalIds(uow, [...externalIds.keys()])),
  ];
  return (
    rows.length === keys.length &&
    rows.every(
      (row) =>
        row.merged_into !== null && [ids.get(row.id), externalIds.get(row.external_id!)].includes(row.merged_into),
    )
  );
}

function pushTo(aliases: Map<string, AccountKey[]>, id: string, key: AccountKey): void {
  const known = aliases.get(id);
  if (known === undefined) aliases.set(id, [key]);
  else known.push(key);
}

function withAliases(account: Account, aliases: readonly AccountKey[]): Account {
  return aliases.length === 0 ? account : { ...account, aliases };
}

const IDS = 'unnest($2::uuid[]) as wanted(id)';

const EXTERNAL_IDS = 'unnest($2::text[]) as wanted(external_id)';

type ById = { readonly select?: string; readonly and?: string; readonly lock?: string };

/** SQL for the account of an id. The conditions are inside, so that PostgreSQL checks them again after a wait. */
function byId(id: string, { select = ACCOUNT_COLUMNS, and, lock }: ById): string {
  const conditions = ['deleted_at is null', ...(and === undefined ? [] : [and])];
  return lookUpByKey({ select, from: 'account', key: { id }, and: conditions.join(' and '), ...(lock && { lock }) });
}

/** SQL for the row of `wanted.external_id`, which may be an alias. */
function byExternalId(select: string): string {
  const key = { external_id: 'wanted.external_id' };
  return lookUpByKey({ select, from: 'account', key, and: 'deleted_at is null' });
}

/** The account of one key if it is not deleted, without a lock. Almost every read begins here. */
export function selectAccount(uow: UnitOfWork, key: AccountKey): Promise<Account | undefined> {
  return 'id' in key ? accountById(uow, key.id) : accountByExternalId(uow, key.externalId);
}

const accountById = batchedLookUp(async (uow, ids: readonly string[]) => {
  const { find } = indexAccounts(await selectAccounts(uow, { ids, externalIds: [] }));
  return new Map(ids.flatMap((id) => entryOf(id, find({ id }))));
});

const accountByExternalId = batchedLookUp(async (uow, externalIds: readonly string[]) => {
  const { find } = indexAccounts(await selectAccounts(uow, { ids: [], externalIds }));
  return new Map(externalIds.flatMap((externalId) => entryOf(externalId, find({ externalId }))));
});

function entryOf(key: string, account: Account | undefined): (readonly [string, Account])[] {
  return account === undefined ? [] : [[key, account]];
}

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
  default: [
    'email',
    'name',
    'timeZone',
    'pastZones',
    'attributes',
    'deletedAt',
    'suspendedAt',
    'mergedInto',
    'tokensValidFrom',
  ],
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
 * does not exclude a lock for presence. An alias stays one, so that the sums of the ledger, which stays, are found again.
 */
export async function eraseRow(uow: UnitOfWork, id: string, now: Date): Promise<void> {
  await uow.query(
    `update account set external_id = null, email = null, name = null, time_zone = null, past_zones = null,
            attributes = null, suspended_at = null, tokens_valid_from = $3, deleted_at = coalesce(deleted_at, $3), updated_at = $3
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

/** The ids of an account, deleted or not; undefined without one. */
export async function storedIdsOf(
  uow: UnitOfWork,
  id: string,
): Promise<
  { readonly externalId: string | null; readonly isDeleted: boolean; readonly mergedInto: string | null } | undefined
> {
  const [row] = await uow.query<{ externalId: string | null; isDeleted: boolean; mergedInto: string | null }>(
    `select external_id as "externalId", deleted_at is not null as "isDeleted", merged_into as "mergedInto"
       from account where client_id = $1 and id = $2`,
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

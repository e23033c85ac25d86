import type { UnitOfWork } from '../persistence/database.ts';
import type { Account } from './account.ts';

/** A row of `account` as hand-written SQL reads it. */
export type AccountRow = {
  id: string;
  external_id: string | null;
  email: string | null;
  name: string | null;
  time_zone: string | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
};

/** The columns of {@link AccountRow}. */
export const ACCOUNT_COLUMNS = 'id, external_id, email, name, time_zone, created_at, updated_at, deleted_at';

/** Which accounts a statement is about: those with one of the ids, and those with one of the external ids. */
export type AccountKeys = { readonly ids: readonly string[]; readonly externalIds: readonly string[] };

/** An account from its row. */
export function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    externalId: row.external_id ?? undefined,
    email: row.email ?? undefined,
    name: row.name ?? undefined,
    timeZone: row.time_zone ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at ?? undefined,
  };
}

/**
 * How firmly rows are held until the transaction ends. `change` excludes every other change of the same accounts and
 * their removal; `presence` only excludes removal, so that it waits for nobody else and holds nobody else up; `removal`
 * excludes both.
 */
export type AccountLock = 'change' | 'presence' | 'removal';

const LOCK_CLAUSES: Record<AccountLock, string> = {
  change: 'order by id for no key update',
  presence: 'order by id for key share',
  removal: 'order by id for update',
};

/**
 * The accounts that are not deleted, held by `lock` if one is named. Locks are taken in the order of the ids, whatever the
 * order asked for, so that two transactions that want the same accounts never wait for each other in a circle.
 */
export async function selectAccounts(uow: UnitOfWork, keys: AccountKeys, lock?: AccountLock): Promise<Account[]> {
  const rows = await uow.query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from account
      where client_id = $1 and deleted_at is null and (id = any($2::uuid[]) or external_id = any($3::text[]))
      ${lock ? LOCK_CLAUSES[lock] : ''}`,
    [uow.clientId, keys.ids, keys.externalIds],
  );
  return rows.map(accountOf);
}

/**
 * Creates accounts and gives those that it did create. An external id that another transaction has taken meanwhile is
 * passed over: PostgreSQL waits for that transaction and then finds the key taken. Callers sort by external id, so
 * that two batches wait for each other in one direction only.
 */
export async function insertAccounts(
  uow: UnitOfWork,
  accounts: readonly { readonly id: string; readonly externalId: string }[],
  now: Date,
): Promise<Account[]> {
  const rows = await uow.query<AccountRow>(
    `insert into account (client_id, id, external_id, created_at, updated_at)
     select $1, id, external_id, $4, $4 from unnest($2::uuid[], $3::text[]) as wanted(id, external_id)
     on conflict (client_id, external_id) where deleted_at is null do nothing
     returning ${ACCOUNT_COLUMNS}`,
    [uow.clientId, accounts.map((account) => account.id), accounts.map((account) => account.externalId), now],
  );
  return rows.map(accountOf);
}

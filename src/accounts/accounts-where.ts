import type { UnitOfWork } from '../persistence/database.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';

/** A condition on accounts `a` in SQL, never input, and its values, which are numbered from `$2`. It varies, so no statement is kept. */
type AccountCondition = { readonly sql: string; readonly values?: readonly unknown[] };

/** A condition on all accounts, and what is joined to each of them, at most one row. */
export type JoinedCondition = AccountCondition & { readonly joins: string };

/** SQL for joins of other modules: the `id` of each account of client `$1` that is neither deleted nor merged into another. */
export const LIVE_ACCOUNTS =
  '(select id from account where client_id = $1 and deleted_at is null and merged_into is null)';

/**
 * SQL for joins of other modules: the row `(survivor, is_live, is_unmoved)` of one account of client `$1`. `survivor` is the account into
 * which it was merged, or itself; an unmoved one has never changed its own time zone. Each account is looked up by its key: of a table that
 * was never analysed PostgreSQL expects a few rows, and would compare all rows with all of {@link LIVE_ACCOUNTS}.
 * @param id SQL of its id
 */
export function accountStateSql(id: string): string {
  return lookUpByKey({
    select: `coalesce(merged_into, id) as survivor, deleted_at is null and merged_into is null as is_live,
             coalesce(past_zones, '[]') = '[]' as is_unmoved`,
    from: 'account',
    key: { id },
  });
}

/** SQL of a table `a` of the accounts of client `$1` that are not deleted and fulfil a condition. */
export function accountsWhereSql({ sql }: AccountCondition): string {
  return `(select * from account a where a.client_id = $1 and a.deleted_at is null and a.merged_into is null and (${sql})) a`;
}

/** The number of accounts that are not deleted and fulfil a condition. It reads all accounts of the client. */
export async function countAccountsWhere(
  uow: UnitOfWork,
  { sql, joins, values = [] }: JoinedCondition,
): Promise<number> {
  const [row] = await uow.queryOnce<{ count: string }>(
    `select count(*) from account a ${joins} where a.client_id = $1 and a.deleted_at is null and a.merged_into is null and (${sql})`,
    [uow.clientId, ...values],
  );
  return Number(row?.count);
}

/** The ids of accounts that are not deleted and fulfil a condition, in their order, after one id. */
export async function accountIdsWhere(
  uow: UnitOfWork,
  { sql, values = [] }: AccountCondition,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await uow.queryOnce<{ id: string }>(
    `select a.id from account a
      where a.client_id = $1 and a.deleted_at is null and a.merged_into is null and a.id > '${after}'::uuid and (${sql})
      order by a.client_id, a.id limit ${limit}`,
    [uow.clientId, ...values],
  );
  return rows.map(({ id }) => id);
}

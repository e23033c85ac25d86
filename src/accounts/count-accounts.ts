import { createTtlCache } from '../clients/credentials/ttl-cache.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { limitedKeys, lookUpByKey } from '../persistence/key-lookup.ts';

/** The number of accounts from which a count is cached. Smaller counts take a millisecond or two. */
const MANY = 10_000;

/** Counts the accounts of clients. A large count is cached for a minute, because counting a million takes 150 ms. */
export function accountCounter(): (uow: UnitOfWork) => Promise<number> {
  const large = createTtlCache<number>({ lifetimeMs: 60_000, capacity: 1_000 });
  return async (uow) => {
    const [row] = await uow.query<{ few: number }>(
      `select count(*)::int as few from (select 1 from account where client_id = $1 and deleted_at is null and merged_into is null limit $2) a`,
      [uow.clientId, MANY],
    );
    if (row!.few < MANY) return row!.few;
    return large.get(uow.clientId, () => countAll(uow));
  };
}

async function countAll(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ all: number }>(
    `select count(*)::int as all from account where client_id = $1 and deleted_at is null and merged_into is null`,
    [uow.clientId],
  );
  return row!.all;
}

/**
 * One step of a count of all accounts, in the order of their ids from `after` on.
 * @returns the rows that were read, the accounts among them, and the last id
 */
export async function accountsAfter(
  uow: UnitOfWork,
  after: string,
  limit: number,
): Promise<{ readonly rows: number; readonly count: number; readonly last: string | undefined }> {
  const rows = await uow.query<{ id: string; present: boolean }>(
    `select id, deleted_at is null and merged_into is null as present from account
      where client_id = $1 and id > $2 order by client_id, id limit $3`,
    [uow.clientId, after, limit],
  );
  return { rows: rows.length, count: rows.filter(({ present }) => present).length, last: rows.at(-1)?.id };
}

/** The number of accounts with these ids that are neither deleted nor merged. */
export async function countPresent(uow: UnitOfWork, ids: readonly string[]): Promise<number> {
  const [row] = await uow.query<{ present: number }>(
    `select count(*)::int as present from ${limitedKeys('unnest($2::uuid[]) as wanted(id)', 'wanted')} cross join ${lookUpByKey(
      {
        select: '1',
        from: 'account',
        key: { id: 'wanted.id' },
        and: 'deleted_at is null and merged_into is null',
      },
    )} a`,
    [uow.clientId, ids],
  );
  return row!.present;
}

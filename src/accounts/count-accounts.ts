import { createTtlCache } from '../clients/credentials/ttl-cache.ts';
import type { UnitOfWork } from '../persistence/database.ts';

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

import { createTtlCache } from '../clients/credentials/ttl-cache.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/** Accounts from which on a number is remembered: below, counting takes a millisecond or two. */
const MANY = 10_000;

/** Counts the accounts of clients; of those that have many, once in a minute, because a million take 150 ms. */
export function accountCounter(): (uow: UnitOfWork) => Promise<number> {
  const large = createTtlCache<number>({ lifetimeMs: 60_000, capacity: 1_000 });
  return async (uow) => {
    const [row] = await uow.query<{ few: number }>(
      `select count(*)::int as few from (select 1 from account where client_id = $1 and deleted_at is null limit $2) a`,
      [uow.clientId, MANY],
    );
    if (row!.few < MANY) return row!.few;
    return large.get(uow.clientId, () => countAll(uow));
  };
}

async function countAll(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ all: number }>(
    `select count(*)::int as all from account where client_id = $1 and deleted_at is null`,
    [uow.clientId],
  );
  return row!.all;
}

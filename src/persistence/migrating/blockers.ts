import type { MikroORM } from '@mikro-orm/postgresql';

/** A session that keeps a migration waiting. */
export type Blocker = {
  readonly pid: number;
  /** Its name in `pg_stat_activity`. */
  readonly name: string;
  /** Its last statement; PostgreSQL keeps it back from those who may not see it. */
  readonly query: string;
  /** When its transaction began. */
  readonly since: string;
  /** PostgreSQL itself, vacuuming: it makes room once somebody has waited for a second. */
  readonly isAutovacuum: boolean;
};

/** Milliseconds between two looks. Shorter than a migration waits for a table. */
const LOOK_MS = 150;

/**
 * Runs `work`, and looks meanwhile who keeps it waiting, on another connection.
 * @param waiting a condition on `w`, a row of `pg_stat_activity`, for the session that works
 * @param blocked is told whenever somebody does
 */
export async function watchingBlockers<T>(
  orm: MikroORM,
  waiting: () => string | undefined,
  blocked: (by: Blocker[]) => void,
  work: () => Promise<T>,
): Promise<T> {
  let looking: Promise<void> | undefined;
  const look = async (condition: string) => {
    const by = await orm.em.fork().execute<Blocker[]>(
      `select distinct b.pid, b.application_name as name, left(b.query, 200) as query, b.xact_start::text as since,
              b.usesysid is null as "isAutovacuum"
         from pg_stat_activity w
         join pg_stat_activity b on b.pid = any (pg_blocking_pids(w.pid))
        where w.datname = current_database() and ${condition}`,
    );
    if (by.length > 0) blocked(by);
  };
  const timer = setInterval(() => {
    const condition = waiting();
    if (looking || condition === undefined) return;
    // The blocker is only informative; the work itself reports an unreachable database.
    looking = look(condition)
      .catch(() => {})
      .finally(() => (looking = undefined));
  }, LOOK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await looking;
  }
}

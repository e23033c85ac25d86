import type { MikroORM } from '@mikro-orm/postgresql';

/** A session that keeps a migration waiting. */
export type Blocker = {
  readonly pid: number;
  /** Its name in `pg_stat_activity`. */
  readonly name: string;
  /** Its last statement; PostgreSQL hides it from roles without the right to see it. */
  readonly query: string;
  /** The start of its transaction. */
  readonly since: string;
  /** Whether it is PostgreSQL's autovacuum, which gives way to a session that has waited for a second. */
  readonly isAutovacuum: boolean;
};

/** Milliseconds between two checks; less than the wait of a migration for a table. */
const LOOK_MS = 150;

/**
 * Runs `work`, and meanwhile looks for the sessions that block it, on another connection.
 * @param waiting a condition on `w`, a row of `pg_stat_activity`, for the session of `work`
 * @param blocked called with the blocker each time
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

import pg from 'pg';
import type { Database } from '../../src/persistence/database.ts';

/** PostgreSQL's clock as the service reads it, which a test sets. */
export type MovedClock = {
  /** From now on it is ahead of the true one by so many milliseconds, or behind. */
  setAhead(ms: number): Promise<void>;
  /** Ends it for all that this process asks. */
  restore(): void;
};

/** What reads the clock in a statement. Defaults of columns, which the service leaves to rows that it writes by hand, do not count. */
const READS_CLOCK = /\b(?:statement_timestamp|clock_timestamp|now)\(\)/g;

/** By these a transaction is found in `pg_stat_activity`, which tells the true time. */
const NAMES_A_TRANSACTION = 'pg_backend_pid()';

/**
 * Moves PostgreSQL's clock for all statements that this process sends: what they read of it goes through a function in the database,
 * which is replaced when the clock is set. Nothing to install, unlike libfaketime (`test/faults/clock-set.test.ts`), and set within
 * milliseconds.
 */
export async function moveClock(db: Database): Promise<MovedClock> {
  const setAhead = (ms: number) =>
    db.systemUnitOfWork(async (uow) => {
      await uow.query('set local role none');
      await uow.query(`create or replace function public.moved(timestamptz) returns timestamptz language sql stable
                       as $$ select $1 + interval '${ms} ms' $$`);
    });
  await setAhead(0);
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function send(this: pg.Client, ...args: unknown[]) {
    const [asked, ...rest] = args;
    return Reflect.apply(query, this, [moved(asked), ...rest]);
  } as typeof query;
  return { setAhead, restore: () => void (pg.Client.prototype.query = query) };
}

/** The same statement by the moved clock, prepared under a name of its own. */
function moved(asked: unknown): unknown {
  if (typeof asked === 'string') return movedText(asked);
  const { text, name, ...rest } = asked as pg.QueryConfig;
  const changed = movedText(text);
  return changed === text ? asked : { ...rest, text: changed, ...(name !== undefined && { name: `${name}_moved` }) };
}

function movedText(text: string): string {
  return text.includes(NAMES_A_TRANSACTION) ? text : text.replaceAll(READS_CLOCK, 'public.moved($&)');
}

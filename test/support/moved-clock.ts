import pg from 'pg';
import type { Database } from '../../src/persistence/database.ts';

/** PostgreSQL's clock for the service, which a test sets. */
export type MovedClock = {
  /** Sets the milliseconds by which the clock is ahead of the true one; negative values are behind. */
  setAhead(ms: number): Promise<void>;
  /** Restores the true clock for all statements of this process. */
  restore(): void;
};

/** The functions that read the clock in a statement. Column defaults, used for rows that the service writes by hand, do not count. */
const READS_CLOCK = /\b(?:statement_timestamp|clock_timestamp|now)\(\)/g;

/** A statement that looks for a transaction in `pg_stat_activity`, which has the true time. */
const NAMES_A_TRANSACTION = 'pg_backend_pid()';

/**
 * Moves PostgreSQL's clock for all statements of this process: they read it through a function in the database, which is replaced when the
 * clock is set. It needs no installation, unlike libfaketime (`test/faults/clock-set.test.ts`), and takes milliseconds.
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

/** The statement with the moved clock, prepared under a different name. */
function moved(asked: unknown): unknown {
  if (typeof asked === 'string') return movedText(asked);
  const { text, name, ...rest } = asked as pg.QueryConfig;
  const changed = movedText(text);
  return changed === text ? asked : { ...rest, text: changed, ...(name !== undefined && { name: `${name}_moved` }) };
}

function movedText(text: string): string {
  return text.includes(NAMES_A_TRANSACTION) ? text : text.replaceAll(READS_CLOCK, 'public.moved($&)');
}

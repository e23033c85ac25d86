import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type ClockWatch, type ClockWatchOptions, openClockWatch } from '../../src/housekeeping/clock/clock-watch.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

/** Milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;

/** The milliseconds added to a clock. */
export type Ahead = { readonly database: number; readonly machine: number; readonly uptime: number };

/** A database, and processes that watch its clock, for the tests of a file; call it once, outside of any test. */
export function watchedClocks() {
  let database: TestDatabase;
  let watches: ClockWatch[] = [];
  const clocks = {
    /** The amounts added to the clocks of PostgreSQL, of the machine, and to the monotonic one. */
    ahead: { database: 0, machine: 0, uptime: 0 } as Ahead,
    log: [] as Array<{ level: number; msg: string; reason?: string }>,
    get database(): TestDatabase {
      return database;
    },
    sql,
    clocked,
    watch,
    pass,
    lastRound,
    isTrusted: async (of: ClockWatch) => (await of.trustedNow()) !== undefined,
  };

  beforeAll(async () => {
    database = await testDatabase();
  });
  beforeEach(async () => {
    clocks.ahead = { database: 0, machine: 0, uptime: 0 };
    clocks.log = [];
    await sql('delete from housekeeping_round');
    await sql('update credential set last_used_at = null');
  });
  afterEach(async () => {
    await Promise.all(watches.splice(0).map((each) => each.stop()));
  });
  afterAll(() => database.drop());

  function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return database.db.systemUnitOfWork((uow) => uow.query<Row>(text, values));
  }

  /** The database with a changed clock: a statement reads it with the amount added. */
  function clocked(db: Database = database.db): Database {
    const moved = (uow: UnitOfWork): UnitOfWork => ({
      ...uow,
      async query(text, values) {
        const rows = await uow.query<Record<string, unknown>>(
          text.replaceAll('statement_timestamp()', `(statement_timestamp() + interval '${clocks.ahead.database} ms')`),
          values,
        );
        if (!text.includes('clock_timestamp()')) return rows as never;
        const movedNow = (now: unknown) => new Date((now as Date).getTime() + clocks.ahead.database);
        return rows.map((row) => ({ ...row, now: movedNow(row['now']) })) as never;
      },
    });
    return { ...db, unitOfWork: (clientId, work) => db.unitOfWork(clientId, (uow) => work(moved(uow))) };
  }

  /** A process that watches the clock. */
  async function watch(options: Partial<ClockWatchOptions> = {}): Promise<ClockWatch> {
    const opened = await openClockWatch({
      db: clocked(),
      logger: pino({}, { write: (line: string) => void clocks.log.push(JSON.parse(line)) }),
      everyMs: DAY,
      local: () => new Date(Date.now() + clocks.ahead.machine),
      uptime: () => performance.now() + clocks.ahead.uptime,
      ...options,
    });
    watches.push(opened);
    return opened;
  }

  /** Advances all clocks. */
  function pass(ms: number): void {
    const { database: ofDatabase, machine, uptime } = clocks.ahead;
    clocks.ahead = { database: ofDatabase + ms, machine: machine + ms, uptime: uptime + ms };
  }

  /** Stores a last round from some milliseconds ago. */
  function lastRound(ago: number): Promise<object[]> {
    return sql(
      `insert into housekeeping_round (client_id, last_round_at)
         values ('00000000-0000-0000-0000-000000000000', clock_timestamp() - $1 * interval '1 ms')`,
      [ago],
    );
  }

  return clocks;
}

import type { Logger } from 'pino';
import type { Clock } from '../kernel/time/clock.ts';
import type { Database } from '../persistence/database.ts';
import { type ActivityCounts, activityIn, sum } from './activity-counts.ts';
import { addToHours, type HourCount } from './statistic-hours.queries.ts';

/** The counts of this process that are not written yet. */
export type ActivityCounters = {
  /** Begins to write now and then. */
  start(): void;
  /** Writes what there is, so that a reader sees everything that this process did. */
  flush(): Promise<void>;
  /** Writes what there is and ends. */
  stop(): Promise<void>;
};

/** The dependencies of the counters. */
export type ActivityCountersOptions = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds between two writes: what a killed process takes with it at most. 5 s by default. */
  readonly everyMs?: number | undefined;
};

const HOUR_MS = 3_600_000;

/**
 * Counts what is committed, by client and hour, in memory, and adds it to the table in one statement for all clients. The
 * hot path is not touched: no statement, no lock, no row that events of one client would queue up for.
 */
export function createActivityCounters({
  db,
  clock,
  logger,
  everyMs = 5_000,
}: ActivityCountersOptions): ActivityCounters {
  let counted = new Map<string, HourCount>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  db.onCommitted((uow) => {
    const happened = activityIn(uow);
    if (happened !== undefined) add(uow.clientId, hourOf(clock()), happened);
  });

  function add(clientId: string, hour: Date, happened: ActivityCounts): void {
    const key = `${clientId} ${hour.getTime()}`;
    counted.set(key, { clientId, hour, happened: sum(counted.get(key)?.happened ?? {}, happened) });
  }

  async function write(): Promise<void> {
    if (counted.size === 0) return;
    const counts = [...counted.values()];
    counted = new Map();
    try {
      await db.systemUnitOfWork((uow) => addToHours(uow, counts));
    } catch (error) {
      // The database is away: counted again with what comes meanwhile.
      for (const { clientId, hour, happened } of counts) add(clientId, hour, happened);
      logger.warn({ err: error }, 'statistics: the counts could not be written yet');
    }
  }

  /** One write after the other, so that each sees what the one before it left. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    start() {
      timer ??= setInterval(() => void flush(), everyMs).unref();
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

function hourOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);
}

import type { Logger } from 'pino';
import type { Clock } from '../kernel/time/clock.ts';
import type { Database } from '../persistence/database.ts';
import { type ActivityCounts, activityIn, sum } from './activity-counts.ts';
import { addToHours, type HourCount } from './statistic-hours.queries.ts';

/** The unwritten counts of this process. */
export type ActivityCounters = {
  /** Counts activities without a unit of work. */
  count(clientId: string, happened: ActivityCounts): void;
  /** Starts the periodic writes. */
  start(): void;
  /** Writes all counts, so that a reader sees all activity of this process. */
  flush(): Promise<void>;
  /** Writes all counts and stops. */
  stop(): Promise<void>;
};

/** The dependencies of the counters. */
export type ActivityCountersOptions = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds between two writes: a killed process loses at most the counts of this time. 5 s by default. */
  readonly everyMs?: number | undefined;
};

const HOUR_MS = 3_600_000;

/**
 * Counts committed activities by client and hour in memory, and adds them to the table in one statement for all clients. The hot path stays
 * free: no statement, no lock, no row that events of one client would queue for.
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
      // The database is unreachable: the counts go into the next write.
      for (const { clientId, hour, happened } of counts) add(clientId, hour, happened);
      logger.warn({ err: error }, 'activity: the counts could not be written yet');
    }
  }

  /** Writes run one after the other, so that each includes the counts that an earlier one could not write. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    count(clientId, happened) {
      add(clientId, hourOf(clock()), happened);
    },
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

import type { Logger } from 'pino';
import { type Clock, systemClock } from '../../kernel/time/clock.ts';
import type { Database } from '../database.ts';

/** The clock of the database, read off this machine's: hosts whose clocks differ agree on what is past. */
export type DatabaseClock = {
  /** The database's present, to within half the time of a round trip. */
  readonly now: Clock;
  /** Milliseconds by which this machine's clock is ahead of the database's; negative where it is behind. */
  readonly skewMs: () => number;
  /** Stops measuring; `now` keeps using the last measurement. */
  stop(): Promise<void>;
};

/** The options of {@link openDatabaseClock}. */
export type DatabaseClockOptions = {
  readonly db: Pick<Database, 'systemUnitOfWork'>;
  readonly logger: Logger;
  /** This machine's clock. */
  readonly local?: Clock;
  /** Milliseconds between two measurements; 10 s by default, so that a clock that was set is followed soon. */
  readonly everyMs?: number;
  /** Milliseconds after which a skew that remains is told again; five minutes by default. */
  readonly tellEveryMs?: number;
};

/**
 * Milliseconds of skew that are reported. Mail and logs tolerate a second; reservations of a shop do not tolerate
 * minutes.
 */
const SKEW_REPORTED_MS = 1_000;

/** Milliseconds by which the skew must change to be told again. */
const CHANGE_REPORTED_MS = 1_000;

/**
 * Measures how far this machine's clock is from the database's, now and every so often.
 * @throws DomainError unavailable where the first measurement fails
 */
export async function openDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { db, logger, local = systemClock, everyMs = 10_000, tellEveryMs = 5 * 60_000 } = options;
  let skewMs = 0;
  let toldMs = 0;
  let lastNotifiedAt = -Infinity;

  /** The skew lies between what it would be had the database read its clock at once, and had it done so at the end. */
  async function measure(): Promise<void> {
    const { least, most } = await db.systemUnitOfWork(async (uow) => {
      // The transaction is open by then, so that the second statement is one round trip.
      await uow.query('select 1');
      const before = local().getTime();
      const [row] = await uow.query<{ now: Date }>('select clock_timestamp() as now');
      const after = local().getTime();
      const there = row!.now.getTime();
      return { least: before - there, most: after - there };
    });
    // The former measurement is kept if it is within the new bounds, so that a slow round trip does not make the clock
    // jump.
    skewMs = Math.min(Math.max(skewMs, least), most);
    logSkew();
  }

  function logSkew(): void {
    const isLarge = Math.abs(skewMs) >= SKEW_REPORTED_MS;
    const isOld = isLarge && performance.now() - lastNotifiedAt >= tellEveryMs;
    if (Math.abs(skewMs - toldMs) < CHANGE_REPORTED_MS && !isOld) return;
    if (isLarge || Math.abs(toldMs) >= SKEW_REPORTED_MS) {
      const words = isLarge
        ? 'the clock of this machine differs from that of PostgreSQL, which counts; set both by NTP'
        : 'the clock of this machine agrees with that of PostgreSQL again';
      logger[isLarge ? 'warn' : 'info']({ skewMs: Math.round(skewMs) }, words);
    }
    toldMs = skewMs;
    lastNotifiedAt = performance.now();
  }

  await measure();
  let measuring: Promise<void> | undefined;
  const timer = setInterval(() => {
    // One that fails is made up for by the next.
    measuring ??= measure()
      .catch(() => {})
      .finally(() => (measuring = undefined));
  }, everyMs);
  return {
    now: () => new Date(local().getTime() - skewMs),
    skewMs: () => skewMs,
    async stop() {
      clearInterval(timer);
      await measuring;
    },
  };
}

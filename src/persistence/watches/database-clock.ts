import type { Logger } from 'pino';
import { type Clock, systemClock } from '../../kernel/time/clock.ts';
import type { Database } from '../database.ts';

/** The clock of the database, calculated from this machine's, so that hosts with different clocks agree on the time. */
export type DatabaseClock = {
  /** The database's time, exact to half a round trip. */
  readonly now: Clock;
  /** Milliseconds by which this machine's clock is ahead of the database's; negative if it is behind. */
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
  /** Milliseconds between two measurements; 10 s by default, so that a change of a clock is noticed soon. */
  readonly everyMs?: number;
  /** Milliseconds after which a remaining skew is logged again; five minutes by default. */
  readonly logEveryMs?: number;
};

/**
 * Milliseconds of skew that are reported. Mail and logs tolerate a second; reservations of a shop do not tolerate
 * minutes.
 */
const SKEW_REPORTED_MS = 1_000;

/** Milliseconds by which the skew must change to be logged again. */
const CHANGE_REPORTED_MS = 1_000;

/**
 * Measures the difference between this machine's clock and the database's, at once and then periodically.
 * @throws DomainError unavailable if the first measurement fails
 */
export async function openDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { db, logger, local = systemClock, everyMs = 10_000, logEveryMs = 5 * 60_000 } = options;
  let skewMs = 0;
  let loggedMs = 0;
  let lastNotifiedAt = -Infinity;

  /** Measures the skew. Its bounds assume that the database read its clock at the start, and at the end, of the round trip. */
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
    const isOld = isLarge && performance.now() - lastNotifiedAt >= logEveryMs;
    if (Math.abs(skewMs - loggedMs) < CHANGE_REPORTED_MS && !isOld) return;
    if (isLarge || Math.abs(loggedMs) >= SKEW_REPORTED_MS) {
      const words = isLarge
        ? 'the clock of this machine differs from that of PostgreSQL, which counts; set both by NTP'
        : 'the clock of this machine agrees with that of PostgreSQL again';
      logger[isLarge ? 'warn' : 'info']({ skewMs: Math.round(skewMs) }, words);
    }
    loggedMs = skewMs;
    lastNotifiedAt = performance.now();
  }

  await measure();
  let measuring: Promise<void> | undefined;
  const timer = setInterval(() => {
    // The next measurement makes up for a failed one.
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

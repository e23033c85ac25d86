import { uptime as machineUptime } from 'node:os';
import type { Logger } from 'pino';
import { type Clock, systemClock, setClockTrust } from '../../kernel/time/clock.ts';
import { CLOCK_TOLERANCE_MS } from '../../kernel/time/due.ts';
import type { Database } from '../../persistence/database.ts';
import {
  type ClockState,
  DOUBT_LASTS_MS,
  type DoubtReason,
  evaluate,
  evaluateStart,
  type Reading,
  trusting,
} from './clock-rule.ts';
import { firstRound, onRound, readRound, type Round, storeDoubt, storeTrusted } from './rounds.queries.ts';

/** The reason for which the clock is not trusted, with PostgreSQL's time of its start. */
export type Doubt = { readonly reason: DoubtReason; readonly since: Date };

/** Watches whether PostgreSQL's clock is trusted for irreversible work. */
export type ClockWatch = {
  /** Reads the clock and returns the current time; undefined if irreversible work must wait. */
  trustedNow(): Promise<Date | undefined>;
  /** The doubt of this process or a recent one of another process, as of the last reading. */
  doubt(): Doubt | undefined;
  /** Stops the watch. */
  stop(): Promise<void>;
};

export type ClockWatchOptions = {
  readonly db: Database;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Milliseconds for which the service may be stopped before its clock is distrusted; a day by default. */
  readonly awayMs?: number;
  /** Milliseconds between two readings; a minute by default. */
  readonly everyMs?: number;
  /** This machine's clock. */
  readonly local?: Clock;
  /** Milliseconds of a monotonic clock that also runs while the machine sleeps, unlike `performance.now()`. */
  readonly uptime?: () => number;
};

/** The most milliseconds of a reading; a longer one is unreliable, because the process was frozen meanwhile. */
const READING_MS = 5_000;

/** The most attempts at a quick reading. */
const READINGS = 3;

/** The remedy, for readers of the log. */
const REMEDY = 'Compare the clocks; if PostgreSQL’s is right, run `laurel clock confirm`.'.replaceAll('’', "'");

/** The reason for the distrust, in one sentence. */
export const WORDS: Readonly<Record<DoubtReason, string>> = {
  JUMPED: "PostgreSQL's clock has jumped",
  DIFFERS: "PostgreSQL's clock differs from that of a machine that serves by more than a minute",
  AWAY: "no process has looked at PostgreSQL's clock for longer than a service is away",
  FUTURE: "PostgreSQL's clock is behind the last round of housekeeping",
};

const DAY_MS = 24 * 3_600_000;

/**
 * Starts a watch of the clock.
 * @throws DomainError unavailable if the first reading fails
 */
export async function openClockWatch(options: ClockWatchOptions): Promise<ClockWatch> {
  const { db, logger, awayMs = DAY_MS, everyMs = 60_000, local = systemClock } = options;
  const uptime = options.uptime ?? (() => machineUptime() * 1_000);
  let state: ClockState | undefined;
  /** Whether this process has trusted the clock once; from then on readings may be any time apart. */
  let isSettled = false;
  let confirmations: number | undefined;
  let lookedAt = 0;
  let own: DoubtReason | undefined;
  let doubt: Doubt | undefined;
  /** A trusted time, and the time of its reading by this process's clock. */
  let base = { moment: 0, at: 0 };
  /**
   * The lower bound of trusted times: the last round of any process, until this process trusts the clock, even if that round is in the
   * future.
   */
  let floor = base;

  async function check(): Promise<Date | undefined> {
    const { reading, round } = await read();
    const now = new Date(reading.database);
    const before = own;
    const waitedMs = state === undefined ? 0 : Math.max(0, reading.uptime - lookedAt);
    lookedAt = reading.uptime;
    own = judged(reading, round);
    const isWaitedFor = own === 'AWAY' || own === 'FUTURE';
    if (isWaitedFor && Number(round.waitedMs) >= DOUBT_LASTS_MS) own = undefined;
    await onRound(db, (uow) => {
      if (own === undefined) return storeTrusted(uow, now, before !== undefined || round.doubt === null);
      return storeDoubt(uow, own, { now, waitedMs: isWaitedFor ? waitedMs : undefined });
    });
    if (own === undefined) {
      isSettled = true;
      base = { moment: reading.database, at: performance.now() };
      floor = base;
    }
    logDoubt(before, round, now);
    return own === undefined ? now : undefined;
  }

  /** A reading that took only a round trip, and the row. */
  async function read(): Promise<{ reading: Reading; round: Round }> {
    for (let left = READINGS; ; left -= 1) {
      const [begun, machine] = [uptime(), local().getTime()];
      const { now, round } = await onRound(db, readRound);
      if (round === undefined) {
        await firstRound(db, now);
        left += 1;
      } else if (uptime() - begun <= READING_MS || left === 1) {
        return { reading: { database: now.getTime(), machine, uptime: begun }, round };
      }
    }
  }

  function judged(reading: Reading, round: Round): DoubtReason | undefined {
    const isConfirmed = confirmations !== undefined && round.confirmations !== confirmations;
    confirmations = round.confirmations;
    if (isConfirmed) {
      state = trusting(reading);
      return undefined;
    }
    if (state === undefined) {
      state = { ...trusting(reading), acceptedSkew: 0 };
      const [lastRound, at] = [round.lastRoundAt.getTime(), performance.now()];
      base = { moment: Math.min(lastRound, reading.database), at };
      floor = { moment: lastRound, at };
    }
    const verdict = evaluate(state, reading);
    ({ state } = verdict);
    if (isSettled || verdict.reason === 'DIFFERS') return verdict.reason;
    // The clock was never trusted, so there is no offset to return to.
    if (verdict.reason === 'JUMPED') state = { ...trusting(reading), acceptedSkew: 0 };
    return evaluateStart(reading.database, round.lastRoundAt.getTime(), awayMs);
  }

  function logDoubt(before: DoubtReason | undefined, round: Round, now: Date): void {
    const reason = own ?? round.doubt ?? undefined;
    const isSame = doubt !== undefined && doubt.reason === reason;
    if (reason === undefined || (own === undefined && before !== undefined)) doubt = undefined;
    else if (!isSame) doubt = { reason, since: round.doubt === reason ? (round.doubtSince ?? now) : now };
    if (own === before) return;
    if (own === undefined) logger.info("PostgreSQL's clock is trusted again: scheduled jobs continue");
    else
      logger.warn(
        { reason: own, lastRoundAt: round.lastRoundAt, remedy: REMEDY },
        `${WORDS[own]}: nothing is deleted or closed for good until it is trusted again`,
      );
  }

  const since = ({ moment, at }: typeof base) => moment + (performance.now() - at);
  setClockTrust({
    upTo(now) {
      const expected = since(base);
      const most = expected + (own === undefined ? CLOCK_TOLERANCE_MS : 0);
      return now.getTime() <= most ? now : new Date(expected);
    },
    from(now) {
      const expected = since(floor);
      return now.getTime() >= expected - CLOCK_TOLERANCE_MS ? now : new Date(expected);
    },
  });
  await check();
  let checking: Promise<Date | undefined> = Promise.resolve(undefined);
  const checkNext = () => (checking = checking.catch(() => undefined).then(check));
  // The next reading makes up for a failed one.
  const timer = setInterval(() => void checkNext().catch(() => {}), everyMs);
  return {
    trustedNow: checkNext,
    doubt: () => doubt,
    async stop() {
      clearInterval(timer);
      setClockTrust();
      await checking.catch(() => {});
    },
  };
}

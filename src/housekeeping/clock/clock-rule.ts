import { CLOCK_TOLERANCE_MS } from '../../kernel/time/due.ts';

/** Three clocks at one moment, each in milliseconds. */
export type Reading = {
  /** PostgreSQL's clock and this machine's, since 1970. */
  readonly database: number;
  readonly machine: number;
  /** The machine's monotonic clock, which cannot be set. It also runs while the machine sleeps. */
  readonly uptime: number;
};

/**
 * The reason for distrusting PostgreSQL's clock. JUMPED: it moved differently from the monotonic clock. DIFFERS: it differs from this
 * machine's clock. AWAY: the last reading is older than an ordinary stop of the service. FUTURE: the last reading is in its future.
 */
export type DoubtReason = 'JUMPED' | 'DIFFERS' | 'AWAY' | 'FUTURE';

/** The state of the clock from earlier readings. */
export type ClockState = {
  /** The offset of PostgreSQL's trusted clock from the monotonic clock. */
  readonly offset: number;
  /**
   * By the monotonic clock: the time of the last judgement of the offset, and the time since which the clock has stayed at the place of its
   * jump.
   */
  readonly judgedAt: number;
  readonly jumpedAt: number | undefined;
  /** The offset of the machine's clock that an operator has confirmed. */
  readonly acceptedSkew: number;
};

/** The duration of a doubt without contrary evidence, in milliseconds of running: time for an operator to notice it. */
export const DOUBT_LASTS_MS = 24 * 3_600_000;

/** The most drift between the clocks of two machines: 86 seconds a day, far more than working clocks have. */
const DRIFT = 0.001;

/** The state after a trusted reading. */
export function trusting({ database, machine, uptime }: Reading): ClockState {
  return { offset: database - uptime, judgedAt: uptime, jumpedAt: undefined, acceptedSkew: machine - database };
}

/**
 * Judges a reading by the earlier ones. A clock that returns to its former offset is trusted again. So is a clock that has stayed at its
 * new offset for {@link DOUBT_LASTS_MS}. A difference between machines counts while it lasts.
 */
export function evaluate(state: ClockState, reading: Reading): { state: ClockState; reason: DoubtReason | undefined } {
  const { database, machine, uptime } = reading;
  const moved = database - uptime - state.offset;
  const drift = Math.max(0, uptime - state.judgedAt) * DRIFT;
  const offset = state.offset + Math.min(Math.max(moved, -drift), drift);
  const hasJumped = Math.abs(moved) > CLOCK_TOLERANCE_MS;
  const jumpedAt = hasJumped ? (state.jumpedAt ?? uptime) : undefined;
  const skew = machine - database;
  const differs = Math.min(Math.abs(skew), Math.abs(skew - state.acceptedSkew)) > CLOCK_TOLERANCE_MS;
  if (jumpedAt !== undefined && uptime - jumpedAt >= DOUBT_LASTS_MS && !differs) {
    return { state: { ...trusting(reading), acceptedSkew: state.acceptedSkew }, reason: undefined };
  }
  const judged = { ...state, offset: hasJumped ? state.offset : offset, judgedAt: uptime, jumpedAt };
  return { state: judged, reason: hasJumped ? 'JUMPED' : differs ? 'DIFFERS' : undefined };
}

/**
 * Judges a clock at the start, by the last round of housekeeping that trusted it.
 * @param awayMs milliseconds for which the service may have been stopped
 */
export function evaluateStart(database: number, lastRound: number, awayMs: number): DoubtReason | undefined {
  if (lastRound > database + CLOCK_TOLERANCE_MS) return 'FUTURE';
  return lastRound < database - awayMs ? 'AWAY' : undefined;
}

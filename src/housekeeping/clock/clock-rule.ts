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
 * Why PostgreSQL's clock is not trusted. JUMPED: it moved otherwise than the monotonic clock did. DIFFERS: it is not what this machine's
 * clock says. AWAY: nobody looked at it for longer than a service is away. FUTURE: the last look lies ahead of it.
 */
export type DoubtReason = 'JUMPED' | 'DIFFERS' | 'AWAY' | 'FUTURE';

/** The state of the clock from earlier readings. */
export type ClockState = {
  /** The offset of PostgreSQL's trusted clock from the monotonic clock. */
  readonly offset: number;
  /** By the monotonic clock: when that was last judged, and since when the clock stands where it jumped to. */
  readonly judgedAt: number;
  readonly jumpedAt: number | undefined;
  /** The offset of the machine's clock that an operator has confirmed. */
  readonly acceptedSkew: number;
};

/** How long a doubt lasts that nothing contradicts, in milliseconds of running: time to be seen by somebody. */
export const DOUBT_LASTS_MS = 24 * 3_600_000;

/** How much the clocks of two machines may drift apart: 86 seconds a day, far more than any that works. */
const DRIFT = 0.001;

/** The state after a trusted reading. */
export function trusting({ database, machine, uptime }: Reading): ClockState {
  return { offset: database - uptime, judgedAt: uptime, jumpedAt: undefined, acceptedSkew: machine - database };
}

/**
 * Judges a reading by what is known. A clock that comes back to where it was is trusted again, as is one that has stood where it
 * jumped to for {@link DOUBT_LASTS_MS}. That the machines differ lasts for as long as they do.
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
 * @param awayMs milliseconds for which the service may have been away
 */
export function evaluateStart(database: number, lastRound: number, awayMs: number): DoubtReason | undefined {
  if (lastRound > database + CLOCK_TOLERANCE_MS) return 'FUTURE';
  return lastRound < database - awayMs ? 'AWAY' : undefined;
}

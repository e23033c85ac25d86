import type { Logger } from 'pino';
import { faultsOf, type Verdict } from '../checks/inspect.ts';
import { isMisconfigured } from '../connections/failures.ts';

/** Checks the database periodically. */
export type DatabaseWatch = {
  /** The current fault with its remedy; undefined if there is none. It reads a cached result. */
  reason(): string | undefined;
  /** Schedules an early check after certain errors of units of work. */
  onFailure(error: unknown): void;
  /** Ends the checks. */
  stop(): void;
};

/** The dependencies of the watch. */
export type WatchOptions = {
  /** Runs all checks; it never fails. */
  readonly inspect: () => Promise<readonly Verdict[]>;
  readonly logger: Logger;
  /** Milliseconds between two checks without a fault; 15 s by default. During a fault it checks more often. */
  readonly everyMs?: number;
};

/**
 * Milliseconds between checks. A dropped policy, which no call notices, is reported within a probe or two of a load balancer; the checks
 * cost PostgreSQL some milliseconds.
 */
const EVERY = 15_000;

/** The minimum of milliseconds between two checks, even if many calls fail. */
const PAUSE = 1_000;

/** Milliseconds until the next check during a fault, so that the service is ready soon after a repair. */
const WHILE_WRONG = 3_000;

/** Starts the checks; the first one comes later, because the start of the service has just checked. */
export function watchDatabase({ inspect, logger, everyMs = EVERY }: WatchOptions): DatabaseWatch {
  let reason: string | undefined;
  let stopped = false;
  let checking = false;
  let lastCheck = performance.now();
  let timer: NodeJS.Timeout;
  checkIn(everyMs);

  function checkIn(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void check(), ms).unref();
  }

  async function check(): Promise<void> {
    checking = true;
    const verdicts = await inspect();
    checking = false;
    lastCheck = performance.now();
    if (stopped) return;
    update(verdicts);
    checkIn(reason === undefined ? everyMs : Math.min(WHILE_WRONG, everyMs));
  }

  /** Stores the faults. If no check could run, the last result stays: readiness itself checks whether the database answers. */
  function update(verdicts: readonly Verdict[]): void {
    if (verdicts.some(({ name, outcome }) => name === 'connection' || outcome === 'failed')) return;
    const faults = faultsOf(verdicts, 'running');
    const found =
      faults.length === 0 ? undefined : faults.map(({ problem, remedy }) => `${problem} ${remedy}`).join(' ');
    if (found === reason) return;
    reason = found;
    if (found === undefined) logger.info('the database passes its checks again');
    else logger.error({ reason: found }, 'the database fails a check: this process is not ready');
  }

  return {
    reason: () => reason,
    onFailure(error) {
      if (stopped || checking || !isMisconfigured(error)) return;
      checkIn(Math.max(0, lastCheck + PAUSE - performance.now()));
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

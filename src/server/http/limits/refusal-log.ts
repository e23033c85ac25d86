import type { Logger } from 'pino';

/** Lines of one credential and code in a minute; what is refused beyond is told as a number. */
const LINES_PER_MINUTE = 100;

const MINUTE = 60_000;

/** A call that was refused, as its line tells it. */
export type RefusedCall = {
  readonly clientId: string | undefined;
  /** Undefined for a call whose credential was not accepted, or that brought none. */
  readonly credentialId: string | undefined;
  readonly status: number;
  /** Undefined where the caller left before it was answered. */
  readonly code: string | undefined;
};

/** Limits the log lines of refused calls. */
export type RefusalLog = {
  /** Whether the line about this call is written; else it is counted. */
  isWritten(call: RefusedCall): boolean;
  /** Writes what was counted and not told yet. */
  flush(): void;
};

type Minute = RefusedCall & { calls: number };

/**
 * Writes the first hundred lines a minute of each credential and code, and at the end of the minute the number of calls
 * without a line. A caller in a loop with 1,000 refusals a second would otherwise write 23 GB a day.
 */
export function createRefusalLog(logger: Logger, everyMs = MINUTE): RefusalLog {
  let minutes = new Map<string, Minute>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const ended = minutes;
    minutes = new Map();
    for (const { calls, ...of } of ended.values()) {
      const unwritten = calls - LINES_PER_MINUTE;
      if (unwritten > 0) logger.info({ ...of, calls: unwritten }, 'further refused calls, without their own lines');
    }
  }

  return {
    isWritten(call) {
      const key = `${call.clientId} ${call.credentialId} ${call.status} ${call.code}`;
      const minute = minutes.get(key) ?? { ...call, calls: 0 };
      minutes.set(key, minute);
      minute.calls += 1;
      timer ??= setTimeout(flush, everyMs).unref();
      return minute.calls <= LINES_PER_MINUTE;
    },
    flush,
  };
}

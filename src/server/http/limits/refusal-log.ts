import type { Logger } from 'pino';

/** The maximum of lines per minute for one credential and code; further refusals are logged as a number. */
const LINES_PER_MINUTE = 100;

const MINUTE = 60_000;

/** A refused call, with the fields of its log line. */
export type RefusedCall = {
  readonly clientId: string | undefined;
  /** Undefined without an accepted credential. */
  readonly credentialId: string | undefined;
  readonly status: number;
  /** Undefined if the caller disconnected before the answer. */
  readonly code: string | undefined;
};

/** Limits the log lines of refused calls. */
export type RefusalLog = {
  /** Whether the line about this call is written; otherwise the call is counted. */
  isWritten(call: RefusedCall): boolean;
  /** Logs the counts that are not logged yet. */
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

import { type Logger, type LoggerOptions, pino } from 'pino';
import sonicBoom, { type SonicBoom, type SonicBoomOpts } from 'sonic-boom';

/**
 * The log of a process: JSON lines on standard output. Credentials are never passed to it; the redaction is the second
 * lock, for an object that holds one deep inside.
 */
export function createLogger(level: string): Logger {
  return pino(optionsOf(level), openOutput({ fd: 1, ...BUFFERED }));
}

/** The log of a command: lines on standard error, because standard output has its result. */
export function createCommandLogger(): Logger {
  return pino(optionsOf('warn'), openOutput({ fd: 2, sync: true }));
}

/**
 * The file descriptor of the log. Writing may fail while the process runs: a terminal is closed (EIO), a pipe has no
 * reader (EPIPE), a disk is full (ENOSPC). Then lines are lost, but the process neither stops nor hangs. Pino's own
 * `destination` brings a sonic-boom that writes such lines again for ever at the end of a process.
 */
function openOutput(options: SonicBoomOpts): SonicBoom {
  const output = new sonicBoom.SonicBoom(options);
  output.on('error', () => {});
  process.on('exit', () => {
    try {
      output.flushSync();
    } catch {
      // Nobody reads them any more.
    }
  });
  return output;
}

function optionsOf(level: string): LoggerOptions {
  return {
    level,
    base: undefined,
    timestamp: timestampField,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: ['*.authorization', '*.password', '*.secret', '*.authenticationValue'], censor: '[redacted]' },
  };
}

/**
 * Lines are written together, because a system call for each is a tenth of what an event costs. They leave after a quarter of a
 * second at the latest, and when the process ends; only a killed one takes its last ones with it.
 */
const BUFFERED = {
  sync: false,
  /** Bytes. With the line that exceeds it below 4 KiB, up to which several processes may write to one pipe untorn. */
  minLength: 3_000,
  /** Milliseconds. */
  periodicFlush: 250,
  /** Bytes. A reader of the log that has stopped costs lines, not the memory of the service. */
  maxLength: 16 * 2 ** 20,
};

let millisecond = 0;
let field = '';

/** As pino's own `isoTime`, but a moment is put into words once, and not for each line of the same millisecond. */
function timestampField(): string {
  const now = Date.now();
  if (now !== millisecond) {
    millisecond = now;
    field = `,"time":"${new Date(now).toISOString()}"`;
  }
  return field;
}

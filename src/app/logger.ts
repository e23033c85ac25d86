import { type Logger, type LoggerOptions, pino } from 'pino';
import sonicBoom, { type SonicBoom, type SonicBoomOpts } from 'sonic-boom';

/**
 * The log of a process: JSON lines on standard output. Callers never pass credentials to it; the redaction also catches a credential deep
 * inside an object.
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
      // No reader is left for these lines.
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
 * Lines are written in groups, because one system call per line is a tenth of the cost of an event. They are written within a quarter of a
 * second, and at the end of the process. A killed process loses its last lines.
 */
const BUFFERED = {
  sync: false,
  /** Bytes. Several processes may write up to 4 KiB to one pipe without interleaving; this leaves room for the last line. */
  minLength: 3_000,
  /** Milliseconds. */
  periodicFlush: 250,
  /** Bytes. If the reader of the log stops, lines are lost, but the memory of the service stays bounded. */
  maxLength: 16 * 2 ** 20,
};

let millisecond = 0;
let field = '';

/** The same field as pino's `isoTime`, but formatted once per millisecond instead of once per line. */
function timestampField(): string {
  const now = Date.now();
  if (now !== millisecond) {
    millisecond = now;
    field = `,"time":"${new Date(now).toISOString()}"`;
  }
  return field;
}

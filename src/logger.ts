import { type Logger, pino } from 'pino';

/**
 * The log of a process: JSON lines on standard output. Credentials are never passed to it; the redaction is the second
 * lock, for an object that holds one deep inside.
 */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: ['*.authorization', '*.password', '*.secret', '*.authenticationValue'], censor: '[redacted]' },
  });
}

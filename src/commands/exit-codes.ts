import { UsageError } from '../kernel/usage-error.ts';

/** The exit codes of all commands; docs/commands.md shows them. */
export const EXIT_CODES = {
  0: 'done',
  1: 'failed or refused; also a check that found something',
  2: 'the command line is wrong, or address or key are missing',
  3: '`upgrade-check`: older hosts have to stop first',
  4: '`events replay`: some lines were refused, all others are applied',
  5: 'the service did not answer, or asks to try again later',
  130: 'interrupted',
} as const;

/** The code of a failure. */
export function exitCodeOf(error: unknown): keyof typeof EXIT_CODES {
  if (error instanceof UsageError) return 2;
  // An error of the client for TypeScript, which only commands that need it import.
  return error instanceof Error && 'retryable' in error && error.retryable === true ? 5 : 1;
}

/** The message of a failure, for people; the cause has the library's message. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!('code' in error && 'retryable' in error)) {
    return cause instanceof Error ? `${message}\n  ${cause.message}` : message;
  }
  const { code, details = [], traceId, attempts = 1 } = error as FailedCall;
  const lines = [
    `${code}: ${message}`,
    ...details.map(({ field, message: fault }) => `  ${field}: ${fault}`),
    ...(traceId === undefined ? [] : [`  in the log of the service: ${traceId}`]),
    ...(attempts > 1 ? [`  after ${attempts} attempts`] : []),
  ];
  return lines.join('\n');
}

/** The used parts of an error of the client for TypeScript. */
type FailedCall = {
  readonly code: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
  readonly traceId?: string;
  readonly attempts?: number;
};

import { Code, ConnectError } from '@connectrpc/connect';
import { DomainError, type ErrorDetail } from '../../kernel/errors/domain-error.ts';
import { type ErrorCodeName, errorKinds } from '../../kernel/errors/error-codes.ts';
import { errorHeaders, httpStatuses } from '../../kernel/errors/error-kinds.ts';
import { TooManyRequests } from '../../kernel/errors/rate-limited.ts';
import { ProtocolError } from '../http/protocol-error.ts';

/** The error body of REST without the trace id, and its headers. */
export type RestError = {
  readonly statusCode: number;
  readonly code: ErrorCodeName;
  readonly message: string;
  /** The single faults; absent without any. */
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly headers?: Record<string, string>;
};

/** The message for an unexpected error, whose own text may contain internal data. */
export const UNKNOWN_ERROR: RestError = {
  statusCode: 500,
  code: 'INTERNAL_SERVER_ERROR',
  message: 'The service failed. Repeat the call with backoff; if it fails again, report the traceId.',
};

/** Errors that Connect raises itself (a body that cannot be decoded, a deadline), by their code. */
const connectErrors: Partial<Record<Code, ErrorCodeName>> = {
  [Code.Canceled]: 'CANCELED',
  // Raised by Connect when the caller's connection breaks; our own ABORTED has a DomainError as its cause.
  [Code.Aborted]: 'CANCELED',
  [Code.InvalidArgument]: 'BAD_REQUEST',
  [Code.OutOfRange]: 'BAD_REQUEST',
  [Code.DeadlineExceeded]: 'DEADLINE_EXCEEDED',
  [Code.NotFound]: 'NOT_FOUND',
  [Code.ResourceExhausted]: 'PAYLOAD_TOO_LARGE',
  [Code.Unimplemented]: 'NOT_IMPLEMENTED',
  [Code.Unavailable]: 'UNAVAILABLE',
};

/** REST's answer to any error. It is pure: an unknown error becomes generic here, and the caller logs it. */
export function restErrorOf(error: unknown): RestError {
  const domainError = domainErrorOf(error);
  if (domainError !== undefined) {
    const { code, message, kind, details } = domainError;
    const headers =
      domainError instanceof TooManyRequests ? { 'retry-after': String(domainError.retryAfter) } : errorHeaders[kind];
    const faults = details.length === 0 ? undefined : details;
    return { statusCode: httpStatuses[kind], code, message, details: faults, headers };
  }
  if (error instanceof ProtocolError) {
    return { statusCode: error.statusCode, code: error.code, message: error.message, headers: { ...error.headers } };
  }
  const code = error instanceof ConnectError ? connectErrors[error.code] : undefined;
  if (code === undefined) return UNKNOWN_ERROR;
  return { ...failureOf(code), message: (error as ConnectError).rawMessage };
}

/** A code with its HTTP status in REST. */
export type CodedFailure = Pick<RestError, 'statusCode' | 'code'>;

/** The status of a code. */
export function failureOf(code: ErrorCodeName): CodedFailure {
  return { statusCode: httpStatuses[errorKinds[code]], code };
}

/** The code and status in REST for a bare Connect or gRPC code. */
export function connectStatusOf(code: Code): CodedFailure {
  return failureOf(connectErrors[code] ?? UNKNOWN_ERROR.code);
}

/** Whether this error is expected, so that its message may be answered. */
export function isExpected(error: unknown): boolean {
  if (domainErrorOf(error) !== undefined || error instanceof ProtocolError) return true;
  return error instanceof ConnectError && connectErrors[error.code] !== undefined;
}

/** The DomainError of an error, also if the interceptors have wrapped it for Connect. */
export function domainErrorOf(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  return error instanceof ConnectError && error.cause instanceof DomainError ? error.cause : undefined;
}

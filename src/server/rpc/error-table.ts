import { Code, ConnectError } from '@connectrpc/connect';
import { DomainError, type ErrorKind, httpStatuses } from '../../kernel/domain-error.ts';
import { MustWait } from '../../kernel/rate-limited.ts';
import { ProtocolError } from '../http/protocol-error.ts';

/** What each kind of error is over gRPC. The table in `DomainError`'s comment explains it. */
export const grpcCodes: Readonly<Record<ErrorKind, Code>> = {
  invalid: Code.InvalidArgument,
  unauthenticated: Code.Unauthenticated,
  forbidden: Code.PermissionDenied,
  notFound: Code.NotFound,
  alreadyExists: Code.AlreadyExists,
  conflict: Code.FailedPrecondition,
  inProgress: Code.Aborted,
  tooLarge: Code.ResourceExhausted,
  rateLimited: Code.ResourceExhausted,
  unimplemented: Code.Unimplemented,
  unavailable: Code.Unavailable,
};

/** Headers that belong to a kind: RFC 9110 asks for a challenge with every 401; a second is enough for a busy service. */
const errorHeaders: Partial<Record<ErrorKind, Record<string, string>>> = {
  unauthenticated: { 'www-authenticate': 'Bearer' },
  rateLimited: { 'retry-after': '1' },
  unavailable: { 'retry-after': '1' },
};

/** The error body of REST, less the trace id, and the headers that go with it. */
export type RestError = {
  readonly statusCode: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Record<string, string>;
};

/** What a caller is told of an error that nobody foresaw: its text may name what must not leave the process. */
export const UNKNOWN_ERROR: RestError = {
  statusCode: 500,
  code: 'INTERNAL_SERVER_ERROR',
  message: 'The service failed. Repeat the call with backoff; if it fails again, report the traceId.',
};

/** Errors that Connect raises itself (a body that cannot be decoded, a deadline), by their code. */
const connectErrors: Partial<Record<Code, { readonly statusCode: number; readonly code: string }>> = {
  [Code.Canceled]: { statusCode: 499, code: 'CANCELED' },
  // Raised by Connect when the caller's connection breaks; our own ABORTED has a DomainError as its cause.
  [Code.Aborted]: { statusCode: 499, code: 'CANCELED' },
  [Code.InvalidArgument]: { statusCode: 400, code: 'BAD_REQUEST' },
  [Code.OutOfRange]: { statusCode: 400, code: 'BAD_REQUEST' },
  [Code.DeadlineExceeded]: { statusCode: 504, code: 'DEADLINE_EXCEEDED' },
  [Code.NotFound]: { statusCode: 404, code: 'NOT_FOUND' },
  [Code.ResourceExhausted]: { statusCode: 413, code: 'PAYLOAD_TOO_LARGE' },
  [Code.Unimplemented]: { statusCode: 501, code: 'NOT_IMPLEMENTED' },
  [Code.Unavailable]: { statusCode: 503, code: 'UNAVAILABLE' },
};

/** How REST answers an error, whatever it is. Pure: an unknown error is made generic here and logged by the caller. */
export function restErrorOf(error: unknown): RestError {
  const domainError = domainErrorOf(error);
  if (domainError !== undefined) {
    const { code, message, kind } = domainError;
    const headers =
      domainError instanceof MustWait ? { 'retry-after': String(domainError.retryAfter) } : errorHeaders[kind];
    return { statusCode: httpStatuses[kind], code, message, headers };
  }
  if (error instanceof ProtocolError) {
    return { statusCode: error.statusCode, code: error.code, message: error.message, headers: { ...error.headers } };
  }
  const known = error instanceof ConnectError ? connectErrors[error.code] : undefined;
  if (known === undefined) return UNKNOWN_ERROR;
  return { ...known, message: (error as ConnectError).rawMessage };
}

/** REST's terms for a bare Connect or gRPC code. */
export function connectStatusOf(code: Code): { readonly statusCode: number; readonly code: string } {
  return connectErrors[code] ?? UNKNOWN_ERROR;
}

/** Whether somebody foresaw this error, so that its own words may be answered. */
export function isForeseen(error: unknown): boolean {
  if (domainErrorOf(error) !== undefined || error instanceof ProtocolError) return true;
  return error instanceof ConnectError && connectErrors[error.code] !== undefined;
}

/** The DomainError itself, also where the interceptors have wrapped it for Connect. */
export function domainErrorOf(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  return error instanceof ConnectError && error.cause instanceof DomainError ? error.cause : undefined;
}

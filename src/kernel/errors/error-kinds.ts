import { Code } from '@connectrpc/connect';
// Types only: code generation reads this file while `gen/` is empty.
import type { ErrorTraits_KindJson } from '../../../gen/laurel/errors/v1/errors_pb.ts';

/** The kinds of errors. The proto has the table: laurel.errors.v1.ErrorTraits.Kind. */
export type ErrorKind = Exclude<ErrorTraits_KindJson, 'KIND_UNSPECIFIED'>;

/** The HTTP status of each kind. It is in the kernel, because a batch of events answers each with its own status. */
export const httpStatuses: Readonly<Record<ErrorKind, number>> = {
  INVALID: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  ALREADY_EXISTS: 409,
  CONFLICT: 409,
  IN_PROGRESS: 409,
  GONE: 410,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  CANCELED: 499,
  INTERNAL: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/** HTTP headers by kind: RFC 9110 requires a challenge with every 401; a busy service suggests a retry after a second. */
export const errorHeaders: Readonly<Partial<Record<ErrorKind, Record<string, string>>>> = {
  UNAUTHENTICATED: { 'www-authenticate': 'Bearer' },
  RATE_LIMITED: { 'retry-after': '1' },
  UNAVAILABLE: { 'retry-after': '1' },
};

/** The gRPC status of each kind. */
export const grpcCodes: Readonly<Record<ErrorKind, Code>> = {
  INVALID: Code.InvalidArgument,
  UNAUTHENTICATED: Code.Unauthenticated,
  FORBIDDEN: Code.PermissionDenied,
  NOT_FOUND: Code.NotFound,
  METHOD_NOT_ALLOWED: Code.Unimplemented,
  REQUEST_TIMEOUT: Code.DeadlineExceeded,
  ALREADY_EXISTS: Code.AlreadyExists,
  CONFLICT: Code.FailedPrecondition,
  IN_PROGRESS: Code.Aborted,
  GONE: Code.OutOfRange,
  TOO_LARGE: Code.ResourceExhausted,
  UNSUPPORTED_MEDIA_TYPE: Code.Unimplemented,
  RATE_LIMITED: Code.ResourceExhausted,
  HEADERS_TOO_LARGE: Code.ResourceExhausted,
  CANCELED: Code.Canceled,
  INTERNAL: Code.Internal,
  UNIMPLEMENTED: Code.Unimplemented,
  UNAVAILABLE: Code.Unavailable,
  DEADLINE_EXCEEDED: Code.DeadlineExceeded,
};

/**
 * What went wrong, in the service's own words. The transports translate a kind once, into a gRPC code and an HTTP status.
 *
 * | kind            | HTTP | gRPC                | may the caller repeat the call unchanged? |
 * | --------------- | ---- | ------------------- | ------------------------------------------ |
 * | invalid         | 400  | INVALID_ARGUMENT    | no                                         |
 * | unauthenticated | 401  | UNAUTHENTICATED     | no, not with this credential               |
 * | forbidden       | 403  | PERMISSION_DENIED   | no                                         |
 * | notFound        | 404  | NOT_FOUND           | no                                         |
 * | alreadyExists   | 409  | ALREADY_EXISTS      | no                                         |
 * | conflict        | 409  | FAILED_PRECONDITION | after the state has changed                |
 * | inProgress      | 409  | ABORTED             | yes, with backoff                          |
 * | tooLarge        | 413  | RESOURCE_EXHAUSTED  | no                                         |
 * | rateLimited     | 429  | RESOURCE_EXHAUSTED  | yes, after `Retry-After`                   |
 * | unimplemented   | 501  | UNIMPLEMENTED       | no                                         |
 * | unavailable     | 503  | UNAVAILABLE         | yes, with backoff                          |
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'alreadyExists'
  | 'conflict'
  | 'inProgress'
  | 'tooLarge'
  | 'rateLimited'
  | 'unimplemented'
  | 'unavailable';

/**
 * The one error that reaches a caller with its own words. Anything else that is thrown is logged in full and answered
 * generically, because its text may name what a caller must not see.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly kind: ErrorKind;
  /** Stable and machine-readable, in UPPER_SNAKE_CASE: `code` in REST bodies, `ErrorInfo.reason` in gRPC. */
  readonly code: string;

  /**
   * @param code stable, for programs, for example `BAD_REQUEST`
   * @param message for people: what is wrong and what to send instead; never a secret, never SQL
   */
  constructor(kind: ErrorKind, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.code = code;
  }
}

/** What each kind is over HTTP; here and not in the server, because a batch of events answers each with its own status. */
export const httpStatuses: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  alreadyExists: 409,
  conflict: 409,
  inProgress: 409,
  tooLarge: 413,
  rateLimited: 429,
  unimplemented: 501,
  unavailable: 503,
};

/** The plain 400 of the contract: `code` is `BAD_REQUEST`. */
export function badRequest(message: string): DomainError {
  return new DomainError('invalid', 'BAD_REQUEST', message);
}

/** The plain 404. `code` names the resource, for example `ACCOUNT_NOT_FOUND`, so that a caller of one path with two ids can tell. */
export function notFound(resource: string, message: string): DomainError {
  return new DomainError('notFound', `${resource}_NOT_FOUND`, message);
}

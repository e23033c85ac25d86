import { Code, ConnectError } from '@connectrpc/connect';
import { BadRequestSchema, ErrorInfoSchema } from './gen/google/rpc/error_details_pb.ts';
import { errorClass, type ErrorKind, LaurelError, type ErrorParts } from './laurel-error.ts';

/** The code of an error without `ErrorInfo`, which came from no Laurel or from the program, and the kind of the status. */
const STATUSES: Readonly<Partial<Record<Code, readonly [code: string, kind: ErrorKind]>>> = {
  [Code.Canceled]: ['CANCELED', 'CANCELED'],
  [Code.InvalidArgument]: ['BAD_REQUEST', 'INVALID'],
  [Code.DeadlineExceeded]: ['DEADLINE_EXCEEDED', 'DEADLINE_EXCEEDED'],
  [Code.NotFound]: ['NOT_FOUND', 'NOT_FOUND'],
  [Code.AlreadyExists]: ['ALREADY_EXISTS', 'ALREADY_EXISTS'],
  [Code.PermissionDenied]: ['FORBIDDEN', 'FORBIDDEN'],
  [Code.ResourceExhausted]: ['PAYLOAD_TOO_LARGE', 'TOO_LARGE'],
  [Code.FailedPrecondition]: ['FAILED_PRECONDITION', 'CONFLICT'],
  [Code.Aborted]: ['OPERATION_IN_PROGRESS', 'IN_PROGRESS'],
  [Code.Unimplemented]: ['NOT_IMPLEMENTED', 'UNIMPLEMENTED'],
  [Code.Internal]: ['INTERNAL_SERVER_ERROR', 'INTERNAL'],
  [Code.Unavailable]: ['UNAVAILABLE', 'UNAVAILABLE'],
  [Code.Unauthenticated]: ['UNAUTHENTICATED', 'UNAUTHENTICATED'],
};

/** The kind of an item's error by its status. */
const ITEM_KINDS: Readonly<Record<number, ErrorKind>> = {
  400: 'INVALID',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'TOO_LARGE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** The error of anything that a call throws. A failure inside the program has the code UNKNOWN and is not retryable. */
export function errorOf(thrown: unknown, sent: Pick<ErrorParts, 'attempts' | 'operationId'> = {}): LaurelError {
  if (thrown instanceof LaurelError) return thrown;
  const error = ConnectError.from(thrown);
  const [info] = error.findDetails(ErrorInfoSchema);
  const [unnamed, kind] = STATUSES[error.code] ?? (['UNKNOWN', 'INVALID'] as const);
  const code = info?.reason ?? unnamed;
  const fields = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
  const details = fields.map(({ field, description }, index) => {
    return { field, rule: info?.metadata[`rule.${index}`], message: description };
  });
  return made(error.rawMessage, {
    ...sent,
    code,
    // This kind shares its status with TOO_LARGE.
    kind: code === 'RATE_LIMITED' ? 'RATE_LIMITED' : kind,
    traceId: info?.metadata['traceId'],
    details,
    retryAfterMs: retryAfterMs(error),
    cause: error,
  });
}

/** The error of one item of a batch. */
export function errorOfItem(
  { code, message, statusCode }: { readonly code: string; readonly message: string; readonly statusCode: number },
  sent: Pick<ErrorParts, 'attempts' | 'operationId'> = {},
): LaurelError {
  return made(message, { ...sent, code, kind: kindOfItem(code, statusCode) });
}

function kindOfItem(code: string, statusCode: number): ErrorKind {
  // Three kinds share the status 409.
  if (code === 'OPERATION_IN_PROGRESS') return 'IN_PROGRESS';
  if (code.endsWith('_ALREADY_EXISTS')) return 'ALREADY_EXISTS';
  return ITEM_KINDS[statusCode] ?? 'INTERNAL';
}

function made(message: string, parts: ErrorParts): LaurelError {
  return new (errorClass(parts.code))(message, parts);
}

/** The time in `Retry-After`, a header, or a trailer of gRPC. */
function retryAfterMs(error: ConnectError): number | undefined {
  const header = error.metadata.get('retry-after');
  if (header === null || header === '') return undefined;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return waitMs >= 0 ? waitMs : undefined;
}

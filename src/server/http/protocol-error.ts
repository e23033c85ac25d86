import { type ErrorCodeName, errorKinds } from '../../kernel/errors/error-codes.ts';
import { httpStatuses } from '../../kernel/errors/error-kinds.ts';

/** A request that HTTP itself refuses, before any operation is known: no gRPC code corresponds to it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly statusCode: number;
  /** Stable and machine-readable, as in `DomainError`. */
  readonly code: ErrorCodeName;
  /** Response headers that belong to the status, for example `allow`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCodeName, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.statusCode = httpStatuses[errorKinds[code]];
    this.code = code;
    this.headers = headers;
  }
}

/** 404: the path is unknown. */
export function unknownPath(method: string, path: string): ProtocolError {
  return new ProtocolError('NOT_FOUND', `There is no ${method} ${path}. See /docs for the operations of this service.`);
}

/** 431: the URL and the headers together are too large. */
export function headersTooLarge(bytesMax: number): ProtocolError {
  return new ProtocolError(
    'HEADERS_TOO_LARGE',
    `The address and the headers have more than ${bytesMax / 1024} KiB together. Send fewer, or a shorter filter.`,
  );
}

/** 405: the path exists, but not for this method. */
export function methodNotAllowed(method: string, allowed: readonly string[]): ProtocolError {
  const allow = allowed.join(', ');
  return new ProtocolError('METHOD_NOT_ALLOWED', `This path does not take ${method}. Use ${allow}.`, { allow });
}

/** 415: the media type of the body is not supported. */
export function unsupportedMediaType(message: string): ProtocolError {
  return new ProtocolError('UNSUPPORTED_MEDIA_TYPE', message);
}

import { type ErrorCodeName, errorKinds } from './error-codes.ts';
import type { ErrorKind } from './error-kinds.ts';
import { Sentence } from '../sentence.ts';

/** One fault of a request, for programs. */
export type ErrorDetail = {
  /** The JSON path as the caller writes it: `missions[0].target`; empty for a fault of the whole request. */
  readonly field: string;
  /** The broken rule, by its name in buf.validate: `string.min_len`, `required`. */
  readonly rule: string;
  /** The expected value, as the end of a sentence that begins with the field. */
  readonly message: string;
};

/** A mistake in the text of an expression: its first character, the one behind it, and what would fit. */
export type ExpressionDetail = ErrorDetail & {
  /** Lines and columns count from 1; a column counts UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** For programs: names, types or signs; empty if only the message says it. */
  readonly expected: readonly string[];
};

/** Whether a fault has a place in an expression. */
export function isExpressionDetail(detail: ErrorDetail): detail is ExpressionDetail {
  return 'expected' in detail;
}

export type DomainErrorOptions = ErrorOptions & {
  /** Set only if this error has another kind than its code: see docs/decisions/0043. */
  readonly kind?: ErrorKind;
};

/**
 * The only error whose message reaches a caller. Any other error is logged in full and answered generically, because its text may contain
 * confidential data.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  /** The kind of error, from which the transports derive the status. */
  readonly kind: ErrorKind;
  /** Stable and machine-readable: `code` in REST bodies, `ErrorInfo.reason` in gRPC. */
  readonly code: ErrorCodeName;
  /** Private, so that the log contains the message once. */
  readonly #sentence: Sentence | undefined;

  /**
   * @param code stable, for programs. The proto of each throwing operation declares it (laurel.errors.v1.errors).
   * @param message for people: the fault and the correct input; never a secret or SQL. A message with values is a sentence`` (see
   * {@link Sentence}), so that the console can translate it.
   */
  constructor(code: ErrorCodeName, message: string | Sentence, options?: DomainErrorOptions) {
    super(String(message), options);
    this.#sentence = typeof message === 'string' ? undefined : message;
    this.kind = options?.kind ?? errorKinds[code];
    this.code = code;
  }

  /** The single faults; empty if the message is complete. */
  get details(): readonly ErrorDetail[] {
    return [];
  }

  /** The message with separate values; without values if it was given as a plain string. */
  get sentence(): Sentence {
    return this.#sentence ?? new Sentence(this.message, []);
  }
}

/** The plain 400 of the contract: `code` is `BAD_REQUEST`. */
export function badRequest(message: string | Sentence): DomainError {
  return new DomainError('BAD_REQUEST', message);
}

/** Whether a result is not a refusal. */
export function isGranted<T extends object>(result: T | DomainError): result is T {
  return !(result instanceof DomainError);
}

/** Inserts the outcomes of the granted `results`, in order, between the refusals. */
export function amongRefusals<T extends object, R>(
  results: ReadonlyArray<T | DomainError>,
  granted: readonly R[],
): Array<R | DomainError> {
  let next = 0;
  return results.map((result) => (isGranted(result) ? granted[next++]! : result));
}

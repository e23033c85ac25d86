import { type ErrorCodeName, errorKinds } from './error-codes.ts';
import type { ErrorKind } from './error-kinds.ts';
import { Sentence } from '../sentence.ts';

/** One fault of a request, for programs. */
export type ErrorDetail = {
  /** As the caller spells it in JSON: `missions[0].target`; empty where it is about the request as a whole. */
  readonly field: string;
  /** Which rule is broken, by its name in buf.validate: `string.min_len`, `required`. */
  readonly rule: string;
  /** The message about what to send instead, to follow the name of the field. */
  readonly message: string;
};

export type DomainErrorOptions = ErrorOptions & {
  /** Only where this one error is of another kind than its code: see docs/decisions/0043. */
  readonly kind?: ErrorKind;
};

/**
 * The one error that reaches a caller with its own words. Anything else that is thrown is logged in full and answered
 * generically, because its text may name what a caller must not see.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  /** The kind of error, from which the transports derive the status. */
  readonly kind: ErrorKind;
  /** Stable and machine-readable: `code` in REST bodies, `ErrorInfo.reason` in gRPC. */
  readonly code: ErrorCodeName;
  /** Private, so that a log has the message once. */
  readonly #sentence: Sentence | undefined;

  /**
   * @param code stable, for programs. The proto of an operation that throws it declares it (laurel.errors.v1.errors).
   * @param message for people: what is wrong and what to send instead; never a secret, never SQL. One with values is
   * sentence`` (see {@link Sentence}), so that the console can show it in the language of its reader.
   */
  constructor(code: ErrorCodeName, message: string | Sentence, options?: DomainErrorOptions) {
    super(String(message), options);
    this.#sentence = typeof message === 'string' ? undefined : message;
    this.kind = options?.kind ?? errorKinds[code];
    this.code = code;
  }

  /** The single faults; empty if the message says all. */
  get details(): readonly ErrorDetail[] {
    return [];
  }

  /** The message with its values apart. One that was given as a plain string has none. */
  get sentence(): Sentence {
    return this.#sentence ?? new Sentence(this.message, []);
  }
}

/** The plain 400 of the contract: `code` is `BAD_REQUEST`. */
export function badRequest(message: string | Sentence): DomainError {
  return new DomainError('BAD_REQUEST', message);
}

/** Whether one of several results is no refusal. */
export function isGranted<T extends object>(result: T | DomainError): result is T {
  return !(result instanceof DomainError);
}

/** Puts what the granted ones of `results` came to, in their order, among the refusals. */
export function amongRefusals<T extends object, R>(
  results: ReadonlyArray<T | DomainError>,
  granted: readonly R[],
): Array<R | DomainError> {
  let next = 0;
  return results.map((result) => (isGranted(result) ? granted[next++]! : result));
}

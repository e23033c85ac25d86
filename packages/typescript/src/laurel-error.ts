import { statuses } from './gen/error-kinds.ts';

/** The kind of an error: one for each way to react. */
export type ErrorKind = keyof typeof statuses;

/** A field that breaks a rule. */
export type FieldFault = {
  /** The field, as the request spells it. */
  readonly field: string;
  /** The rule, such as `int32.gte`; absent if it has no name. */
  readonly rule?: string | undefined;
  /** Says what to send instead. */
  readonly message: string;
};

/** The parts of an error beside its message. */
export type ErrorParts = {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly retryAfterMs?: number | undefined;
  readonly details?: readonly FieldFault[] | undefined;
  readonly traceId?: string | undefined;
  readonly attempts?: number | undefined;
  readonly operationId?: string | undefined;
  readonly cause?: unknown;
};

/** Kinds after which the same call may succeed later. */
const RETRYABLE: readonly ErrorKind[] = [
  'IN_PROGRESS',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'INTERNAL',
  'DEADLINE_EXCEEDED',
  'REQUEST_TIMEOUT',
];

/** The error of a call, or of an item of a batch. Each code of the service has a subclass, such as `AccountNotFoundError`. */
export class LaurelError extends Error {
  /** The code of the service. A code that is newer than this package has no subclass. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** The HTTP status of the kind, 400-599. */
  readonly status: number;
  /** Whether the same call, with the same operation id, may succeed later. */
  readonly retryable: boolean;
  /** The wait that the service asks for, in milliseconds; absent if it asks for none. */
  readonly retryAfterMs: number | undefined;
  /** The fields that break rules, at most ten. */
  readonly details: readonly FieldFault[];
  /** The id of the call in the log of the service; absent if the service did not answer. */
  readonly traceId: string | undefined;
  /** How many times the call was sent. */
  readonly attempts: number;
  /** The operation id of the call; absent if it has none, or several. */
  readonly operationId: string | undefined;

  constructor(message: string, parts: ErrorParts) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    // The name of the class would be another one after minification.
    this.name = `${parts.code.toLowerCase().replaceAll(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase())}Error`;
    this.code = parts.code;
    this.kind = parts.kind;
    this.status = statuses[parts.kind];
    this.retryable = RETRYABLE.includes(parts.kind);
    this.retryAfterMs = parts.retryAfterMs;
    this.details = parts.details ?? [];
    this.traceId = parts.traceId;
    this.attempts = parts.attempts ?? 1;
    this.operationId = parts.operationId;
  }
}

/** The class of a code. */
export type ErrorClass<C extends string> = {
  new (message: string, parts: ErrorParts): LaurelError & { readonly code: C };
};

const classes = new Map<string, typeof LaurelError>();

/** The class of a code, always the same one. Made when it is first asked for, so that bundles have no list of all codes. */
export function errorClass<C extends string>(code: C): ErrorClass<C> {
  const found = classes.get(code) ?? class extends LaurelError {};
  classes.set(code, found);
  return found as unknown as ErrorClass<C>;
}

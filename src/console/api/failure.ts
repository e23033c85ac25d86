import { Code, ConnectError } from '@connectrpc/connect';
import { BadRequestSchema, ErrorInfoSchema } from '../../../gen/google/rpc/error_details_pb.ts';
import { type ExpressionFault, ExpressionFaultSchema } from '../../../gen/laurel/errors/v1/expression_fault_pb.ts';
import type { ErrorCodeJson } from '../../../gen/laurel/errors/v1/errors_pb.ts';

/** The error code of a failed call. It is typed, so that comparisons use existing codes only. */
export type FailureCode = ErrorCodeJson | keyof typeof Code | 'UNREACHABLE' | 'UNKNOWN';

/** The message about a failed call. */
export type Failure = {
  /** The service's stable code, for example `VERSION_CONFLICT`; `UNREACHABLE` if no answer came. */
  readonly code: FailureCode;
  /** The service's message, with the remedy. */
  readonly message: string;
  /** The form of the sentence and its values: see `Sentence` in `language/service-sentence.ts`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The trace id of the request; undefined if no answer came. */
  readonly traceId: string | undefined;
  /** Faults by field, named as in JSON, for example `campaign.missions[0].target`. */
  readonly fields: readonly FieldFailure[];
  /** The mistake in an expression of the request; undefined without one. */
  readonly mistake: ExpressionFault | undefined;
};

/** The fault of one field. */
export type FieldFailure = {
  readonly field: string;
  /** In the service's words. */
  readonly description: string;
  /** The rule that it breaks, for example `string.min_len`; empty if the service does not say. */
  readonly rule: string;
};

/** Reads any error of a call: Connect's code, the `google.rpc` details, and the trace id. */
export function failureOf(error: unknown): Failure {
  const failure = ConnectError.from(error);
  const info = failure.findDetails(ErrorInfoSchema)[0];
  const fields = failure.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
  return {
    // A service that is newer than this page may send an unknown code.
    code: (info?.reason ?? (hasAnswer(failure) ? (Code[failure.code] ?? 'UNKNOWN') : 'UNREACHABLE')) as FailureCode,
    message: failure.rawMessage,
    metadata: info?.metadata ?? {},
    traceId: info?.metadata['traceId'] ?? traceIdIn(failure.metadata.get('traceparent')),
    fields: fields.map(({ field, description }, index) => ({
      field,
      description,
      rule: info?.metadata[`rule.${index}`] ?? '',
    })),
    mistake: failure.findDetails(ExpressionFaultSchema)[0],
  };
}

/** Whether the requested resource does not exist, or no longer. */
export function isGone(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}

/** The state of a query: its answer, if one came, and the failures of its attempts. */
type Attempted = { readonly data: unknown; readonly error: unknown; readonly failureReason: unknown };

/**
 * The failure to show instead of the answer of a query: already after the first attempt, or because the resource is gone. Null with an
 * answer, even an old one, whose age the page shows.
 */
export function failureOfQuery({ data, error, failureReason }: Attempted): unknown {
  const failure = error ?? failureReason ?? null;
  return data === undefined || isGone(failure) ? failure : null;
}

/** Whether the service refused the credential itself, so that another one may help. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unauthenticated;
}

/** The browser's own errors (no network, connection refused) carry no headers of an answer. */
function hasAnswer(error: ConnectError): boolean {
  return error.metadata.has('traceparent') || error.metadata.has('content-type');
}

function traceIdIn(traceparent: string | null): string | undefined {
  return traceparent?.split('-')[1];
}

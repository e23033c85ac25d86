import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../../../gen/google/rpc/error_details_pb.ts';
import { ExpressionFaultSchema } from '../../../gen/laurel/errors/v1/expression_fault_pb.ts';
import { type DomainError, type ExpressionDetail, isExpressionDetail } from '../../kernel/errors/domain-error.ts';
import type { ErrorCodeName } from '../../kernel/errors/error-codes.ts';
import { grpcCodes } from '../../kernel/errors/error-kinds.ts';
import { TooManyRequests } from '../../kernel/errors/rate-limited.ts';
import { partsOf } from '../../kernel/sentence.ts';
import { domainErrorOf, isExpected, type RestError, restErrorOf, UNKNOWN_ERROR } from './error-table.ts';
import type { Exchange } from '../http/exchange.ts';
import { InvalidRequest } from './invalid-request.ts';

/** `ErrorInfo.domain`: the owner of the vocabulary of `ErrorInfo.reason`. */
const DOMAIN = 'laurel';

/** Logged failures, so that an error that passes two boundaries is logged once. */
const logged = new WeakSet<object>();

/**
 * The form of an error for Connect and gRPC: `google.rpc.ErrorInfo` with the code as its reason. An unexpected error is logged in full and
 * answered with a general message.
 */
export function connectErrorOf(error: unknown, exchange: Exchange | undefined, logger: Logger): ConnectError {
  const answer = connectErrorFor(error, exchange);
  if (!isExpected(error) && !isAbort(error, exchange) && !isHangUp(error, exchange)) {
    logUnknown(error, exchange?.traceId, logger);
    logged.add(answer);
  }
  if (exchange !== undefined) exchange.failure = restErrorOf(answer);
  return answer;
}

/** REST's form of any error, for the gateway. It logs unexpected errors. */
export function restErrors(logger: Logger): (error: unknown, traceId?: string) => RestError {
  return (error, traceId) => {
    if (!isExpected(error)) logUnknown(error, traceId, logger);
    return restErrorOf(error);
  };
}

function logUnknown(error: unknown, traceId: string | undefined, logger: Logger): void {
  if (typeof error === 'object' && error !== null) {
    if (logged.has(error)) return;
    logged.add(error);
  }
  logger.error({ err: error, traceId }, 'unforeseen error');
}

function connectErrorFor(error: unknown, exchange: Exchange | undefined): ConnectError {
  const domainError = domainErrorOf(error);
  if (domainError !== undefined) return fromDomainError(domainError, exchange);
  if (error instanceof ConnectError && isExpected(error)) return error;
  if (error instanceof Error && (error.name === 'AbortError' || isHangUp(error, exchange)))
    return new ConnectError('The caller has gone.', Code.Canceled);
  const details = [errorInfo(UNKNOWN_ERROR.code, exchange?.traceId)];
  return new ConnectError(UNKNOWN_ERROR.message, Code.Internal, undefined, details, error);
}

function fromDomainError(error: DomainError, exchange: Exchange | undefined): ConnectError {
  const details = [
    errorInfo(error.code, exchange?.traceId, wordsOf(error, exchange)),
    ...fieldViolations(error),
    ...error.details.filter(isExpressionDetail).map((detail) => expressionFault(detail, exchange)),
    ...retryInfo(error),
  ];
  // A header for Connect, like over REST; a trailer for gRPC.
  const metadata = error instanceof TooManyRequests ? { 'retry-after': String(error.retryAfter) } : undefined;
  return new ConnectError(error.message, grpcCodes[error.kind], metadata, details, error);
}

/**
 * `google.rpc.ErrorInfo` with a reason of Laurel's own vocabulary.
 * @param words the result of {@link wordsOf} for the error
 */
export function errorInfo(
  reason: ErrorCodeName,
  traceId: string | undefined,
  words: Readonly<Record<string, string>> = {},
) {
  return {
    desc: ErrorInfoSchema,
    value: { reason, domain: DOMAIN, metadata: traceId === undefined ? words : { ...words, traceId } },
  };
}

/**
 * The maximum of UTF-16 units of keys and values together. Trailers of gRPC also contain the message twice, and many clients limit them to
 * 8 KiB.
 */
const WORDS_MAX = { trailers: 1_500, body: 16_000 };

/**
 * The message with separate values for `ErrorInfo.metadata`: see {@link partsOf}; and `rule.0`, `rule.1` ..., the broken rules of the
 * fields of `BadRequest`, in their order. Empty over REST, which has the text alone, without values, or if it is too long.
 */
function wordsOf(error: DomainError, exchange: Exchange | undefined): Readonly<Record<string, string>> {
  if (exchange?.protocol === 'rest') return {};
  const words = error instanceof InvalidRequest ? rulesOf(error) : partsOf(error.sentence);
  return hasRoom(Object.entries(words).flat(), exchange) ? words : {};
}

/** Whether details have room for some texts: see {@link WORDS_MAX}. */
function hasRoom(texts: readonly string[], exchange: Exchange | undefined): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length <= (exchange?.protocol === 'connect' ? WORDS_MAX.body : WORDS_MAX.trailers);
}

function rulesOf({ fields }: InvalidRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map(({ violation }, index) => [`rule.${index}`, violation.ruleId]));
}

function fieldViolations(error: DomainError) {
  if (!(error instanceof InvalidRequest)) return [];
  return [
    {
      desc: BadRequestSchema,
      value: { fieldViolations: error.fields.map(({ field, description }) => ({ field, description })) },
    },
  ];
}

/** The place of a mistake in an expression. */
function expressionFault(detail: ExpressionDetail, exchange: Exchange | undefined) {
  const { field, message, line, column, endLine, endColumn, expected } = detail;
  const names = hasRoom(expected, exchange) ? [...expected] : [];
  const value = { field, message, line, column, endLine, endColumn, expected: names };
  return { desc: ExpressionFaultSchema, value };
}

/** The time of the next call, because gRPC has no `Retry-After`. */
function retryInfo(error: DomainError) {
  if (!(error instanceof TooManyRequests)) return [];
  return [{ desc: RetryInfoSchema, value: { retryDelay: { seconds: BigInt(error.retryAfter) } } }];
}

function isAbort(error: unknown, exchange: Exchange | undefined): boolean {
  return error instanceof Error && error.name === 'AbortError' && exchange?.signal.aborted === true;
}

/** Node's error codes for a closed connection. */
const HANG_UPS = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ERR_HTTP2_INVALID_STREAM',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** Whether an answer could not be written because its caller has disconnected: Connect throws that into the operation. */
function isHangUp(error: unknown, exchange: Exchange | undefined): boolean {
  if (!(error instanceof Error) || exchange === undefined) return false;
  const { destroyed } = 'stream' in exchange.response ? exchange.response.stream : exchange.response;
  return destroyed && HANG_UPS.has((error as NodeJS.ErrnoException).code ?? '');
}

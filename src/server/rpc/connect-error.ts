import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../../../gen/google/rpc/error_details_pb.ts';
import type { DomainError } from '../../kernel/domain-error.ts';
import type { ErrorCodeName } from '../../kernel/error-codes.ts';
import { grpcCodes } from '../../kernel/error-kinds.ts';
import { MustWait } from '../../kernel/rate-limited.ts';
import { domainErrorOf, isForeseen, type RestError, restErrorOf, UNKNOWN_ERROR } from './error-table.ts';
import type { Exchange } from '../http/exchange.ts';
import { InvalidRequest } from './invalid-request.ts';

/** `ErrorInfo.domain`: whose vocabulary `ErrorInfo.reason` is. */
const DOMAIN = 'laurel';

/** Failures that have been logged, so that an error which passes two boundaries is logged once. */
const logged = new WeakSet<object>();

/**
 * The form in which Connect and gRPC answer an error: `google.rpc.ErrorInfo` with the code as its reason. An error that
 * nobody foresaw is logged in full and answered in general words.
 */
export function connectErrorOf(error: unknown, exchange: Exchange | undefined, logger: Logger): ConnectError {
  const answer = connectErrorFor(error, exchange?.traceId);
  if (!isForeseen(error) && !isAbort(error, exchange)) {
    logUnknown(error, exchange?.traceId, logger);
    logged.add(answer);
  }
  if (exchange !== undefined) exchange.failure = restErrorOf(answer);
  return answer;
}

/** REST's form of any error, which logs what nobody foresaw. For the gateway. */
export function restErrors(logger: Logger): (error: unknown, traceId?: string) => RestError {
  return (error, traceId) => {
    if (!isForeseen(error)) logUnknown(error, traceId, logger);
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

function connectErrorFor(error: unknown, traceId: string | undefined): ConnectError {
  const domainError = domainErrorOf(error);
  if (domainError !== undefined) return fromDomainError(domainError, traceId);
  if (error instanceof ConnectError && isForeseen(error)) return error;
  if (error instanceof Error && error.name === 'AbortError')
    return new ConnectError('The caller has gone.', Code.Canceled);
  const details = [errorInfo(UNKNOWN_ERROR.code, traceId)];
  return new ConnectError(UNKNOWN_ERROR.message, Code.Internal, undefined, details, error);
}

function fromDomainError(error: DomainError, traceId: string | undefined): ConnectError {
  const details = [errorInfo(error.code, traceId), ...fieldViolations(error), ...retryInfo(error)];
  // A header to Connect's callers, as over REST; a trailer to gRPC's.
  const metadata = error instanceof MustWait ? { 'retry-after': String(error.retryAfter) } : undefined;
  return new ConnectError(error.message, grpcCodes[error.kind], metadata, details, error);
}

/** `google.rpc.ErrorInfo` with a reason of Laurel's own vocabulary. */
export function errorInfo(reason: ErrorCodeName, traceId: string | undefined) {
  return {
    desc: ErrorInfoSchema,
    value: { reason, domain: DOMAIN, metadata: traceId === undefined ? {} : { traceId } },
  };
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

/** When to call again: gRPC has no `Retry-After`. */
function retryInfo(error: DomainError) {
  if (!(error instanceof MustWait)) return [];
  return [{ desc: RetryInfoSchema, value: { retryDelay: { seconds: BigInt(error.retryAfter) } } }];
}

function isAbort(error: unknown, exchange: Exchange | undefined): boolean {
  return error instanceof Error && error.name === 'AbortError' && exchange?.signal.aborted === true;
}

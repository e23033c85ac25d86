import type { Logger } from 'pino';
import type { AnsweredCall } from '../../clients/answered-call.ts';
import { type Principal, principalKey } from '../../clients/principal.ts';
import type { Span } from '../../kernel/tracing.ts';
import type { Exchange } from './exchange.ts';
import type { Metrics } from '../metrics.ts';
import type { RefusedCall, RefusalLog } from './limits/refusal-log.ts';

/** The duration of a slow call in milliseconds; its line is always written. */
const SLOW_MS = 1_000;

/** Whether the line about a call is written. */
export type IsWritten = (call: RefusedCall & { readonly ms: number }) => boolean;

/**
 * Writes a share of the lines about successful quick calls, the lines of refused calls that `refused` allows, and all others. The share is
 * even and not random, so that the written lines divided by it are the calls.
 * @param share from 0 to 1
 */
export function logSampling(refused: RefusalLog, share = 1): IsWritten {
  let due = 0;
  return (call) => {
    const { status, ms } = call;
    if (status >= 400 && status < 500) return refused.isWritten(call);
    if (share >= 1 || status >= 500 || ms >= SLOW_MS) return true;
    due += share;
    if (due < 1) return false;
    due -= 1;
    return true;
  };
}

/** The readers of each answered call. */
export type CallWatchers = {
  readonly metrics: Metrics;
  readonly isWritten: IsWritten;
  /** Learns of the calls of known callers; it must be quick. */
  readonly observe?: ((call: AnsweredCall) => void) | undefined;
};

/**
 * After the response, or after its caller has disconnected, it runs the hooks, writes one log line and counts the request. Neither token,
 * body nor query is logged: a query may hold an e-mail address.
 */
export function whenAnswered(exchange: Exchange, logger: Logger, watchers: CallWatchers): void {
  // Node emits `close` for every response, after `finish` if there was one.
  exchange.response.once('close', () => {
    exchange.body?.release();
    for (const hook of exchange.hooks) runHook(hook, exchange, logger);
    // The hooks also run for a caller that has disconnected.
    exchange.onAnswered = (hook) => queueMicrotask(() => runHook(hook, exchange, logger));
    record(exchange, logger, watchers);
  });
}

function answeredCall({ route, failure, called }: Exchange, principal: Principal): AnsweredCall {
  return failure === undefined
    ? { principal, route, failure, items: called?.items }
    : { principal, route, failure, asked: called?.asked };
}

function runHook(hook: () => void, { traceId }: Exchange, logger: Logger): void {
  try {
    hook();
  } catch (error) {
    logger.error({ err: error, traceId }, 'a callback after the response failed');
  }
}

function record(exchange: Exchange, logger: Logger, { metrics, isWritten, observe }: CallWatchers): void {
  const { protocol, route, requestMethod: method, traceId, response } = exchange;
  const ms = performance.now() - exchange.startedAt;
  const status = exchange.failure?.statusCode ?? statusOf(response);
  const principal = exchange.contextValues.get(principalKey);
  const { clientId, credentialId } = principal ?? {};
  if (principal !== undefined) observe?.(answeredCall(exchange, principal));
  metrics.observe({ protocol, route, status, seconds: ms / 1_000, clientId });
  if (exchange.span !== undefined) endSpan(exchange, exchange.span, { status, clientId });
  const code = exchange.failure?.code;
  if (!isWritten({ status, ms, code, clientId, credentialId })) return;
  const line = {
    protocol,
    method,
    route,
    status,
    code,
    ms: Math.round(ms * 100) / 100,
    traceId,
    clientId,
  };
  // Probes come every few seconds; at `info` they would bury the lines of callers.
  if (protocol === 'http') logger.debug(line, 'answered');
  else logger.info(line, 'answered');
}

/** Ends the span by OpenTelemetry's semantic conventions, without path and query: both may contain data of the caller. */
function endSpan(
  { protocol, route, requestMethod, failure }: Exchange,
  span: Span,
  { status, clientId }: { readonly status: number; readonly clientId: string | undefined },
): void {
  const isRpc = protocol !== 'rest' && protocol !== 'http';
  span.rename(isRpc ? route : `${requestMethod} ${route}`);
  span.set({
    'http.request.method': requestMethod,
    'http.response.status_code': status,
    'error.type': failure?.code,
    'laurel.client.id': clientId,
    ...(isRpc ? { 'rpc.system.name': protocol, 'rpc.method': route } : { 'http.route': route }),
  });
  if (status >= 500) span.fail();
  span.end();
}

/** The status; 499, like in proxies, if the caller disconnected before the first byte of the answer. */
function statusOf(response: Exchange['response']): number {
  return response.headersSent ? response.statusCode : 499;
}

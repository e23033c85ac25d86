import type { Logger } from 'pino';
import { principalKey } from '../../clients/principal.ts';
import type { Exchange } from './exchange.ts';
import type { Metrics } from '../metrics.ts';

/**
 * When the response has been written, or its caller has gone: runs the hooks, then writes one log line and counts the
 * request. Neither token, body nor query is logged: a query may hold an e-mail address.
 */
export function whenAnswered(exchange: Exchange, logger: Logger, metrics: Metrics): void {
  // Node emits `close` for every response, after `finish` if there was one.
  exchange.response.once('close', () => {
    exchange.body?.release();
    for (const hook of exchange.hooks) runHook(hook, exchange, logger);
    // What a caller that has gone had begun is still to have its consequences.
    exchange.onAnswered = (hook) => queueMicrotask(() => runHook(hook, exchange, logger));
    record(exchange, logger, metrics);
  });
}

function runHook(hook: () => void, { traceId }: Exchange, logger: Logger): void {
  try {
    hook();
  } catch (error) {
    logger.error({ err: error, traceId }, 'a callback after the response failed');
  }
}

function record(exchange: Exchange, logger: Logger, metrics: Metrics): void {
  const { protocol, route, requestMethod: method, traceId, response } = exchange;
  const ms = performance.now() - exchange.startedAt;
  const status = exchange.failure?.statusCode ?? statusOf(response);
  metrics.observe({ protocol, route, status, seconds: ms / 1_000 });
  const line = {
    protocol,
    method,
    route,
    status,
    code: exchange.failure?.code,
    ms: Math.round(ms * 100) / 100,
    traceId,
    clientId: exchange.contextValues.get(principalKey)?.clientId,
  };
  // Probes come every few seconds for ever; at `info` they would bury what callers do.
  if (protocol === 'http') logger.debug(line, 'answered');
  else logger.info(line, 'answered');
}

/** 499, as proxies write it, for a caller who left before the first byte of the answer. */
function statusOf(response: Exchange['response']): number {
  return response.headersSent ? response.statusCode : 499;
}
